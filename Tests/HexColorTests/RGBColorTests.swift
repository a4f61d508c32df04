// SPDX-License-Identifier: Apache-2.0

import Foundation
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
    (" 01234567", RGBColor(red: 0x01, green: 0x23, blue: 0x45, alpha: 0x67)),
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
    ("#12g456", .invalidDigit("g", offset: 3)),
    ("##12345", .invalidDigit("#", offset: 1)),
    ("# 12345", .invalidDigit(" ", offset: 1)),
    ("#12345é", .invalidDigit("é", offset: 6)),
    ("#12345😀", .invalidDigit("😀", offset: 6)),
    ("\u{00A0}#123", .invalidDigit("\u{00A0}", offset: 0)),
    ("0189afAFF", .invalidDigitCount(count: 9, offset: 0)),
    (" 0189afAFF", .invalidDigitCount(count: 9, offset: 1)),
    (" " + String(repeating: "1", count: 64 + 3), .invalidDigitCount(count: 67, offset: 1)),
    (String(repeating: "1", count: 64 + 3), .invalidDigitCount(count: 67, offset: 0)),
    ("12/456", .invalidDigit("/", offset: 2)), ("12:456", .invalidDigit(":", offset: 2)),
    ("12@456", .invalidDigit("@", offset: 2)), ("12G456", .invalidDigit("G", offset: 2)),
    ("12`456", .invalidDigit("`", offset: 2)),
  ])
  func saysWhatIsWrongAndWhere(text: String, error: RGBColor.ParseError) {
    #expect(throws: error) { try RGBColor(hex: text) }
    #expect(throws: error) { try RGBColor(hex: "[\(text)]".dropFirst().dropLast()) }
    #expect(throws: error) { try RGBColor(hex: Array(text.utf8).span) }
    #expect(RGBColor(hex: text, default: .white) == .white)
  }
}

extension RGBColorTests {
  @Test func writesTheShortestNotationThatKeepsTheOpacity() {
    #expect(RGBColor(red: 0x0A, green: 0, blue: 0xFF).description == "#0a00ff")
    #expect(RGBColor(red: 0x0A, green: 0, blue: 0xFF, alpha: 0).description == "#0a00ff00")
  }

  @Test func takesTheDefaultForNothing() {
    #expect(RGBColor(hex: nil, default: .black) == .black)
  }

  @Test func isASingleStringInJSON() throws {
    let color = RGBColor(red: 1, green: 2, blue: 3)
    #expect(try String(decoding: JSONEncoder().encode([color]), as: UTF8.self) == ##"["#010203"]"##)
    #expect(try JSONDecoder().decode([RGBColor].self, from: Data(##"["#010203"]"##.utf8)) == [color])
    let error = try #require(throws: DecodingError.self) {
      try JSONDecoder().decode([RGBColor].self, from: Data(##"["#01020"]"##.utf8))
    }
    #expect("\(error)".contains("5 digits"))
  }

  @Test(
    "A character that is not a visible one of ASCII is shown as its number, so that it does not steer a terminal",
    arguments: [
      ("!", "\"!\""), ("~", "\"~\""), (" ", "U+0020"), ("\u{7F}", "U+007F"), ("\u{1B}", "U+001B"), ("\0", "U+0000"),
      ("é", "U+00E9"), ("\u{FFFD}", "U+FFFD"), ("😀", "U+1F600"),
    ] as [(Unicode.Scalar, String)])
  func characterInAnErrorIsNamed(scalar: Unicode.Scalar, name: String) {
    #expect(
      RGBColor.ParseError.invalidDigit(scalar, offset: 0).description
        == "The colour has \(name) at offset 0, which is not a hexadecimal digit.")
  }

  @Test(arguments: [UInt8.min...UInt8.max])
  func luminanceIsTheStandards(values: ClosedRange<UInt8>) {
    for value in values {
      let channel = Double(value) / 255
      let linear = channel <= 0.04045 ? channel / 12.92 : pow((channel + 0.055) / 1.055, 2.4)
      let gray = RGBColor(red: value, green: value, blue: value)
      #expect(abs(gray.relativeLuminance - linear) < 1e-14)
      #expect(abs(RGBColor(red: value, green: 0, blue: 0).relativeLuminance - 0.2126 * linear) < 1e-14)
      #expect(abs(RGBColor(red: 0, green: value, blue: 0).relativeLuminance - 0.7152 * linear) < 1e-14)
    }
  }

  @Test func contrastIsTheStandards() {
    #expect(abs(RGBColor.white.contrastRatio(with: .black) - 21) < 1e-12)
    #expect(RGBColor.white.contrastRatio(with: .white) == 1)
    let gray = RGBColor(red: 0x76, green: 0x76, blue: 0x76)
    #expect(abs(gray.contrastRatio(with: .white) - 4.54) < 0.005)
  }

  @Test(arguments: [("#ffff00", RGBColor.black), ("#0000ff", .white), ("#9fe1e7", .black), ("#7f7f7f", .black)])
  func picksTheForegroundThatIsEasierToRead(background: String, foreground: RGBColor) throws {
    #expect(try RGBColor(hex: background).readableForeground == foreground)
  }

  @Test(
    "Neighbours on the two sides of the threshold, a relative luminance of 0.179, where both contrasts are 4.58",
    arguments: [
      ("#757575", RGBColor.white), ("#767676", .black), ("#ec0000", .white), ("#ed0000", .black), ("#008300", .white),
      ("#008a00", .black), ("#0000ff", .white),
    ])
  func foregroundOnEachSideOfTheThreshold(background: String, foreground: RGBColor) throws {
    let color = try RGBColor(hex: background)
    #expect(color.readableForeground == foreground)
    let other: RGBColor = foreground == .black ? .white : .black
    #expect(color.contrastRatio(with: foreground) >= color.contrastRatio(with: other))
  }
}
