import HexColor
import Testing

struct RGBColorTests {
  @Test(arguments: [
    ("#9fe1e7", RGBColor(red: 0x9F, green: 0xE1, blue: 0xE7)),
    ("9FE1E7", RGBColor(red: 0x9F, green: 0xE1, blue: 0xE7)),
    (" \t#9fE1e7\r\n", RGBColor(red: 0x9F, green: 0xE1, blue: 0xE7)),
    ("#abc", RGBColor(red: 0xAA, green: 0xBB, blue: 0xCC)),
    ("0f3", RGBColor(red: 0x00, green: 0xFF, blue: 0x33)),
    ("#abcd", RGBColor(red: 0xAA, green: 0xBB, blue: 0xCC, alpha: 0xDD)),
    ("#01234567", RGBColor(red: 0x01, green: 0x23, blue: 0x45, alpha: 0x67)),
    ("\u{0B}\u{0C}#000000" + String(repeating: " ", count: 40), .black),
  ])
  func readsEveryNotation(text: String, color: RGBColor) throws {
    #expect(try RGBColor(hex: text) == color)
    #expect(try RGBColor(hex: "[\(text)]".dropFirst().dropLast()) == color)
    #expect(try RGBColor(hex: Array(text.utf8).span) == color)
    #expect(RGBColor(hex: text, default: .white) == color)
  }

  @Test(arguments: [
    ("", RGBColor.ParseError.empty),
    (" # ", .empty),
    ("#12345", .invalidDigitCount(count: 5, offset: 1)),
    ("  1234567890 ", .invalidDigitCount(count: 10, offset: 2)),
    ("#12g456", .invalidDigit(offset: 3)),
    ("##12345", .invalidDigit(offset: 1)),
    ("# 12345", .invalidDigit(offset: 1)),
    ("#12345é", .invalidDigit(offset: 6)),
    ("\u{00A0}#123", .invalidDigit(offset: 0)),
  ])
  func saysWhatIsWrongAndWhere(text: String, error: RGBColor.ParseError) {
    #expect(throws: error) { try RGBColor(hex: text) }
    #expect(throws: error) { try RGBColor(hex: "[\(text)]".dropFirst().dropLast()) }
    #expect(throws: error) { try RGBColor(hex: Array(text.utf8).span) }
    #expect(RGBColor(hex: text, default: .white) == .white)
  }
}
