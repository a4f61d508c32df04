// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSONCoding
import Testing

/// The description of the reader's errors.
struct JSONParseErrorTests {
  @Test(
    arguments: [
      ("", 0, "an empty body"), ("  ", 0, "an empty body"),
      (" <html>", 1, "a web page instead of JSON"),
      ("\u{FEFF}", 3, "an empty body"), ("\u{FEFF}[x", 4, "a value was expected"),
      ("[secret]", 1, "a value was expected"), ("[tru3]", 4, "a value was expected"),
      ("[1 2]", 3, "a comma or the end was expected"), (#"{"a" 1}"#, 5, "a colon was expected"),
      ("{a:1}", 1, "the name of a field was expected"), ("[1] x", 4, "more content after the end of the JSON"),
      ("[tru", 4, "the JSON ends too early"), ("[", 1, "the JSON ends too early"),
      (#"["a"#, 3, "the JSON ends too early"), ("[-x]", 2, "a digit was expected"),
      (#"["\x"]"#, 3, "an invalid escape"),
      (#"["\u12"]"#, 4, "an escape without four hexadecimal digits"),
      ("[\"a\u{1F}\"]", 3, "a control character in a string"),
      (String(repeating: "[", count: 129), 128, "more than 128 levels of nesting"),
    ])
  func theErrorSaysWhatIsWrongAndWhere(_ text: String, _ offset: Int, _ problem: String) throws {
    let error = try #require(throws: JSONParseError.self) { try JSONValue(json: Array(text.utf8)) }
    #expect(error.reason == .syntax)
    #expect(error.offset == offset)
    #expect(
      error.description == "The text is not the expected JSON (RFC 8259): \(problem) (byte \(offset)).")
    #expect(error.localizedDescription == error.description)
  }

  @Test(arguments: [[0xFF, 0xFE, 0x7B, 0], [0xFE, 0xFF, 0, 0x7B]] as [[UInt8]])
  func theErrorNamesTheByteOrderMarkOfUTF16(_ text: [UInt8]) {
    let error = #expect(throws: JSONParseError.self) { try JSONValue(json: text) }
    #expect(error?.finding == "the byte order mark of UTF-16 instead of UTF-8 (byte 0)")
  }

  @Test func theErrorOfAStringThatIsNotUTF8SaysWhereItBegins() throws {
    for escape in ["", "\\n"] {
      let error = try #require(throws: JSONParseError.self) {
        try JSONValue(json: Array("[\"a\(escape)".utf8) + [0xFF] + Array("\"]".utf8))
      }
      #expect(error.finding == "a string that is not UTF-8 (byte 2)")
    }
  }

  @Test(
    arguments: [
      (["a"], "a"), (["b", "a"], "a.b"), (["[1]", "a"], "a[1]"), (["b", "[1]", "[0]", "a"], "a[0][1].b"),
      (["[2]"], "[2]"),
    ])
  func theErrorNamesThePlaceFromTheOutsideIn(_ steps: [String], _ place: String) {
    let error = steps.reduce(JSONParseError(.mismatch, at: 7)) { $0.inside($1) }
    #expect(error.finding == "a value of an unexpected type (byte 7, in \(place))")
    #expect(error.asSyntax.reason == .syntax && error.asSyntax.finding == error.finding)
  }
}
