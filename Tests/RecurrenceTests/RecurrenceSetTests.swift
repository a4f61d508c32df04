// SPDX-License-Identifier: Apache-2.0

import Recurrence
import Testing
import Timekeeping

struct RecurrenceSetTests {
  @Test func readsTheLinesOfAnEvent() throws {
    let lines = [
      "RRULE:FREQ=WEEKLY;COUNT=4;BYDAY=MO", "RRULE:FREQ=MONTHLY;COUNT=2;BYMONTHDAY=1",
      "EXRULE:FREQ=MONTHLY;BYMONTHDAY=9", "RDATE;TZID=America/New_York:20260303T060000,20260304T060000",
      "RDATE:20260305T110000Z", "EXDATE;TZID=Europe/Zurich:20260316T090000", "EXDATE;VALUE=DATE:20260304",
    ]
    let zurich = try TwoZones().zone("Europe/Zurich")
    let set = try RecurrenceSet(start: time("20260302T090000", in: zurich), lines: lines, zones: TwoZones())
    #expect(set.lines == lines)
    #expect(set.rules.count == 2 && set.exclusionRules.count == 1 && set.dates.count == 3)
    #expect(
      set.shown(99) == [
        "20260302T090000", "20260303T120000", "20260305T120000", "20260323T090000", "20260401T090000",
      ], "The start counts for both rules.")
    #expect(try RecurrenceSet(start: set.start, lines: set.lines, zones: TwoZones()) == set)
  }

  @Test(arguments: [
    ("rrule;x-a=\"b:c;d\",e:FREQ=DAILY;COUNT=2", "RRULE:FREQ=DAILY;COUNT=2"),
    ("RRULE;VALUE=RECUR:FREQ=DAILY;COUNT=2", "RRULE:FREQ=DAILY;COUNT=2"),
    ("RDATE;VALUE=DATE-TIME:20260302T090000", "RDATE;TZID=Europe/Zurich:20260302T090000"),
    ("EXDATE:20260302", "EXDATE;VALUE=DATE:20260302"),
    ("EXDATE;tzid=\"America/New_York\":20260302T090000", "EXDATE;TZID=America/New_York:20260302T090000"),
  ])
  func writesInOneForm(line: String, written: String) throws {
    let start = try time("20260302T090000", in: TwoZones().zone("Europe/Zurich"))
    #expect(try RecurrenceSet(start: start, lines: [line], zones: TwoZones()).lines == [written])
  }

  @Test(
    arguments: [
      ("", .malformed, nil, 0), ("RRULE", .malformed, "RRULE", 5), ("RRULE;X:FREQ=DAILY", .malformed, "X", 6),
      ("DTSTART:20260302T090000", .unknownProperty, "DTSTART", 0),
      ("RRULE:FREQ=DAILY;COUNT=0", .outOfRange(1...1_000_000_000, isSigned: false), "COUNT", 23),
      ("RRULE:COUNT=1", .missingFrequency, "FREQ", 6), ("RDATE:2026", .invalidTime, "RDATE", 6),
      ("RDATE:20260302 ", .invalidTime, "RDATE", 14),
      ("EXDATE;TZID=\"Europe/Zurich:20260302", .malformed, "EXDATE", 12),
      ("RDATE;VALUE=PERIOD:20260302T090000Z/PT1H", .valueType, "VALUE", 6),
      ("EXDATE;VALUE=DATE:20260302T090000", .valueType, "EXDATE", 18),
      ("EXDATE;TZID=Mars/Olympus:20260302T090000", .zone(ZoneError(.unknownIdentifier, "Mars/Olympus")), "TZID", nil),
    ] as [(String, RecurrenceError.Reason, String?, Int?)])
  func saysWhatIsWrongAndWhere(line: String, reason: RecurrenceError.Reason, part: String?, offset: Int?) throws {
    let error = try #require(throws: RecurrenceError.self) {
      try RecurrenceSet(start: time("20260302T090000"), lines: ["RRULE:FREQ=DAILY", line], zones: TwoZones())
    }
    #expect(error.reason == reason)
    #expect(error.part == part)
    #expect(error.offset == offset)
    #expect(error.line == 1)
  }

  @Test func boundsTheRules() throws {
    let lines = Array(repeating: "RRULE:FREQ=DAILY", count: 101)
    #expect(
      try RecurrenceSet(start: time("20260302"), lines: Array(lines.dropLast())).shown(2) == ["20260302", "20260303"])
    let error = try #require(throws: RecurrenceError.self) { try RecurrenceSet(start: time("20260302"), lines: lines) }
    #expect(error.reason == .tooManyRules)
  }

  @Test func daysDoNotRecurWithinADay() throws {
    let error = try #require(throws: RecurrenceError.self) {
      try RecurrenceSet(start: time("20260302"), lines: ["RRULE:FREQ=HOURLY"])
    }
    #expect(error.reason == .frequencyOfDays(.hourly))
    let set = try RecurrenceSet(
      start: time("20260302"), lines: ["RRULE:FREQ=DAILY;BYHOUR=9;COUNT=2", "EXDATE:20260302T120000Z"])
    #expect(set.shown(9) == ["20260303"], "§ 3.3.10: BYHOUR is ignored for a DATE.")
  }

  @Test(
    "UNTIL is inclusive, and in UTC or a date",
    arguments: [
      ("20260304T080000Z", 3), ("20260304T075959Z", 2), ("20260304", 3), ("20260303", 2),
      ("20260304T090000", nil), ("20260304T000000", nil),
    ])
  func until(text: String, count: Int?) throws {
    let zurich = try TwoZones().zone("Europe/Zurich")
    for (start, isUTC) in [("20260302T090000", false), ("20260302T080000", true), ("20260302", true)] {
      let start = try time(start, in: isUTC ? nil : zurich)
      for property in ["RRULE", "EXRULE"] {
        let lines = ["RDATE:20260302", "\(property):FREQ=DAILY;UNTIL=\(text)"]
        guard let count else {
          let error = try #require(throws: RecurrenceError.self) { try RecurrenceSet(start: start, lines: lines) }
          #expect(error.reason == .localUntil(isAllDay: start.isAllDay) && error.part == "UNTIL" && error.line == 1)
          continue
        }
        let set = try RecurrenceSet(start: start, lines: lines)
        if property == "EXRULE" { continue }
        #expect(
          set.shown(9).count == (start.isAllDay ? (text < "20260304" ? 2 : 3) : count), "Days end with their day.")
      }
    }
  }

  @Test func aStartThatNoRuleNamesIsTheFirstOccurrence() throws {
    var set = try RecurrenceSet(start: time("20260302T090000"), lines: ["RRULE:FREQ=WEEKLY;BYDAY=WE;COUNT=3"])
    #expect(set.shown(9) == ["20260302T090000", "20260304T090000", "20260311T090000"])
    set.includesStart = false
    #expect(set.shown(9) == ["20260304T090000", "20260311T090000", "20260318T090000"])
  }

  @Test func ofEqualInstantsThereIsOne() throws {
    let set = try RecurrenceSet(
      start: time("20260302T090000"),
      lines: [
        "RRULE:FREQ=DAILY;COUNT=3", "RRULE:FREQ=DAILY;INTERVAL=2;COUNT=3", "RDATE:20260303T090000Z,20260303T090000Z",
      ])
    #expect(set.shown(9).map { $0.prefix(8) } == ["20260302", "20260303", "20260304", "20260306"])
  }

  @Test(
    "A rule that never matches ends",
    arguments: [
      "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30",
      "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
      "FREQ=DAILY;INTERVAL=7;BYDAY=TU", "FREQ=HOURLY;INTERVAL=168;BYDAY=TU", "FREQ=HOURLY;INTERVAL=24;BYHOUR=8",
      "FREQ=MINUTELY;INTERVAL=2;BYMINUTE=1", "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30",
      "FREQ=SECONDLY;INTERVAL=2;BYSECOND=1",
      "FREQ=SECONDLY;INTERVAL=604800;BYDAY=TU", "FREQ=SECONDLY;BYSETPOS=2;BYSECOND=0,1",
      "FREQ=MINUTELY;BYSECOND=0,30;BYSETPOS=3",
      "FREQ=YEARLY;BYYEARDAY=366;BYMONTH=1", "FREQ=YEARLY;BYWEEKNO=53;BYMONTH=6", "FREQ=MONTHLY;BYDAY=6MO",
      "FREQ=WEEKLY;BYDAY=MO;BYSETPOS=2", "FREQ=YEARLY;INTERVAL=1000000000;BYMONTH=2;BYMONTHDAY=30",
      "FREQ=SECONDLY;INTERVAL=86399;BYHOUR=5;BYMINUTE=0;BYSECOND=0;BYMONTH=2;BYMONTHDAY=30",
    ])
  func neverMatches(rule: String) throws {
    var set = try RecurrenceSet(start: time("20260302T090000"), rules: [RecurrenceRule(rule)])
    set.includesStart = false
    #expect(set.shown(1).isEmpty)
    set.includesStart = true
    #expect(set.shown(2) == ["20260302T090000"])
  }

  @Test func endsWithTheCalendar() throws {
    for rule in ["FREQ=WEEKLY", "FREQ=MONTHLY", "FREQ=YEARLY;INTERVAL=1000000000", "FREQ=SECONDLY;INTERVAL=1000000000"]
    {
      let set = try RecurrenceSet(start: time("99991201T235959"), lines: ["RRULE:" + rule])
      #expect((1...5).contains(set.shown(99).count))
    }
  }

  @Test func theLastWeekOfALeapYearReachesIntoTheNext() throws {
    // 2004 began on a Thursday: its week 53 ends on 2 January 2005.
    var set = try RecurrenceSet(start: time("20041225"), lines: ["RRULE:FREQ=YEARLY;BYWEEKNO=53"])
    set.includesStart = false
    #expect(set.shown(3) == ["20050101", "20100102", "20160102"])
  }

  @Test func aLeapSecondIsTheSecondBefore() throws {
    var set = try RecurrenceSet(start: time("20261231T235900"), lines: ["RRULE:FREQ=DAILY;BYSECOND=60"])
    set.includesStart = false
    #expect(set.shown(1) == ["20261231T235959"], "§ 3.3.12")
  }

  @Test func leapDaysComeInLeapYears() throws {
    #expect(
      try RecurrenceSet(start: time("18960229"), lines: ["RRULE:FREQ=YEARLY"]).shown(3)
        == ["18960229", "19040229", "19080229"], "1900 has none.")
    #expect(
      try RecurrenceSet(start: time("20240229"), lines: ["RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1"]).shown(3)
        == ["20240229", "20250228", "20260228"])
    #expect(
      try RecurrenceSet(start: time("20240131"), lines: ["RRULE:FREQ=MONTHLY"]).shown(3)
        == ["20240131", "20240331", "20240531"])
  }

  @Test func findsARangeWithoutAWalk() throws {
    let start = try time("19700101T000000")
    let first = try Timestamp(rfc3339: "9000-01-01T00:00:00.5Z")
    let end = first + .seconds(2)
    for rule in ["FREQ=SECONDLY", "FREQ=SECONDLY;BYHOUR=0", "FREQ=SECONDLY;INTERVAL=1;COUNT=1000000000"] {
      let set = try RecurrenceSet(start: start, lines: ["RRULE:" + rule])
      let found = set.occurrences(from: first, to: end).map { $0.timestamp.rfc3339() }
      #expect(found == (rule.contains("COUNT") ? [] : ["9000-01-01T00:00:01Z", "9000-01-01T00:00:02Z"]))
    }
    let counted = try RecurrenceSet(start: start, lines: ["RRULE:FREQ=SECONDLY;COUNT=1000000000"])
    let last = Timestamp(secondsSince1970: 999_999_999)
    #expect(counted.occurrences(from: last).map(\.timestamp) == [last])
    let daily = try RecurrenceSet(start: time("00000101T120000"), lines: ["RRULE:FREQ=DAILY;BYHOUR=6,18;COUNT=1000001"])
    #expect(daily.occurrences(from: Timestamp(secondsSince1970: -20_000_000_000)).map(\.local).last?.hour == 6)
  }

  @Test func aRangeOfDaysIsOnTheClocksOfTheSeries() throws {
    let zurich = try TwoZones().zone("Europe/Zurich")
    let set = try RecurrenceSet(start: time("20260327T003000", in: zurich), lines: ["RRULE:FREQ=DAILY"])
    let first = try CivilDate(rfc3339: "2026-03-29")
    #expect(
      set.occurrences(from: first, to: first.adding(days: 2)).map(\.date.description) == ["2026-03-29", "2026-03-30"])
    #expect(set.occurrences(from: first, to: first).map(\.date).isEmpty)
  }
}
