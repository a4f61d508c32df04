// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import TestSupport
import Testing

@Suite struct MergePatchTests {
  private static func value(_ text: String) throws -> JSONValue { try JSONValue(json: Array(text.utf8)) }

  /// The cases of RFC 7396, appendix A.
  @Test(
    arguments: [
      (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
      (#"{"a":"b"}"#, #"{"a":null}"#, "{}"), (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
      (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
      (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
      (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#), (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
      (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#), (#"{"a":"foo"}"#, "null", "null"), (#"{"a":"foo"}"#, #""bar""#, #""bar""#),
      (#"{"e":null}"#, #"{"a":1}"#, #"{"a":1,"e":null}"#), ("[1,2]", #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
      ("{}", #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
    ])
  func aPatchIsApplied(to original: String, patch: String, result: String) throws {
    #expect(try Self.value(original).applying(mergePatch: Self.value(patch)) == Self.value(result))
  }

  /// Objects with no `null`, which a patch cannot set.
  private static func object(_ numbers: inout SeededNumbers, depth: Int) -> JSONValue {
    var members: [String: JSONValue] = [:]
    for name in ["a", "b", "c"] where Bool.random(using: &numbers) {
      members[name] =
        depth > 0 && Bool.random(using: &numbers)
        ? object(&numbers, depth: depth - 1) : .number(JSONNumber(Int.random(in: 0..<3, using: &numbers)))
    }
    return .object(members)
  }

  @Test func theDifferenceOfTwoValuesMakesOneOfTheOther() {
    var numbers = SeededNumbers(seed: 7396)
    for _ in 0..<2_000 {
      let (old, new) = (Self.object(&numbers, depth: 3), Self.object(&numbers, depth: 3))
      #expect(old.applying(mergePatch: new.mergePatch(from: old)) == new)
    }
  }

  @Test func namedMembersAreLeftOut() throws {
    let (old, new) = (try Self.value(#"{"a":1,"b":1,"c":{"b":1}}"#), try Self.value(#"{"b":2,"c":{"b":2},"d":1}"#))
    #expect(new.mergePatch(from: old, leaving: ["b", "a", "d"]) == (try Self.value(#"{"c":{"b":2}}"#)))
  }
}
