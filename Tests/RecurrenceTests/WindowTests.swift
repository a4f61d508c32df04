// SPDX-License-Identifier: Apache-2.0

import Recurrence
import TestSupport
import Testing
import Timekeeping

/// The occurrences of a span are those of the whole series that lie in it.
struct WindowTests {
  @Test(arguments: [
    "FREQ=YEARLY", "FREQ=YEARLY;BYMONTH=1,12;BYDAY=MO,-1SU", "FREQ=MONTHLY", "FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-1",
    "FREQ=MONTHLY;INTERVAL=5;BYMONTHDAY=1,-1", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE,SU",
    "FREQ=WEEKLY;BYDAY=MO,TU,WE;BYSETPOS=1;COUNT=60", "FREQ=WEEKLY;BYDAY=MO,TU;BYSETPOS=-1,1,2;COUNT=60",
    "FREQ=WEEKLY;BYDAY=MO,WE;COUNT=61", "FREQ=WEEKLY;BYDAY=MO,WE;BYMONTH=1,2,3;COUNT=30", "FREQ=DAILY;INTERVAL=3",
    "FREQ=DAILY;BYHOUR=8,9,17;BYSETPOS=1,-1;COUNT=99", "FREQ=DAILY;BYHOUR=8,9,17;COUNT=99",
    "FREQ=DAILY;BYDAY=MO;COUNT=40", "FREQ=HOURLY;INTERVAL=25;COUNT=400", "FREQ=HOURLY;BYMINUTE=0,30;COUNT=400",
    "FREQ=HOURLY;INTERVAL=12;BYHOUR=9,21;COUNT=400", "FREQ=MINUTELY;INTERVAL=1439;COUNT=300",
    "FREQ=SECONDLY;INTERVAL=86399;COUNT=300", "FREQ=DAILY;UNTIL=20270302T081500Z",
  ])
  func spanHasWhatTheSeriesHasInIt(rule: String) throws {
    let zurich = try TwoZones().zone("Europe/Zurich")
    let start = try time("20260302T091500", in: zurich)
    let set = try RecurrenceSet(start: start, rules: [RecurrenceRule(rule)])
    let end = try Timestamp(rfc3339: "2028-03-02T00:00:00Z")
    let all = set.occurrences.prefix { $0.timestamp < end }.map(\.timestamp)
    try #require(all.count > 1)
    var numbers = SeededNumbers(seed: 3)
    for _ in 0..<40 {
      let from = all[0] + .seconds(Int.random(in: -100_000..<70_000_000, using: &numbers))
      let to = from + .seconds(Int.random(in: 0..<20_000_000, using: &numbers))
      let expected = all.filter { $0 >= from && $0 < min(to, end) }
      #expect(set.occurrences(from: from, to: min(to, end)).map(\.timestamp) == expected, "\(from) to \(to)")
    }
    for (index, instant) in all.enumerated().prefix(5) {
      #expect(set.occurrences(from: instant, to: instant).map(\.timestamp) == [])
      #expect(set.occurrences(from: instant, to: instant + .seconds(1)).map(\.timestamp) == [instant])
      let next = all[index + 1 == all.count ? index : index + 1]
      #expect(set.occurrences(from: instant, to: next).map(\.timestamp) == (next == instant ? [] : [instant]))
    }
  }

  @Test(
    "A series goes on to the last day of the calendar, and no further",
    arguments: [
      ("FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=31", 2), ("FREQ=MONTHLY;BYMONTHDAY=-1", 13), ("FREQ=MONTHLY", 8),
      ("FREQ=DAILY", 366), ("FREQ=WEEKLY;BYDAY=FR", 54), ("FREQ=DAILY;INTERVAL=365", 2),
      ("FREQ=HOURLY;INTERVAL=24", 366),
      ("FREQ=HOURLY;INTERVAL=8760", 2),
    ])
  func lastDay(rule: String, count: Int) throws {
    // A Thursday, which counts as the start; 31 December 9999 is a Friday.
    let set = try RecurrenceSet(start: time("99981231T090000"), lines: ["RRULE:" + rule])
    let shown = set.shown(1000)
    #expect(shown.count == count)
    #expect(shown.last == "99991231T090000")
  }

  /// ISO 8601 with any first day of the week: a week belongs to the year that has its fourth day.
  @Test(
    arguments: [1, 2, 52, 53, -1, -2, -52, -53], [Weekday.monday, .tuesday, .thursday, .saturday, .sunday])
  func weekNumberCountsFromBothEndsOfItsYear(number: Int, weekStart: Weekday) throws {
    func week(of day: CivilDate) -> (number: Int, count: Int) {
      let sinceStart = (day.weekday.rawValue - weekStart.rawValue + 7) % 7
      let fourth = day.adding(days: 3 - sinceStart)
      let yearDay = fourth.daysSince1970 - (CivilDate(year: fourth.year, month: 1, day: 1) ?? .min).daysSince1970
      let length = CivilDate(year: fourth.year, month: 2, day: 29) == nil ? 365 : 366
      return (yearDay / 7 + 1, (length - 1 - yearDay % 7) / 7 + 1)
    }
    let first = try #require(CivilDate(year: 1998, month: 1, day: 1))
    let expected = (0..<365 * 30).map { first.adding(days: $0) }.filter {
      let (own, count) = week(of: $0)
      return own == (number > 0 ? number : count + 1 + number)
    }
    let rule = try RecurrenceRule(
      .yearly, byDay: Weekday.allCases.map { WeekdayNumber($0) }, byWeekNo: [number], weekStart: weekStart)
    var set = try RecurrenceSet(start: .date(first), rules: [rule])
    set.includesStart = false
    #expect(
      set.occurrences(from: first, to: first.adding(days: 365 * 30)).map(\.date) == expected)
  }
}
