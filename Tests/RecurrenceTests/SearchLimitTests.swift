// SPDX-License-Identifier: Apache-2.0

import Foundation
import Recurrence
import TestSupport
import Testing
import Timekeeping

/// A rule of a few bytes may name a time that is found only after billions of looks, or none at all.
@Suite(.hangLimit) struct SearchLimitTests {
  private static let start = "20260302T091500"
  /// 1 January 2100.
  private static let later = Timestamp(secondsSince1970: 4_102_444_800)

  private func set(_ rule: String, excluding exclusion: String? = nil) throws -> RecurrenceSet {
    try RecurrenceSet(
      start: time(Self.start, in: TwoZones().zone("Europe/Zurich")), rules: [RecurrenceRule(rule)],
      exclusionRules: exclusion.map { [try RecurrenceRule($0)] } ?? [])
  }

  private func end(of occurrences: Occurrences, after count: Int) -> Occurrences.Iterator.End? {
    var iterator = occurrences.makeIterator()
    for _ in 0..<count where iterator.next() == nil { break }
    return iterator.end
  }

  @Test(arguments: [
    // Every second of an hour a day is counted, for 74 years.
    "FREQ=SECONDLY;COUNT=1000000000;BYHOUR=1", "FREQ=MINUTELY;COUNT=1000000000;BYMONTH=1,2,3,4,5,6,7,8,9,10,11,12",
    "FREQ=HOURLY;COUNT=1000000000;BYDAY=MO,TU,WE,TH,FR,SA,SU",
    "FREQ=DAILY;COUNT=1000000000;BYHOUR=0,1,2,3,4,5,6,7,8,9,10,11,12;BYMINUTE=0,10,20;BYMONTH=1,2,3,4,5,6,7",
  ])
  func searchOfARareOccurrenceEnds(rule: String) throws {
    let occurrences = try set(rule).occurrences(from: Self.later, to: Self.later + .seconds(86_400))
    #expect(end(of: occurrences, after: 1) == .workLimit)
    let error = try #require(throws: RecurrenceError.self) { try occurrences.first(1) }
    #expect(error.reason == .tooMuchWork)
    #expect("\(error)".contains("too much work"))
  }

  /// A week has seven days.
  @Test(arguments: [
    "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=-104", "FREQ=SECONDLY;INTERVAL=604800;BYDAY=TU",
  ])
  func startIsFoundBeforeASearchEnds(rule: String) throws {
    let occurrences = try set(rule).occurrences
    #expect(occurrences.map(\.local.description) == [Self.start])
    #expect(end(of: occurrences, after: 2) == .workLimit)
    #expect(try occurrences.first(1).count == 1)
    #expect(throws: RecurrenceError.self) { try occurrences.first(2) }
  }

  @Test func searchThatExclusionsMakeVainEnds() throws {
    for exclusion in ["FREQ=DAILY", "FREQ=HOURLY", "FREQ=MINUTELY"] {
      let occurrences = try set("FREQ=DAILY", excluding: exclusion).occurrences
      #expect(end(of: occurrences, after: 1) == .workLimit)
    }
  }

  @Test func manyRulesShareTheWork() throws {
    let second = "FREQ=SECONDLY;INTERVAL=7;BYHOUR=23;BYMINUTE=59;BYSECOND=59;BYMONTH=2;BYMONTHDAY=30"
    let rules = try (0..<100).map { _ in try RecurrenceRule(second) }
    let set = try RecurrenceSet(start: time(Self.start), rules: rules)
    #expect(end(of: set.occurrences, after: 2) == .workLimit)
  }

  /// Each of them is little work by itself.
  @Test(arguments: [
    // Every second of the first day is before the start.
    (4, "20260302T235959", "FREQ=DAILY;BYHOUR=\(list(0..<24));BYMINUTE=\(list(0..<60));BYSECOND=\(list(0..<60))"),
    // An even second is never an odd one, which half of the seconds of a day show.
    (30, "20260302T000000", "FREQ=SECONDLY;INTERVAL=2;BYSECOND=\(list(stride(from: 1, to: 60, by: 2)))"),
  ])
  func timesThatAreNoOccurrencesAreWork(count: Int, start: String, rule: String) throws {
    let rule = try RecurrenceRule(rule)
    let one = try RecurrenceSet(start: time(start), rules: [rule])
    #expect(end(of: one.occurrences, after: 2) != .workLimit)
    let many = try RecurrenceSet(start: time(start), rules: Array(repeating: rule, count: count))
    #expect(end(of: many.occurrences, after: 2) == .workLimit)
  }

  private static func list(_ numbers: some Sequence<Int>) -> String { numbers.map(String.init).joined(separator: ",") }

  @Test(arguments: [
    "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=DAILY;COUNT=10",
    "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=TU;COUNT=20", "FREQ=YEARLY;BYDAY=MO,FR;BYSETPOS=-1;UNTIL=20991231",
    "FREQ=WEEKLY;COUNT=5000;BYDAY=MO,TU,WE,TH,FR",
  ])
  func searchOfAUsualRuleIsComplete(rule: String) throws {
    let occurrences = try set(rule).occurrences
    #expect(end(of: occurrences, after: 10_000) == .complete)
    #expect(try occurrences.first(20_000).count == Array(occurrences).count)
    #expect(try occurrences.first(0).isEmpty)
  }

  /// Each occurrence allows further work, so that a long series has no end of it.
  @Test(arguments: [
    "FREQ=SECONDLY", "FREQ=DAILY;BYHOUR=9,17", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE",
    "FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-1",
  ])
  func longSeriesIsNotCutShort(rule: String) throws {
    var iterator = try set(rule).occurrences.makeIterator()
    for _ in 0..<20_000 { try #require(iterator.next() != nil) }
    #expect(iterator.end == nil)
  }

  // MARK: - Rules at random

  private static let intervals = [1, 2, 7, 59, 61, 366, 1001, 3599, 3601, 86_399, 86_401, 604_800, 999_999_999]
  private static let numbers: [(part: String, range: ClosedRange<Int>, isSigned: Bool)] = [
    ("BYSECOND", 0...59, false), ("BYMINUTE", 0...59, false), ("BYHOUR", 0...23, false), ("BYMONTHDAY", 1...31, true),
    ("BYYEARDAY", 1...366, true), ("BYWEEKNO", 1...53, true), ("BYMONTH", 1...12, false), ("BYSETPOS", 1...366, true),
  ]

  private func rule(_ random: inout SeededNumbers) -> String {
    var parts = ["FREQ=\(RecurrenceRule.Frequency.allCases.randomElement(using: &random)?.rawValue ?? "")"]
    if Bool.random(using: &random) { parts.append("INTERVAL=\(Self.intervals.randomElement(using: &random) ?? 1)") }
    if Int.random(in: 0..<3, using: &random) == 0 { parts.append("COUNT=1000000000") }
    let days = ["", "", "MO", "TU,TH", "MO,TU,WE,TH,FR,SA,SU"].randomElement(using: &random) ?? ""
    if !days.isEmpty { parts.append("BYDAY=\(days)") }
    for (part, range, isSigned) in Self.numbers where Int.random(in: 0..<3, using: &random) == 0 {
      let isAll = Int.random(in: 0..<6, using: &random) == 0
      let some = isAll ? Array(range) : (0..<2).map { _ in Int.random(in: range, using: &random) }
      let signed = some.map { isSigned && Bool.random(using: &random) ? -$0 : $0 }
      parts.append("\(part)=\(signed.map(String.init).joined(separator: ","))")
    }
    return parts.joined(separator: ";")
  }

  /// Some of them took seconds each, or years, before the search was limited.
  ///
  /// `ALMANAC_SEARCHES` is the number of rules; it defaults to 100.
  @Test func everySearchOfARandomRuleEnds() throws {
    var random = SeededNumbers(seed: 7)
    var ends: [Occurrences.Iterator.End?: Int] = [:]
    let count = ProcessInfo.processInfo.environment["ALMANAC_SEARCHES"].flatMap { Int($0) } ?? 100
    while ends.values.reduce(0, +) < count {
      guard let set = try? set(rule(&random)) else { continue }
      ends[end(of: set.occurrences(from: Self.later, to: Self.later + .seconds(86_400)), after: 3), default: 0] += 1
    }
    #expect(ends[.complete, default: 0] > count / 3 && ends[.workLimit, default: 0] > count / 100)
  }
}
