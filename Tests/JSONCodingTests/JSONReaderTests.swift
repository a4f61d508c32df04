// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Testing

/// The reader's methods for types that read their fields one by one.
struct JSONReaderTests {
  private func read<Value>(
    _ text: String, _ body: (inout JSONReader) throws(JSONParseError) -> Value
  ) throws(JSONParseError) -> Value {
    try JSONReader.reading(Array(text.utf8), body)
  }

  private func integer(_ text: String) throws(JSONParseError) -> Int {
    try read(text) { (reader) throws(JSONParseError) in try reader.readInteger() }
  }

  @Test(
    "A value of another kind is named with its place",
    arguments: [
      ("[]", "an object was expected"),
      ("{}", "an array was expected"),
      ("[]", "a string was expected"),
      ("\"1\"", "a number was expected"),
      ("1", "true or false was expected"),
      ("1.5", "a number that is too large or not an integer"),
      ("\"x\"", "a value of an unexpected type"),
    ])
  func mismatch(text: String, problem: String) throws {
    let readers: [(String, (inout JSONReader) throws -> Void)] = [
      ("an object", { try $0.beginObject() }), ("an array", { try $0.beginArray() }),
      ("a string", { _ = try $0.readString() }), ("a string", { try $0.readText { _ in () } }),
      ("a number was", { _ = try $0.readNumber() }), ("true or false", { _ = try $0.readBool() }),
      ("not an integer", { _ = try $0.readInteger() }), ("unexpected type", { try $0.readText { _ in nil as Void? } }),
    ]
    for (name, body) in readers where problem.contains(name) {
      let error = try #require(throws: JSONParseError.self) {
        try read(" " + text) { (reader) throws(JSONParseError) in
          do { try body(&reader) } catch let error as JSONParseError { throw error } catch {}
        }
      }
      #expect(error.reason == .mismatch)
      #expect(error.finding == "\(problem) (byte \(text == "\"x\"" ? 2 : 1))")
    }
  }

  @Test(
    arguments: [
      ("0", 0), ("7 ", 7), ("-7", -7), ("1e2", 100), ("10.0", 10), ("123456789012345678", 123_456_789_012_345_678),
      ("1234567890123456789", 1_234_567_890_123_456_789), ("9223372036854775807", .max),
      ("-9223372036854775808", .min),
    ] as [(String, Int)])
  func wholeNumberIsRead(text: String, value: Int) throws {
    #expect(try integer(text) == value)
    #expect(try integer(text + "\n") == value)
    let elements = try read("[\(text),\(text)]") { (reader) throws(JSONParseError) in
      try reader.beginArray()
      var elements: [Int] = []
      while try reader.nextElement() { elements.append(try reader.readInteger()) }
      return elements
    }
    #expect(elements == [value, value])
  }

  @Test(arguments: ["01", "-", "1.", "1e", "9223372036854775808", "0.5", "1e400", "00 ", "012 "])
  func numberThatIsNotWholeIsRefused(text: String) {
    #expect(throws: JSONParseError.self) { try integer(text) }
  }

  @Test func textIsReadWithAndWithoutEscapes() throws {
    for (text, bytes) in [("\"ab\"", "ab"), (#""a\u0062""#, "ab"), ("\"\"", "")] {
      let read = try read(text) { (reader) throws(JSONParseError) in
        try reader.readText { span in (0..<span.count).map { span[$0] } }
      }
      #expect(read == Array(bytes.utf8))
    }
  }

  @Test(
    arguments: [
      ("abcdefgh", ["abcdefgi", "abcdefghi", "abcdefg", "abcdefgh-long-name-16"]),
      (
        "a-name-of-twenty-four-xx",
        [
          "b-name-of-twenty-four-xx", "a-name-Of-twenty-four-xx", "a-name-of-twenty-four-xy",
          "a-name-of-twentY-four-xx",
          "a-name-of-twenty-four-x", "a-name-of-twenty-four-xxx", "a-name-",
        ]
      ),
    ] as [(StaticString, [String])])
  func nameIsToldFromOthers(name: StaticString, others: [String]) throws {
    #expect(try isKey(name, name.description))
    for other in others { #expect(try !isKey(name, other)) }
  }

  /// Whether the reader takes a name for another one: by its tag, and what that leaves open.
  ///
  /// It is written as it is and with an escape, near the end of the text and far from it.
  private func isKey(_ known: StaticString, _ name: String) throws -> Bool {
    let escaped = "\\u00" + String(name.utf8.first ?? 0, radix: 16) + name.dropFirst()
    let results = try [name, escaped].flatMap { spelling in
      try ["1", "1" + String(repeating: " ", count: 40)].map { value in
        try read("{\"\(spelling)\":\(value)}") { (reader) throws(JSONParseError) in
          try reader.beginObject()
          _ = try reader.nextKey()
          let word = known.description.utf8.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
          let tag = JSONReader.Key.tag(length: known.utf8CodeUnitCount, firstEight: word)
          let isSame = reader.key.tag == tag && reader.isKey(known)
          _ = try reader.readInteger()
          _ = try reader.nextKey()
          return isSame
        }
      }
    }
    try #require(Set(results).count == 1)
    return results[0]
  }

  @Test(arguments: [0, 1, 6, 7, 8, 15, 16, 17, 40], ["a", "b"])
  func nameHasOneTagHoweverItIsWritten(length: Int, first: String) throws {
    let name = String((first + "-defghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz").prefix(length))
    let spellings = length == 0 ? [name] : [name, (first == "a" ? "\\u0061" : "\\u0062") + name.dropFirst()]
    let tags = try spellings.flatMap { spelling in
      try ["", String(repeating: " ", count: 40)].map { rest in
        try read("{\"\(spelling)\"\(rest):1}") { (reader) throws(JSONParseError) in
          try reader.beginObject()
          _ = try reader.nextKey()
          let tag = reader.key.tag
          _ = try reader.readInteger()
          _ = try reader.nextKey()
          return tag
        }
      }
    }
    let seven = name.utf8.prefix(7).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    #expect(Set(tags) == [seven << 8 | UInt64(length)])
  }

  @Test func readerGoesBackToAMark() throws {
    let twice = try read("[1,2]") { (reader) throws(JSONParseError) in
      let mark = reader.mark
      let first = try reader.readValue()
      reader.rewind(to: mark)
      return [first, try reader.readValue()]
    }
    #expect(twice == [[1, 2], [1, 2]])
  }

  @Test func nullIsSkipped() throws {
    let skipped = try read("[null,1]") { (reader) throws(JSONParseError) in
      try reader.beginArray()
      var skipped: [Bool] = []
      while try reader.nextElement() {
        skipped.append(try reader.skipNull())
        if skipped.last == false { _ = try reader.readInteger() }
      }
      return skipped
    }
    #expect(skipped == [true, false])
  }
}

/// Members of an object that is read as a whole.
struct JSONMembersTests {
  private let members: JSONValue = ["text": "a", "null": .null, "number": 1]

  @Test func memberIsReadByItsKind() throws {
    let members = try #require(JSONMembers(members))
    #expect(try members.required("text", \.string) == "a")
    #expect(try members.optional("text", \.string) == "a")
    #expect(try members.optional("null", \.string) == nil)
    #expect(try members.optional("missing", \.string) == nil)
  }

  @Test(arguments: ["number", "null", "missing"]) func memberOfAnotherKindIsNamed(_ name: String) throws {
    let members = try #require(JSONMembers(members))
    #expect(try #require(throws: JSONMembers.Mismatch.self) { try members.required(name, \.string) }.name == name)
    if name == "number" {
      #expect(try #require(throws: JSONMembers.Mismatch.self) { try members.optional(name, \.string) }.name == name)
    }
  }

  @Test(arguments: [JSONValue.null, "a", 1, true, []]) func whatIsNoObjectHasNone(_ value: JSONValue) {
    #expect(JSONMembers(value) == nil)
  }

  @Test(
    arguments: [
      ([], []), (["a", "b"], ["a", "b"]), (["a", 1], nil), ("a", nil), (["a": "b"], nil), (.null, nil),
    ] as [(JSONValue, [String]?)])
  func stringsAreThoseOfAnArrayOfStrings(_ value: JSONValue, _ strings: [String]?) {
    #expect(value.strings == strings)
  }
}
