// SPDX-License-Identifier: Apache-2.0

import Recurrence
import Testing
import Timekeeping

/// The messages of errors: what is wrong, and where.
struct RecurrenceErrorTests {
  @Test func everyReasonHasItsOwnText() {
    let reasons: [RecurrenceError.Reason] = [
      .missingFrequency, .malformed, .unknownPart, .repeatedPart, .unknownValue, .notANumber, .countAndUntil,
      .outOfRange(1...12, isSigned: false), .outOfRange(1...12, isSigned: true), .frequency(.weekly), .ordinal(.daily),
      .ordinalWithWeekNumber, .positionAlone, .invalidTime, .unknownProperty, .valueType, .frequencyOfDays(.hourly),
      .localUntil(isAllDay: true), .localUntil(isAllDay: false), .tooMuchWork, .tooManyRules,
      .zone(ZoneError(.unknownIdentifier, "Mars/Olympus")),
    ]
    #expect(Set(reasons.map(\.description)).count == reasons.count)
    #expect(reasons.allSatisfy { $0.description.contains(" ") })
    for (reason, word) in [
      (reasons[7], "1 to 12"), (.frequency(.weekly), "WEEKLY"), (.ordinal(.daily), "DAILY"),
      (.frequencyOfDays(.hourly), "HOURLY"), (.tooManyRules, "100"), (reasons[21], "Mars/Olympus"),
    ] as [(RecurrenceError.Reason, String)] {
      #expect(reason.description.contains(word))
    }
  }

  @Test func zoneErrorQuotesTheName() {
    let reasons: [ZoneError.Reason] = [
      .unknownIdentifier, .invalidIdentifier, .unreadable(13), .malformed, .leapSeconds,
    ]
    let texts = reasons.map { ZoneError($0, "a\nb").description }
    #expect(texts.allSatisfy { $0.contains(#""a\nb""#) })
    #expect(Set(texts).count == reasons.count)
  }

  @Test func descriptionIsTheLocalizedDescription() throws {
    let zone = ZoneError(.malformed, "Europe/Zurich")
    #expect(zone.errorDescription == zone.description)
    let rule = try #require(throws: RecurrenceError.self) { try RecurrenceRule("FREQ=SOMETIMES") }
    #expect(rule.errorDescription == rule.description)
  }

  @Test func zoneErrorKeepsTheBeginningOfALongName() {
    #expect(ZoneError(.malformed, String(repeating: "a", count: 256)).identifier.count == 255)
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
