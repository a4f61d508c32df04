// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import Timekeeping

struct RFC3339Tests {
  @Test(arguments: [
    ("1985-04-12T23:20:50.52Z", 482_196_050, 520_000_000),
    ("1996-12-19T16:39:57-08:00", 851_042_397, 0),
    ("1990-12-31T23:59:60Z", 662_688_000, 0),
    ("1990-12-31T15:59:60-08:00", 662_688_000, 0),
    ("1937-01-01T12:00:27.87+00:20", -1_041_337_173, 870_000_000),
    ("0000-01-01T00:00:00Z", -62_167_219_200, 0),
    ("9999-12-31T23:59:59.999999999999z", 253_402_300_799, 999_999_999),
    ("2000-02-29t00:00:00-00:00", 951_782_400, 0),
  ])
  func readsDateTimes(text: String, seconds: Int64, nanoseconds: Int32) throws {
    #expect(try Timestamp(rfc3339: text) == Timestamp(secondsSince1970: seconds, nanoseconds: nanoseconds))
  }

  @Test(arguments: [
    ("", RFC3339ParseError.Reason.truncated, 0),
    ("2026-02-28", .truncated, 10),
    ("2026-02-28T09:30:00", .truncated, 19),
    ("2026-02-28T09:30:00.", .truncated, 20),
    ("2026-02-28T09:30:00.Z", .unexpectedCharacter, 20),
    ("2026-02-28 09:30:00Z", .unexpectedCharacter, 10),
    ("2026-02-30T09:30:00Z", .day, 8),
    ("1900-02-29T09:30:00Z", .day, 8),
    ("2026-13-01T09:30:00Z", .month, 5),
    ("2026-00-01T09:30:00Z", .month, 5),
    ("2026-01-00T09:30:00Z", .day, 8),
    ("2026-01-01T24:00:00Z", .hour, 11),
    ("2026-01-01T00:60:00Z", .minute, 14),
    ("2026-01-01T00:00:61Z", .second, 17),
    ("2026-01-01T00:00:60Z", .second, 17),
    ("2026-06-29T23:59:60Z", .second, 17),
    ("2026-01-01T00:00:00Zjunk", .trailingCharacters, 20),
    ("2026-01-01T00:00:00+01:00Z", .trailingCharacters, 25),
    ("2026-01-01T00:00:00+24:00", .offset, 19),
    ("2026-01-01T00:00:00+23:60", .offset, 19),
    ("2026-01-01T00:00:00+0100", .unexpectedCharacter, 22),
    ("2026-01-01T00:00:00.5+01", .truncated, 24),
    ("+026-01-01T00:00:00Z", .unexpectedCharacter, 0),
    ("2026-01-01T00:00:0aZ", .unexpectedCharacter, 18),
    ("2026-1-01T00:00:00.0Z", .unexpectedCharacter, 6),
    ("2026-01-01T00:00:00.1/Z", .unexpectedCharacter, 21), ("2026-01-01T00:00:00.1:Z", .unexpectedCharacter, 21),
    ("2026.01-01T00:00:00Z", .unexpectedCharacter, 4), ("2026-01-01T00-00:00Z", .unexpectedCharacter, 13),
    ("2026-01-01U00:00:00Z", .unexpectedCharacter, 10), ("2026-01-01T00:00:00X", .unexpectedCharacter, 19),
  ])
  func saysWhatIsWrongAndWhere(text: String, reason: RFC3339ParseError.Reason, offset: Int) throws {
    let error = try #require(throws: RFC3339ParseError.self) { try Timestamp(rfc3339: text) }
    #expect(error.reason == reason)
    #expect(error.offset == offset)
    #expect(error.description.contains("at offset \(offset).") && error.errorDescription == error.description)
  }

  /// The characters beside the digits, and the largest digit, at every place of one.
  @Test func everyDigitIsChecked() throws {
    let text = Array("2026-01-01T00:00:00+00:00".utf8)
    let largest: [Int: RFC3339ParseError] = [
      5: RFC3339ParseError(.month, at: 5), 8: RFC3339ParseError(.day, at: 8), 11: RFC3339ParseError(.hour, at: 11),
      14: RFC3339ParseError(.minute, at: 14), 17: RFC3339ParseError(.second, at: 17),
      20: RFC3339ParseError(.offset, at: 19), 23: RFC3339ParseError(.offset, at: 19),
    ]
    for index in text.indices where text[index] >= UInt8(ascii: "0") && text[index] <= UInt8(ascii: "9") {
      for byte in "/:".utf8 {
        var changed = text
        changed[index] = byte
        let error = RFC3339ParseError(.unexpectedCharacter, at: index)
        #expect(throws: error) { try Timestamp(rfc3339: changed.span) }
        if index < 10 { #expect(throws: error) { try CivilDate(rfc3339: Array(changed.prefix(10)).span) } }
      }
      var changed = text
      changed[index] = UInt8(ascii: "9")
      if let error = largest[index] {
        #expect(throws: error) { try Timestamp(rfc3339: changed.span) }
      } else {
        _ = try Timestamp(rfc3339: changed.span)
      }
    }
  }

  @Test(arguments: [
    "2026-02-28T09:30:00Z", "2026-02-28T09:30:00.250Z", "2026-02-28T09:30:00.000001+01:00",
    "1969-12-31T23:59:59.999999999-23:59", "0000-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59",
    "2026-02-28T09:30:00+00:01", "2026-02-28T09:30:00-00:01", "2026-02-28T09:30:00.100-10:09",
  ])
  func writesWhatItRead(text: String) throws {
    #expect(try OffsetDateTime(rfc3339: text).description == text)
  }

  @Test func keepsTheOffset() throws {
    let time = try OffsetDateTime(rfc3339: "2026-03-01T00:30:15+05:45")
    #expect(time.offsetSeconds == 20_700)
    #expect(time.timestamp == (try Timestamp(rfc3339: "2026-02-28T18:45:15Z")))
    #expect(time.date == CivilDate(year: 2026, month: 3, day: 1))
    #expect((time.hour, time.minute, time.second) == (0, 30, 15))
    let late = try OffsetDateTime(rfc3339: "2026-03-01T23:47:59-01:30")
    #expect((late.hour, late.minute, late.second) == (23, 47, 59))
  }

  @Test func readsASpaceOnlyWhereAsked() throws {
    let text = "2026-02-28 09:30:00Z"
    #expect(throws: RFC3339ParseError.self) { try OffsetDateTime(rfc3339: text) }
    #expect(try OffsetDateTime(rfc3339: text, allowingSpace: true).description == "2026-02-28T09:30:00Z")
    #expect(try Timestamp(rfc3339: text, allowingSpace: true) == Timestamp(rfc3339: "2026-02-28T09:30:00Z"))
    #expect(try Timestamp(rfc3339: text.dropFirst(0), allowingSpace: true).description == "2026-02-28T09:30:00Z")
    #expect(try Timestamp(rfc3339: Array(text.utf8).span, allowingSpace: true).description == "2026-02-28T09:30:00Z")
  }

  @Test(arguments: [
    (0, "2026-02-28T09:30:00Z"), (1, "2026-02-28T09:30:00.1Z"), (4, "2026-02-28T09:30:00.1239Z"),
    (9, "2026-02-28T09:30:00.123987654Z"), (12, "2026-02-28T09:30:00.123987654Z"), (-1, "2026-02-28T09:30:00Z"),
  ])
  func cutsTheFractionWhereAsked(digits: Int, text: String) throws {
    let time = try Timestamp(rfc3339: "2026-02-28T09:30:00.123987654Z")
    #expect(time.rfc3339(fractionDigits: digits) == text)
    var bytes = Array("at ".utf8)
    time.appendRFC3339(to: &bytes, fractionDigits: digits)
    #expect(String(decoding: bytes, as: UTF8.self) == "at " + text)
  }

  @Test(arguments: [
    (Int64.max, "9999-12-31T23:59:59Z"), (253_402_300_800, "9999-12-31T23:59:59Z"),
    (253_402_300_799, "9999-12-31T23:59:59Z"), (.min, "0000-01-01T00:00:00Z"),
    (-62_167_219_201, "0000-01-01T00:00:00Z"), (-62_167_219_200, "0000-01-01T00:00:00Z"),
  ])
  func writesTheNearestInstantThatCanBeWritten(seconds: Int64, text: String) {
    #expect(Timestamp(secondsSince1970: seconds).rfc3339() == text)
    #expect(
      OffsetDateTime(Timestamp(secondsSince1970: seconds), offsetSeconds: 60)?.rfc3339().hasSuffix("+00:01") == true)
  }

  @Test(arguments: [1, 59, 86_400, -86_400, .max, .min])
  func refusesAnOffsetThatCannotBeWritten(seconds: Int) {
    #expect(OffsetDateTime(.unixEpoch, offsetSeconds: seconds) == nil)
  }

  @Test func isASingleStringInJSON() throws {
    let time = try OffsetDateTime(rfc3339: "2026-02-28T09:30:00.500+01:00")
    let day = try CivilDate(rfc3339: "2026-02-28")
    #expect(try roundTrip(time, ##"["2026-02-28T09:30:00.500+01:00"]"##) == time)
    #expect(try roundTrip(time.timestamp, ##"["2026-02-28T08:30:00.500Z"]"##) == time.timestamp)
    #expect(try roundTrip(day, ##"["2026-02-28"]"##) == day)
    let error = try #require(throws: DecodingError.self) {
      try JSONDecoder().decode([CivilDate].self, from: Data(##"["2026-02-29"]"##.utf8))
    }
    #expect("\(error)".contains("offset 8"))
  }

  private func roundTrip<Value: Codable>(_ value: Value, _ json: String) throws -> Value? {
    let data = try JSONEncoder().encode([value])
    #expect(String(decoding: data, as: UTF8.self) == json)
    return try JSONDecoder().decode([Value].self, from: data).first
  }
}
