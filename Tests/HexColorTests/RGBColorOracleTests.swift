// SPDX-License-Identifier: Apache-2.0

import HexColor
import TestSupport
import Testing

/// The hot path against a plain reading of the rules.
struct RGBColorOracleTests {
  private static func check(_ text: [UInt8]) {
    let expected = PlainRGBColor.read(text)
    #expect((try? RGBColor(hex: text.span)) == expected, "\(text)")
    #expect(RGBColor(hex: text.span, default: .white) == expected ?? .white, "\(text)")
    let string = String(decoding: text, as: UTF8.self)
    if Array(string.utf8) == text {
      #expect((try? RGBColor(hex: string)) == expected, "\(text)")
      #expect((try? RGBColor(hex: "[\(string)]".dropFirst().dropLast())) == expected, "\(text)")
      #expect(RGBColor(hex: string, default: .white) == expected ?? .white, "\(text)")
    }
  }

  @Test(arguments: ["#1aF", "1aFc", "#09afAF", " 09afAF\n", "#0123cdEF", "   "])
  func agreesForEveryByteAtEveryPlace(text: String) {
    var bytes = Array(text.utf8)
    for index in bytes.indices {
      let original = bytes[index]
      for byte in UInt8.min...UInt8.max {
        bytes[index] = byte
        if PlainRGBColor.read(bytes) != (try? RGBColor(hex: bytes.span)) { Self.check(bytes) }
      }
      bytes[index] = original
    }
  }

  @Test func agreesForRandomText() {
    var numbers = SeededNumbers(seed: 1)
    for _ in 0..<SeededNumbers.rounds {
      let bytes = numbers.bytes(upTo: 12, of: "0123456789abcdefABCDEF# \n")
      if PlainRGBColor.read(bytes) != (try? RGBColor(hex: bytes.span)) { Self.check(bytes) }
    }
  }

  @Test func agreesForEveryShortTextWithWhitespace() {
    for digits in ["", "#", "1", "12", "123", "1234", "12345", "123456", "1234567", "12345678", "123456789", "12g456"] {
      for (before, after) in [
        ("", ""), (" ", ""), ("", "\n"), ("\t\r", "  "), ("     ", "\u{0B}\u{0C}   "), ("\0", ""),
      ] {
        Self.check(Array((before + digits + after).utf8))
        Self.check(Array((before + "#" + digits + after).utf8))
      }
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
