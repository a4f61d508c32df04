// SPDX-License-Identifier: Apache-2.0

import HexColor

/// The rules for a colour, read plainly: what the hot path is compared with, here and by the fuzzer.
enum PlainRGBColor {
  static func read(_ text: [UInt8]) -> RGBColor? {
    let isSpace: (UInt8) -> Bool = { [9, 10, 11, 12, 13, 32].contains($0) }
    var digits = text[...]
    while let first = digits.first, isSpace(first) { digits.removeFirst() }
    while let last = digits.last, isSpace(last) { digits.removeLast() }
    if digits.first == UInt8(ascii: "#") { digits.removeFirst() }
    guard digits.allSatisfy({ $0 < 0x80 && Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
    let values = digits.compactMap { Character(Unicode.Scalar($0)).hexDigitValue.map(UInt8.init) }
    let channels: [UInt8]
    switch values.count {
    case 3, 4: channels = values.map { $0 * 17 }
    case 6, 8: channels = stride(from: 0, to: values.count, by: 2).map { values[$0] * 16 + values[$0 + 1] }
    default: return nil
    }
    return RGBColor(
      red: channels[0], green: channels[1], blue: channels[2], alpha: channels.count == 4 ? channels[3] : 255)
  }
}
