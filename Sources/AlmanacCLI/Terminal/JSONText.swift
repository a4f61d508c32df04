// SPDX-License-Identifier: Apache-2.0

extension [UInt8] {
  /// The JSON with each terminal control character written as an escape.
  ///
  /// Such characters occur in strings only: JSON's syntax is ASCII, and strings contain no control characters below U+0020
  /// ([RFC 8259 § 7](https://www.rfc-editor.org/rfc/rfc8259.html#section-7)).
  package var terminalSafeJSON: [UInt8] {
    guard contains(where: { $0 >= 0x7F }) else { return self }
    var text = ""
    text.reserveCapacity(count)
    for scalar in String(decoding: self, as: UTF8.self).unicodeScalars {
      guard scalar.value >= 0x7F, scalar.steersTerminal else {
        text.unicodeScalars.append(scalar)
        continue
      }
      for unit in String(scalar).utf16 {
        let digits = String(unit, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
    return Array(text.utf8)
  }
}
