// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSONCoding
import TestSupport
import Testing

/// JSON values as they are made, written and described.
struct JSONValueTests {
  static let event = #"""
    {"attendees":[{"email":"bo@example.org","responseStatus":"perhaps","self":false,"x":0}],
    "creator":{"email":"ana@example.org","self":true,"x":{"y":[1.50,null]}},
    "end":{"dateTime":"2026-03-01T09:30:00.250+01:00","timeZone":"Europe/Madrid","x":0},"etag":"\"123\"",
    "id":"base_20260301T083000Z","location":{"label":"Café \u00e9 \ud83d\ude00","x":0},
    "future":{"deep":[true,{"n":-1e-7}]},"big":123456789012345678901234567890}
    """#

  @Test(arguments: (0..<0x30).map { UInt8($0) } + [0x5C, 0x7F])
  func everyCharacterIsWrittenSoThatItIsReadBack(_ byte: UInt8) throws {
    let text = "a\(Unicode.Scalar(byte))b"
    let value = JSONValue.object([text: .string(text)])
    #expect(value.json().allSatisfy { $0 >= 0x20 })
    #expect(try JSONValue(json: value.json()) == value)
  }

  @Test func descriptionTellsTheKindAlone() {
    let values: [(JSONValue, String)] = [
      ("secret", "string"), (.number(JSONNumber(4711)), "number"), (true, "bool"), (.null, "null"),
      (["secret"], "array of 1"), (["secret": "secret"], "object of 1"),
    ]
    for (value, kind) in values {
      #expect(value.description == kind)
      #expect(!String(reflecting: value).contains("secret"))
      #expect(mirroredChildren(of: value) == ["kind: \(kind)"])
    }
  }

  @Test func numberIsFinite() {
    #expect(JSONNumber(1.5)?.text == "1.5")
    for value in [Double.infinity, -.infinity, .nan] { #expect(JSONNumber(value) == nil) }
  }

  @Test func numbersKeepEveryDigit() throws {
    let text = "[123456789012345678901234567890,1.50,-0,1E+2,0.1]"
    let value = try JSONValue(json: Array(text.utf8))
    #expect(String(decoding: value.json(), as: UTF8.self) == text)
    #expect(value.array?.map(\.number?.integer) == [nil, nil, 0, 100, nil])
  }

  /// A rounded integer is another integer.
  @Test(
    arguments: [
      ("9223372036854775807", .max), ("-9223372036854775808", .min), ("-9223372036854775809", nil),
      ("9007199254740993.0", 9_007_199_254_740_993), ("9007199254740992.5", nil), ("3.0000000000000000001", nil),
      ("1.50e1", 15), ("-1200e-2", -12), ("1200e-3", nil), ("1e18", 1_000_000_000_000_000_000), ("1e19", nil),
      ("0.000e9", 0), ("-0.0", 0), ("0e99999999999999999999", 0), ("1e99999999999999999999", nil),
      ("1e-9223372036854775808", nil), ("1e400", nil),
    ] as [(String, Int?)])
  func integerIsExact(text: String, integer: Int?) throws {
    #expect(try JSONValue(json: Array(text.utf8)).number?.integer == integer)
  }

  @Test(arguments: [("1e400", Double.infinity), ("-1.5e1", -15), ("1E400", .infinity), ("0.1", 0.1)])
  func numberHasItsNearestFloatingPointValue(text: String, double: Double) throws {
    let value = try JSONValue(json: Array(text.utf8))
    #expect(value.number?.double == double)
    #expect(value.number?.text == text)
  }

  @Test(
    "Every character that must be escaped, at every place of a block of 16 bytes",
    arguments: [
      ("\"", #"\""#), ("\\", #"\\"#), ("\n", #"\n"#), ("\u{1}", #"\u0001"#), ("\u{F}", #"\u000f"#),
      ("\u{1F}", #"\u001f"#),
    ])
  func escapeIsWritten(character: String, escape: String) {
    for padding in 0..<34 {
      let text = String(repeating: "x", count: padding)
      let json = JSONValue.string(text + character + text).json()
      #expect(String(decoding: json, as: UTF8.self) == "\"\(text)\(escape)\(text)\"")
    }
  }

  @Test func namesAreWrittenInTheirOrder() {
    let value: JSONValue = ["b": [true, .null], "a": ["d": 1, "c": "x\(1)"], "": false]
    #expect(String(decoding: value.json(), as: UTF8.self) == #"{"":false,"a":{"c":"x1","d":1},"b":[true,null]}"#)
  }

  @Test func anyCoderReadsAndWritesTheSameValue() throws {
    let value: JSONValue = ["a": [1, -2, true, .null, "é", .number(try #require(JSONNumber(1.5)))], "b": ["c": []]]
    let written = try JSONEncoder().encode(value)
    #expect(try JSONValue(json: Array(written)) == value)
    #expect(try JSONDecoder().decode(JSONValue.self, from: Data(value.json())) == value)
  }

  @Test func anyCoderGetsTheNamesInTheirOrder() throws {
    let encoder = NameEncoder()
    try JSONValue.object(Dictionary(uniqueKeysWithValues: "fbeadc".map { (String($0), .null) })).encode(to: encoder)
    #expect(encoder.names == ["a", "b", "c", "d", "e", "f"])
  }

  @Test func aValueOfAnotherKindIsNil() {
    let values: [JSONValue] = ["a", true, 1, [], [:], .null]
    #expect(values.map { $0.string != nil } == [true, false, false, false, false, false])
    #expect(values.map { $0.bool != nil } == [false, true, false, false, false, false])
    #expect(values.map { $0.number != nil } == [false, false, true, false, false, false])
    #expect(values.map { $0.array != nil } == [false, false, false, true, false, false])
    #expect(values.map { $0.object != nil } == [false, false, false, false, true, false])
    #expect(values.allSatisfy { $0["a"] == nil })
  }
}

/// Objects that name a field twice.
struct RepeatedNameTests {
  @Test(
    arguments: [
      #"{"a":1,"a":1}"#, #"{"a":1,"b":{"c":0},"a":{}}"#, #"{"x":{"a":1,"a":2}}"#, #"[[{"a":1,"a":2}]]"#,
      #"{"a":1,"\u0061":2}"#, #"{"":0,"":0}"#, #"{"a":null,"a":1}"#, #"{"é":0,"e\u0301":0}"#,
    ])
  func aRepeatedNameIsRefusedIfAsked(_ text: String) throws {
    let error = try #require(throws: JSONParseError.self) {
      try JSONValue(json: Array(text.utf8), requiringUniqueNames: true)
    }
    #expect(error.reason == .repeatedName)
    _ = try JSONValue(json: Array(text.utf8))
  }
}
