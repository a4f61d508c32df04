// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import TestSupport
import Testing

/// The cases of JSONTestSuite, from the table beside.
struct JSONTestSuiteTests {
  /// The texts that the suite leaves to the reader, and this reader accepts.
  ///
  /// Numbers of any size keep their digits, half surrogates become U+FFFD, a byte order mark is ignored. What is refused is not
  /// UTF-8 or is nested too deeply.
  private static let accepted: Set = [
    "number_double_huge_neg_exp", "number_huge_exp", "number_neg_int_huge_exp", "number_pos_double_huge_exp",
    "number_real_neg_overflow", "number_real_pos_overflow", "number_real_underflow", "number_too_big_neg_int",
    "number_too_big_pos_int", "number_very_big_negative_int", "object_key_lone_2nd_surrogate",
    "string_1st_surrogate_but_2nd_missing", "string_1st_valid_surrogate_2nd_invalid",
    "string_incomplete_surrogate_and_escape_valid", "string_incomplete_surrogate_pair",
    "string_incomplete_surrogates_escape_valid", "string_invalid_lonely_surrogate", "string_invalid_surrogate",
    "string_inverted_surrogates_U+1D11E", "string_lone_second_surrogate", "structure_UTF-8_BOM_empty_object",
  ]

  @Test(arguments: try JSONTestSuite.cases()) func aCaseIsReadAsTheSuiteWants(_ test: JSONTestSuite.Case) throws {
    let isAccepted = test.kind == "y" || test.kind == "i" && Self.accepted.contains(test.name)
    let value = try? JSONValue(json: test.text)
    #expect((value != nil) == isAccepted)
    #expect(value == PlainJSON.read(test.text))
    if let value { #expect(try JSONValue(json: value.json()) == value) }
  }

  @Test func noCaseIsMissing() throws {
    let kinds = try Dictionary(grouping: JSONTestSuite.cases(), by: \.kind).mapValues(\.count)
    #expect(kinds == ["y": 95, "n": 188, "i": 35])
    let free = try Set(JSONTestSuite.cases().filter { $0.kind == "i" }.map(\.name))
    #expect(Self.accepted.isSubset(of: free))
  }
}
