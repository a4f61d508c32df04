// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import TestSupport
import Testing

/// The reader against a plain one, and the categories that readers of JSON differ in.
struct JSONReadingTests {
  static let accepted = [
    "[]", "{}", " [ ] ", "[\"\"]", "[1 ]", "[-0]", "[-0.0e+1]", "[1E22]", "[1e-2]", "[0.1]", "[123.456e78]",
    "[\"\\u0060\\u012a\\u12AB\"]", "[\"\\uD801\\udc37\"]", "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"]", "[\"\u{7F}\"]",
    "[\"€𝄞\"]", "[0,1,2,3,4,5,6,7,8,9]",
    "[\"\\u0000\"]", "{\"\":0}", "{\"a\":\"b\",\"a\":\"c\"}", "\"\"", "null", "true", "-1", "\t[\r\n1,\t2 ]\n",
    "[" + String(repeating: " ", count: 40) + "]", "[\"" + String(repeating: "x", count: 1000) + "\"]",
    String(repeating: "[", count: 128) + String(repeating: "]", count: 128),
    "{\"a\":" + String(repeating: "[", count: 127) + String(repeating: "]", count: 127) + "}",
    "[" + String(repeating: "[{}],", count: 500) + "0]",
  ]

  static let refused = [
    "", " ", "[", "]", "[1,]", "[,1]", "[1,,2]", "[1", "[1 2]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{1:1}",
    "{\"a\":1 \"b\":2}", "{\"a\" \"b\"}", "['a']", "[\"a]", "[\"\\x\"]", "[\"\\u12\"]", "[\"\\u12G4\"]", "[\"\\\"]",
    "[\"a\u{0}\"]", "[\"a\u{1F}\"]", "[\"\n\"]", "[\"\t\"]", "[+1]", "[01]", "[-01]", "[1.]", "[.5]", "[1e]", "[1e+]",
    "[-]",
    "[0x1]", "[1_0]", "[NaN]", "[Infinity]", "[nul]", "[nulll]", "[True]", "[tru", "nullx", "[1]x", "[1]]", "{}}",
    "[\u{A0}]",
    "[\u{FEFF}]", "[1]\u{0}", "//\n[]", "[1/**/]",
    String(repeating: "[", count: 129) + String(repeating: "]", count: 129),
    "{\"a\":" + String(repeating: "[", count: 128) + String(repeating: "]", count: 128) + "}",
    "[" + String(repeating: "[],{},", count: 100) + String(repeating: "[", count: 128)
      + String(repeating: "]", count: 129),
  ]

  @Test(arguments: accepted) func whatIsJSONIsRead(_ text: String) throws {
    let value = try JSONValue(json: Array(text.utf8))
    #expect(value == PlainJSON.read(Array(text.utf8)))
    #expect(try JSONValue(json: value.json()) == value)
  }

  @Test(arguments: refused) func whatIsNotIsRefused(_ text: String) {
    #expect(throws: JSONParseError.self) { try JSONValue(json: Array(text.utf8)) }
    #expect(PlainJSON.read(Array(text.utf8)) == nil)
  }

  @Test(
    arguments: [
      [0x80], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82], [0xFF],
      // A character cut after three bytes, which is as long as the replacement character.
      [0xF0, 0x9F, 0x98],
      // One that differs from the replacement character in its first byte alone.
      [0xF0, 0xBF, 0xBD],
    ] as [[UInt8]])
  func aStringThatIsNotUTF8IsRefused(_ bytes: [UInt8]) {
    for padding in 0..<20 {
      let text = [UInt8](repeating: UInt8(ascii: "x"), count: padding)
      for (rest, end) in [(text, "\"]"), ([], "\"" + String(repeating: " ", count: 20) + "]")] {
        #expect(throws: JSONParseError.self) {
          try JSONValue(json: Array("[\"".utf8) + text + bytes + rest + Array(end.utf8))
        }
      }
    }
  }

  @Test(arguments: (0...0x20).map { UInt8($0) } + [0x80, 0xA0])
  func whitespaceIsThatOfJSON(_ byte: UInt8) {
    let isWhitespace = [0x09, 0x0A, 0x0D, 0x20].contains(byte)
    for count in [0, 3, 15, 16, 40] {
      let spaces = [UInt8](repeating: 0x20, count: count)
      for text in [[byte] + spaces, spaces + [byte], spaces + [byte] + spaces] {
        let array = Array("[1,".utf8) + text + Array("2".utf8) + text + Array("]".utf8)
        #expect((try? JSONValue(json: array)) == (isWhitespace ? [1, 2] : nil))
        let object = Array("{".utf8) + text + Array("\"a\"".utf8) + text + Array(":1}".utf8)
        #expect((try? JSONValue(json: object)) == (isWhitespace ? ["a": 1] : nil))
      }
    }
  }

  /// An array keeps in memory what was removed from its end, so that a reader that looks there finds the rest of the text.
  @Test func nothingBehindTheEndIsRead() {
    let text = "{\"name-of-sixteen-\":[\"a string of more than sixteen\",1234567890,   true]}"
    for count in 0..<text.utf8.count {
      var bytes = Array((text + String(repeating: "\"]}", count: 20)).utf8)
      bytes.removeLast(bytes.count - count)
      #expect(throws: JSONParseError.self) { try JSONValue(json: bytes) }
    }
  }

  /// Every place of a quotation mark, a backslash, a control character and the end within a block of 16 bytes.
  @Test func everyLengthIsReadAlike() throws {
    for length in 0..<70 {
      let text = String(repeating: "k", count: length)
      for (inner, value) in [(text, text), (text + "\\n", text + "\n"), (text + "é" + text, text + "é" + text)] {
        #expect(try JSONValue(json: Array("{\"\(inner)\":\"\(inner)\"}".utf8)) == [value: .string(value)])
      }
      #expect(throws: JSONParseError.self) { try JSONValue(json: Array("{\"\(text)\u{1}\":1}".utf8)) }
      #expect(throws: JSONParseError.self) { try JSONValue(json: Array("{\"a\":\"\(text)\u{1}\"}".utf8)) }
      #expect(throws: JSONParseError.self) { try JSONValue(json: Array("{\"a\":\"\(text)".utf8)) }
      #expect(throws: JSONParseError.self) { try JSONValue(json: Array("{\"a\":\"\(text)\\".utf8)) }
    }
  }

  @Test func damagedTextsAreReadAsByAPlainReader() throws {
    let seed = Array(JSONValueTests.event.utf8)
    let bytes = Array("\"\\{}[]:,0123456789-+.eEtrufalsn \n\u{1}ñx".utf8)
    var numbers = SeededNumbers(seed: 12)
    for _ in 0..<3000 {
      let text = numbers.damaged(seed, with: bytes)
      let plain = PlainJSON.read(text)
      #expect((try? JSONValue(json: text)) == plain)
      let unique = try? JSONValue(json: text, requiringUniqueNames: true)
      #expect(unique == (PlainJSON.hasRepeatedName(text) ? nil : plain))
    }
  }
}
