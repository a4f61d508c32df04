// SPDX-License-Identifier: Apache-2.0

/// A namespace for URLs as text, possibly with bytes forbidden by RFC 3986.
package enum URLText {
  /// Returns the text of a URL, percent-encoding every byte forbidden after the authority by
  /// [RFC 3986](https://www.rfc-editor.org/rfc/rfc3986.html).
  ///
  /// Browsers leave a `%` without two hexadecimal digits, and bytes such as `|`, `"` and `[`, as they received them
  /// ([WHATWG URL § 1.3](https://url.spec.whatwg.org/#percent-encoded-bytes)). `URL(string:)` then escapes valid escapes a second
  /// time, which changes their values. This function leaves valid escapes unchanged.
  package static func escaped(_ text: some Sequence<UInt8>) -> String {
    let bytes = Array(text)
    let start = authorityEnd(of: bytes)
    var result = Array(bytes[..<start])
    var hasFragment = false
    for index in start..<bytes.count {
      let byte = bytes[index]
      let isKept =
        switch byte {
        case UInt8(ascii: "%"): index + 2 < bytes.count && bytes[index + 1].isHexDigit && bytes[index + 2].isHexDigit
        case UInt8(ascii: "#"): !hasFragment
        default: allowed.contains(byte)
        }
      if byte == UInt8(ascii: "#") { hasFragment = true }
      if isKept {
        result.append(byte)
      } else {
        result += [UInt8(ascii: "%"), hexDigits[Int(byte >> 4)], hexDigits[Int(byte & 15)]]
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns the index after the authority, whose brackets are those of an IP literal, or 0 if there is none.
  private static func authorityEnd(of bytes: [UInt8]) -> Int {
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8),
      !bytes[..<colon].contains(where: { "/?#".utf8.contains($0) })
    else { return 0 }
    return bytes[(colon + 3)...].firstIndex { "/?#".utf8.contains($0) } ?? bytes.count
  }

  private static let hexDigits = Array("0123456789ABCDEF".utf8)

  /// RFC 3986 § 3.3: the characters of paths, queries and fragments, except escapes.
  private static let allowed = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@/?".utf8)
}

extension UInt8 {
  fileprivate var isHexDigit: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }
}
