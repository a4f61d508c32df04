import HexColor
import Testing

/// The hot path against a plain reading of the rules.
struct RGBColorOracleTests {
  private static func plain(_ text: [UInt8]) -> RGBColor? {
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

  private static func check(_ text: [UInt8]) {
    let expected = plain(text)
    #expect((try? RGBColor(hex: text.span)) == expected, "\(text)")
    let string = String(decoding: text, as: UTF8.self)
    if Array(string.utf8) == text {
      #expect((try? RGBColor(hex: string)) == expected, "\(text)")
    }
  }

  @Test(arguments: ["#1aF", "1aFc", "#09afAF", " 09afAF\n", "#0123cdEF", "   "])
  func agreesForEveryByteAtEveryPlace(text: String) {
    var bytes = Array(text.utf8)
    for index in bytes.indices {
      let original = bytes[index]
      for byte in UInt8.min...UInt8.max {
        bytes[index] = byte
        if Self.plain(bytes) != (try? RGBColor(hex: bytes.span)) { Self.check(bytes) }
      }
      bytes[index] = original
    }
  }

  @Test func agreesForRandomText() {
    var numbers = SeededNumbers(seed: 1)
    for _ in 0..<SeededNumbers.rounds {
      let bytes = numbers.bytes(upTo: 12, of: "0123456789abcdefABCDEF# \n")
      if Self.plain(bytes) != (try? RGBColor(hex: bytes.span)) { Self.check(bytes) }
    }
  }

  @Test func readsEveryChannelValueThatItWrites() {
    for value in UInt8.min...UInt8.max {
      let color = RGBColor(red: value, green: 255 - value, blue: value ^ 0x5A, alpha: value)
      #expect(RGBColor(hex: color.hex, default: .white) == color)
      #expect(RGBColor(hex: color.hex.uppercased(), default: .white) == color)
      var bytes: [UInt8] = []
      color.appendHex(to: &bytes)
      #expect(bytes == Array(color.hex.utf8))
    }
  }
}
