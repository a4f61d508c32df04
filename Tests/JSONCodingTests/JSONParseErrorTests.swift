// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSONCoding
import Testing

/// What an error of the reader shows.
struct JSONParseErrorTests {
  @Test(
    arguments: [
      ("", 0, "empty"), ("  ", 0, "empty"), ("<html>", 0, "web page"), ("\u{FEFF}{}", 0, "byte order mark"),
      ("[secret]", 1, "a value was expected"), ("[1 2]", 3, "a comma"), (#"{"a" 1}"#, 5, "colon"),
      ("{a:1}", 1, "name of a field"), ("[1] x", 4, "more content"), ("[tru", 4, "ends too early"),
      ("[-x]", 2, "digit"), (#"["\x"]"#, 3, "escape"), (#"["\u12"]"#, 4, "four hexadecimal"),
    ])
  func theErrorSaysWhatIsWrongAndWhere(_ text: String, _ offset: Int, _ words: String) throws {
    let error = try #require(throws: JSONParseError.self) { try JSONValue(json: Array(text.utf8)) }
    #expect(error.reason == .syntax)
    #expect(error.offset == offset)
    #expect(error.description.contains(words), "\(error)")
    #expect(error.description.contains("byte \(offset)"))
    #expect(error.localizedDescription == error.description)
    #expect(!error.description.contains("secret"))
  }

  @Test(arguments: [JSONParseError.Reason.syntax, .mismatch, .repeatedName])
  func anErrorCanBeMade(_ reason: JSONParseError.Reason) {
    let error = JSONParseError(reason, at: 7)
    #expect(error.reason == reason && error.offset == 7)
    #expect(error.description.hasSuffix("(byte 7)."))
  }
}
