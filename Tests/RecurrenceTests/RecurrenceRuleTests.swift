// SPDX-License-Identifier: Apache-2.0

import Recurrence
import Testing
import Timekeeping

struct RecurrenceRuleTests {
  @Test func readsEveryPart() throws {
    let rule = try RecurrenceRule(
      "FREQ=YEARLY;UNTIL=20300228T093060Z;INTERVAL=2;BYSECOND=0,60;BYMINUTE=59;BYHOUR=23;BYDAY=MO,SU;BYMONTHDAY=31,-31;"
        + "BYYEARDAY=366,-366;BYWEEKNO=53,-53;BYMONTH=12,1;BYSETPOS=366,-366;WKST=SU")
    let date = try #require(CivilDate(year: 2030, month: 2, day: 28))
    let until = try #require(LocalDateTime(date, hour: 9, minute: 30, second: 59))
    let same = try RecurrenceRule(
      .yearly, interval: 2, end: .until(.utc(until)), bySecond: [0, 60], byMinute: [59], byHour: [23],
      byDay: [WeekdayNumber(.monday), WeekdayNumber(.sunday)], byMonthDay: [31, -31], byYearDay: [366, -366],
      byWeekNo: [53, -53], byMonth: [12, 1], bySetPos: [366, -366], weekStart: .sunday)
    #expect(rule == same)
    #expect(try RecurrenceRule("\(rule)") == rule)
  }

  @Test(arguments: [
    ("freq=monthly;byday=+2mo,-1Fr;interval=01;wkst=mo", "FREQ=MONTHLY;BYDAY=2MO,-1FR"),
    ("COUNT=3;FREQ=DAILY", "FREQ=DAILY;COUNT=3"), ("FREQ=WEEKLY;UNTIL=20300228", "FREQ=WEEKLY;UNTIL=20300228"),
    ("FREQ=WEEKLY;UNTIL=20300228t000000", "FREQ=WEEKLY;UNTIL=20300228T000000"),
    ("FREQ=YEARLY;BYDAY=53MO", "FREQ=YEARLY;BYDAY=53MO"),
    ("FREQ=SECONDLY;BYYEARDAY=1;BYMONTHDAY=1", "FREQ=SECONDLY;BYMONTHDAY=1;BYYEARDAY=1"),
  ])
  func writesInOneForm(text: String, written: String) throws {
    #expect(try RecurrenceRule(text).description == written)
  }

  @Test(
    arguments: [
      ("", .malformed, nil, 0), ("FREQ", .malformed, "FREQ", 0), ("FREQ=DAILY;", .malformed, nil, 11),
      ("COUNT=1", .missingFrequency, "FREQ", 0), ("FREQ=DAYLY", .unknownValue, "FREQ", 5),
      ("FREQ=DAILY;X-A=1", .unknownPart, "X-A", 11), ("FREQ=DAILY;RSCALE=GREGORIAN", .unknownPart, "RSCALE", 11),
      ("FREQ=DAILY;FREQ=DAILY", .repeatedPart, "FREQ", 11), ("FREQ=DAILY;COUNT=", .notANumber, "COUNT", 17),
      ("FREQ=DAILY;COUNT=0", .outOfRange(1...1_000_000_000, isSigned: false), "COUNT", 17),
      ("FREQ=DAILY;INTERVAL=-1", .notANumber, "INTERVAL", 20),
      ("FREQ=DAILY;INTERVAL=1000000001", .outOfRange(1...1_000_000_000, isSigned: false), "INTERVAL", 20),
      ("FREQ=DAILY;COUNT=99999999999999999999", .outOfRange(1...1_000_000_000, isSigned: false), "COUNT", 17),
      ("FREQ=DAILY;COUNT=1;UNTIL=20300101", .countAndUntil, "UNTIL", 19),
      ("FREQ=DAILY;UNTIL=20300101;COUNT=1", .countAndUntil, "COUNT", 26),
      ("FREQ=DAILY;UNTIL=20300230", .invalidTime, "UNTIL", 17),
      ("FREQ=DAILY;UNTIL=20300101T240000", .invalidTime, "UNTIL", 17),
      ("FREQ=DAILY;UNTIL=20300101ZZ", .unknownValue, "UNTIL", 25),
      ("FREQ=DAILY;BYMONTH=1,,2", .notANumber, "BYMONTH", 21),
      ("FREQ=DAILY;BYMONTH=1 ", .unknownValue, "BYMONTH", 20),
      ("FREQ=DAILY;BYMONTH=13", .outOfRange(1...12, isSigned: false), "BYMONTH", 19),
      ("FREQ=DAILY;BYMONTHDAY=0", .outOfRange(1...31, isSigned: true), "BYMONTHDAY", 22),
      ("FREQ=DAILY;BYMONTHDAY=1,-32", .outOfRange(1...31, isSigned: true), "BYMONTHDAY", 24),
      ("FREQ=DAILY;BYSECOND=61", .outOfRange(0...60, isSigned: false), "BYSECOND", 20),
      ("FREQ=DAILY;BYHOUR=24", .outOfRange(0...23, isSigned: false), "BYHOUR", 18),
      ("FREQ=DAILY;BYDAY=MO,XX", .unknownValue, "BYDAY", 20), ("FREQ=MONTHLY;BYDAY=-MO", .notANumber, "BYDAY", 19),
      ("FREQ=MONTHLY;BYDAY=54MO", .outOfRange(1...53, isSigned: true), "BYDAY", 19),
      ("FREQ=DAILY;WKST=MON", .unknownValue, "WKST", 16),
      ("FREQ=DAILY;BYDAY=1MO", .ordinal(.daily), "BYDAY", 11),
      ("FREQ=WEEKLY;BYDAY=1MO", .ordinal(.weekly), "BYDAY", 12),
      ("FREQ=YEARLY;BYWEEKNO=1;BYDAY=1MO", .ordinalWithWeekNumber, "BYDAY", 23),
      ("FREQ=WEEKLY;BYMONTHDAY=1", .frequency(.weekly), "BYMONTHDAY", 12),
      ("FREQ=DAILY;BYYEARDAY=1", .frequency(.daily), "BYYEARDAY", 11),
      ("FREQ=MONTHLY;BYWEEKNO=1", .frequency(.monthly), "BYWEEKNO", 13),
      ("FREQ=HOURLY;BYWEEKNO=1", .frequency(.hourly), "BYWEEKNO", 12),
      ("FREQ=DAILY;INTERVAL=2;BYSETPOS=1", .positionAlone, "BYSETPOS", 22),
    ] as [(String, RecurrenceError.Reason, String?, Int)])
  func saysWhatIsWrongAndWhere(text: String, reason: RecurrenceError.Reason, part: String?, offset: Int) throws {
    let error = try #require(throws: RecurrenceError.self) { try RecurrenceRule(text) }
    #expect(error.reason == reason)
    #expect(error.part == part)
    #expect(error.offset == offset)
    #expect(error.description.contains("at offset \(offset)"))
  }

  @Test func checksWhatIsNotReadFromAText() throws {
    let error = try #require(throws: RecurrenceError.self) { try RecurrenceRule(.daily, byHour: [9, 24]) }
    #expect(error.part == "BYHOUR" && error.offset == nil)
    #expect(throws: RecurrenceError.self) {
      try RecurrenceRule(.monthly, byDay: [WeekdayNumber(.monday, ordinal: 0)])
    }
  }

  @Test func changedRuleKeepsItsOtherParts() throws {
    let rule = try RecurrenceRule("FREQ=WEEKLY;COUNT=4;INTERVAL=2;BYDAY=MO;WKST=SU")
    #expect(try "\(rule.ending(.never))" == "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO;WKST=SU")
    let changed = try rule.with { parts in
      (parts.interval, parts.byDay) = (1, [WeekdayNumber(.friday)])
      parts.end = .count(2)
    }
    #expect("\(changed)" == "FREQ=WEEKLY;COUNT=2;BYDAY=FR;WKST=SU")
    #expect(throws: RecurrenceError.self) { try rule.ending(.count(0)) }
    #expect(throws: RecurrenceError.self) { try rule.with { $0.byMonthDay = [1] } }
  }

  /// Google serves such rules; days of the year are limited to those of the months.
  @Test func dayOfTheYearLimitsTheDaysOfMonths() throws {
    let rule = try RecurrenceRule("FREQ=MONTHLY;COUNT=3;BYYEARDAY=1,32,200")
    #expect(try RecurrenceSet(start: time("20260101"), rules: [rule]).shown(9) == ["20260101", "20260201", "20260719"])
  }
}
