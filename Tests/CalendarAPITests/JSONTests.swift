// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import Testing

/// JSON as it is read and written, whatever the schema.
struct JSONTests {
  @Test func nestingHasALimitOfLevelsNotOfValues() throws {
    // The object is the first level.
    for (levels, isFine) in [(127, true), (128, false)] {
      let text = #"{"a":\#(String(repeating: "[", count: levels))\#(String(repeating: "]", count: levels))}"#
      if isFine { _ = try fields(of: text) } else { #expect(throws: CalendarError.self) { try fields(of: text) } }
    }
    let siblings = try fields(of: #"{"a":[\#(Array(repeating: "[{}]", count: 500).joined(separator: ","))]}"#)
    #expect(siblings["a"]?.array?.count == 500)
  }

  @Test(arguments: (0..<0x30).map { UInt8($0) } + [0x5C, 0x7F])
  func everyCharacterIsWrittenSoThatItIsReadBack(_ byte: UInt8) throws {
    var schema = ColorDefinition()
    let text = "a\(Unicode.Scalar(byte))b"
    schema.additionalFields = [text: .string(text)]
    let json = schema.json()
    #expect(json.allSatisfy { $0 >= 0x20 })
    #expect(try fields(of: json) == schema.additionalFields)
  }

  @Test func descriptionTellsTheKindAlone() {
    let values: [(JSONValue, String)] = [
      ("secret", "string"), (.number(JSONNumber(4711)), "number"), (true, "bool"), (nil, "null"),
      (["secret"], "array of 1"), (["secret": "secret"], "object of 1"),
    ]
    for (value, kind) in values {
      #expect(value.description == kind)
      #expect(!String(reflecting: value).contains("secret"))
    }
  }

  @Test func numberIsFinite() {
    #expect(JSONNumber(1.5)?.text == "1.5")
    for value in [Double.infinity, -.infinity, .nan] { #expect(JSONNumber(value) == nil) }
  }
}
