// SPDX-License-Identifier: Apache-2.0

import Recurrence
import Testing
import Timekeeping

/// The messages of all errors: what is wrong, where, and what to do.
struct RecurrenceErrorTests {
  @Test(
    arguments: [
      (.missingFrequency, "there is no FREQ; begin the rule with one, such as FREQ=WEEKLY"),
      (.malformed, "write each part as NAME=VALUE with a semicolon between parts, and each line as NAME:VALUE"),
      (.unknownPart, "RFC 5545 has no such part; remove it"),
      (.repeatedPart, "the part is repeated; write it once, with a list of values if it allows one"),
      (.unknownValue, "the part has no such value; write one that RFC 5545 § 3.3.10 lists"),
      (.notANumber, "write a whole number here"),
      (.outOfRange(1...12, isSigned: false), "write a number from 1 to 12"),
      (
        .outOfRange(1...31, isSigned: true),
        "write a number from 1 to 31, or its negative to count from the end"
      ),
      (.countAndUntil, "COUNT and UNTIL exclude each other; remove one"),
      (.frequency(.weekly), "a WEEKLY rule cannot have this part; remove it, or change FREQ"),
      (
        .ordinal(.daily),
        "the days of a DAILY rule cannot have numbers; write MO instead of 1MO, or change FREQ to MONTHLY or YEARLY"
      ),
      (.ordinalWithWeekNumber, "days cannot have numbers together with BYWEEKNO; write MO instead of 1MO"),
      (.positionAlone, "BYSETPOS selects from another BY part; add one, or remove it"),
      (
        .invalidTime,
        "write a date that exists as 20260228, a time as 20260228T093000, or in UTC as 20260228T083000Z"
      ),
      (.unknownProperty, "write RRULE, EXRULE, RDATE or EXDATE"),
      (.valueType, "VALUE must be DATE or DATE-TIME and match the values; periods are not supported"),
      (
        .zone(ZoneError(.unknownIdentifier, "Mars/Olympus")),
        "The time zone database has no \"Mars/Olympus\"; check the name, or install the database (tzdata)"
      ),
      (
        .frequencyOfDays(.hourly),
        "whole days cannot recur HOURLY; give the series a time of day, or change FREQ to DAILY or longer"
      ),
      (.localUntil(isAllDay: true), "the series has whole days; write UNTIL as a date, such as 20260228"),
      (
        .localUntil(isAllDay: false),
        "the start has a time zone; write UNTIL in UTC, such as 20260228T083000Z, or as a date, such as 20260228"
      ),
      (
        .tooMuchWork,
        "finding the occurrences takes too much work; remove parts of the rule, or begin the series later"
      ),
      (.tooManyRules, "a series has at most 100 rules; write the dates as RDATE"),
    ] as [(RecurrenceError.Reason, String)])
  func reasonSaysWhatToDo(reason: RecurrenceError.Reason, text: String) {
    #expect(reason.description == text)
  }

  @Test(
    arguments: [
      (.unknownIdentifier, "The time zone database has no \"a\\nb\"; check the name, or install the database (tzdata)"),
      (.invalidIdentifier, "\"a\\nb\" is not the name of a time zone; write one such as Europe/Zurich"),
      (.unreadable(13), "The time zone \"a\\nb\" cannot be read (errno 13); check the database's files"),
      (.malformed, "The time zone \"a\\nb\" is damaged; reinstall the database (tzdata)"),
      (.leapSeconds, "The time zone \"a\\nb\" counts leap seconds; use the one without the prefix right/"),
    ] as [(ZoneError.Reason, String)])
  func zoneErrorQuotesTheName(reason: ZoneError.Reason, text: String) {
    #expect(ZoneError(reason, "a\nb").description == text)
  }

  @Test func zoneErrorKeepsTheBeginningOfALongName() {
    #expect(ZoneError(.malformed, String(repeating: "a", count: 256)).identifier.count == 255)
  }

  @Test(
    "The place is as exact as it is known",
    arguments: [
      ("", "at offset 0"), ("FREQ=DAILY;COUNT=", "in COUNT at offset 17"),
      ("FREQ=DAILY;\(String(repeating: "X", count: 33))=1", "in \(String(repeating: "X", count: 32)) at offset 11"),
    ])
  func placeOfAFaultInARule(text: String, place: String) throws {
    let error = try #require(throws: RecurrenceError.self) { try RecurrenceRule(text) }
    #expect(error.description == "The recurrence is not valid \(place): \(error.reason).")
  }

  @Test(
    arguments: [
      (["RRULE:FREQ=DAILY", "RDATE:2026"], "in RDATE of line 1 at offset 6"), ([":"], "of line 0 at offset 0"),
      ([String(repeating: "X", count: 33) + ":"], "in \(String(repeating: "X", count: 32)) of line 0 at offset 0"),
      (Array(repeating: "RRULE:FREQ=DAILY", count: 101), "in RRULE of line 100"),
    ])
  func placeOfAFaultInALine(lines: [String], place: String) throws {
    let error = try #require(throws: RecurrenceError.self) {
      try RecurrenceSet(start: time("20260302T090000"), lines: lines)
    }
    #expect(error.description == "The recurrence is not valid \(place): \(error.reason).")
  }

  @Test(
    "A rule that is not read from a text is checked alike",
    arguments: [
      (.count(0), 1, "COUNT"), (.count(1_000_000_001), 1, "COUNT"), (.never, 0, "INTERVAL"),
      (.never, 1_000_000_001, "INTERVAL"),
    ] as [(RecurrenceRule.End, Int, String)])
  func numberThatIsNotRead(end: RecurrenceRule.End, interval: Int, part: String) throws {
    let error = try #require(throws: RecurrenceError.self) {
      try RecurrenceRule(.daily, interval: interval, end: end)
    }
    #expect(error.reason == .outOfRange(1...1_000_000_000, isSigned: false))
    #expect(error.part == part && error.offset == nil && error.line == nil)
    #expect(try RecurrenceRule(.daily, interval: 1_000_000_000, end: .count(1_000_000_000)).interval == 1_000_000_000)
  }
}
