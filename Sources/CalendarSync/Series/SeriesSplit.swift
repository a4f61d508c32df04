// SPDX-License-Identifier: Apache-2.0

import Recurrence
import Timekeeping

/// The recurrence of a part of a series: of the instances before an instance, of those from it on, or of all.
///
/// Every result is compared with the expected instances, so a rule that cannot be cut or moved is refused.
struct SeriesSplit {
  /// The number of instances to compare.
  private static let comparedInstances = 1000

  let set: RecurrenceSet

  private var zone: Zone { self.set.start.zone }

  /// Returns the series of the instances before an instance.
  ///
  /// Each rule ends with the previous local day, or just before the instance if its day has an earlier one. A rule that
  /// has ended before is not changed.
  func before(_ split: Timestamp) throws(CalendarEditError) -> RecurrenceSet {
    let day = zone.local(at: split).date
    let until = until(before: split)
    let head = try valid { () throws(RecurrenceError) in
      var rules: [RecurrenceRule] = []
      for rule in set.rules { rules.append(reaches(split, rule) ? try rule.ending(.until(until)) : rule) }
      return try RecurrenceSet(
        start: set.start, rules: rules, exclusionRules: set.exclusionRules,
        dates: set.dates.filter { instant(of: $0) < split },
        exclusionDates: set.exclusionDates.filter { $0.isAllDay ? $0.local.date <= day : instant(of: $0) < split })
    }
    guard head.occurrences(from: split).isEmpty, last(of: head, before: split) == last(of: set, before: split) else {
      throw .cannotSplit
    }
    return head
  }

  /// Returns the end of the rules before an instance.
  private func until(before split: Timestamp) -> RecurrenceTime {
    let day = zone.local(at: split).date
    if set.start.isAllDay { return .date(day.adding(days: -1)) }
    var end = split - .seconds(1)
    let midnight = LocalDateTime(day).map { zone.timestamp(of: $0) } ?? split
    if set.occurrences(from: midnight, to: split).isEmpty,
      let lastOfDay = LocalDateTime(day.adding(days: -1), hour: 23, minute: 59, second: 59)
    {
      end = min(end, zone.timestamp(of: lastOfDay))
    }
    return .utc(LocalDateTime(utc: end))
  }
}

extension SeriesSplit {
  /// Returns the series from an instance on, at new times.
  ///
  /// - Parameters:
  ///   - split: The first instance, or `nil` for the start of the series.
  ///   - move: The change of the times.
  func from(_ split: Timestamp?, _ move: SeriesMove) throws(CalendarEditError) -> RecurrenceSet {
    if split == nil, move.isIdentity { return set }
    let first = split ?? set.start.timestamp
    let day = zone.local(at: first).date
    let start = move.start(of: first)
    var rules = try self.rules(set.rules, from: split, move, at: start, countsStart: true)
    let exclusionRules = try self.rules(set.exclusionRules, from: split, move, at: start, countsStart: false)
    let dates = set.dates.filter { split == nil || instant(of: $0) > first }.map(move.time)
    let exclusionDates = set.exclusionDates
      .filter { split == nil || ($0.isAllDay ? $0.local.date >= day : instant(of: $0) >= first) }.map(move.time)
    let new = try valid { () throws(RecurrenceError) in
      if rules.isEmpty, dates.isEmpty { rules = [try RecurrenceRule(.daily, end: .count(1))] }
      return try RecurrenceSet(
        start: start, rules: rules, exclusionRules: exclusionRules, dates: dates, exclusionDates: exclusionDates)
    }
    var olds = (split.map { set.occurrences(from: $0) } ?? set.occurrences).makeIterator()
    var news = new.occurrences.makeIterator()
    for _ in 0..<Self.comparedInstances {
      let (old, new) = (olds.next().map { move.instant($0.timestamp) }, news.next()?.timestamp)
      guard old == new else { throw move.isIdentity ? .cannotSplit : .cannotMove }
      if old == nil { break }
    }
    return new
  }

  /// Returns the rules with instances from `split` on, for a series that starts with `split` at its new time.
  private func rules(
    _ rules: [RecurrenceRule], from split: Timestamp?, _ move: SeriesMove, at start: SeriesTime, countsStart: Bool
  ) throws(CalendarEditError) -> [RecurrenceRule] {
    var moved: [RecurrenceRule] = []
    for rule in rules where split.map({ reaches($0, rule, countsStart: countsStart) }) ?? true {
      let new = try move.rule(rule, at: start)
      var end = rule.end
      switch rule.end {
      case .never: break
      case .count(let count):
        if let split { end = .count(count - counted(rule, before: split, countsStart: countsStart)) }
      case .until(let until) where !move.isIdentity:
        guard let until = self.until(until, of: rule, move) else { continue }
        end = .until(until)
      case .until: break
      }
      moved.append(try valid { () throws(RecurrenceError) in try new.ending(end) })
    }
    return moved
  }

  /// Returns the number of occurrences of a rule that the new series no longer counts.
  private func counted(_ rule: RecurrenceRule, before split: Timestamp, countsStart: Bool) -> Int {
    guard let alone = alone(rule, countsStart: countsStart) else { return 0 }
    var (count, hasSplit) = (0, false)
    for occurrence in alone.occurrences {
      hasSplit = occurrence.timestamp == split
      if occurrence.timestamp >= split { break }
      count += 1
    }
    // The new series counts its start, even if it does not match the rule.
    return hasSplit || !countsStart ? count : count - 1
  }

  /// Returns the end of a rule at new times.
  ///
  /// It is the rule's own end if it still separates the same instances, or otherwise the time of the last instance.
  ///
  /// - Returns: `nil` if the rule has no instance.
  private func until(_ end: RecurrenceTime, of rule: RecurrenceRule, _ move: SeriesMove) -> RecurrenceTime? {
    let endTime: LocalDateTime =
      switch end {
      case .date(let date): LocalDateTime(date, hour: 23, minute: 59, second: 59) ?? set.start.local
      case .local(let time): time
      case .utc(let time): zone.local(at: time.timestampInUTC)
      }
    let limit = zone.timestamp(of: endTime) + .seconds(2 * 86_400)
    guard let alone = alone(rule, countsStart: false), let last = last(of: alone, before: limit) else { return nil }
    let endless = (try? rule.ending(.never)).flatMap { self.alone($0, countsStart: false) }
    let next = endless?.occurrences(from: last + .seconds(1)).first { _ in true }.map { move.instant($0.timestamp) }
    let newLast = move.instant(last)
    let times = [endTime, move.local(endTime)].map { (move.zone ?? .utc).timestamp(of: $0) } + [newLast]
    if move.zone == nil {
      let dates = times.map { LocalDateTime(utc: $0).date }
      let found = dates.first { date in
        newLast <= date.startOfDayInUTC && next.map { date < LocalDateTime(utc: $0).date } ?? true
      }
      return .date(found ?? LocalDateTime(utc: newLast).date)
    }
    let found = times.first { time in newLast <= time && next.map { time < $0 } ?? true }
    return .utc(LocalDateTime(utc: found ?? newLast))
  }
}

extension SeriesSplit {
  /// The series with one rule and without other dates.
  private func alone(_ rule: RecurrenceRule, countsStart: Bool) -> RecurrenceSet? {
    var alone = try? RecurrenceSet(start: set.start, rules: [rule])
    alone?.includesStart = countsStart
    return alone
  }

  /// Whether a rule has an instance at or after a time.
  private func reaches(_ time: Timestamp, _ rule: RecurrenceRule, countsStart: Bool = true) -> Bool {
    alone(rule, countsStart: countsStart).map { !$0.occurrences(from: time).isEmpty } ?? false
  }

  /// Returns the last instance before a time, or `nil` if there is none.
  private func last(of set: RecurrenceSet, before limit: Timestamp) -> Timestamp? {
    var seconds: Int64 = 2 * 86_400
    while true {
      let from = limit - .seconds(seconds)
      var last: Timestamp?
      for occurrence in set.occurrences(from: from, to: limit) { last = occurrence.timestamp }
      if let last { return last }
      // An additional date can precede the start.
      let first = set.dates.map { instant(of: $0) }.min().map { min($0, set.start.timestamp) } ?? set.start.timestamp
      if from < first { return nil }
      seconds *= 8
    }
  }

  /// Returns the instant of an additional or excluded date.
  private func instant(of time: SeriesTime) -> Timestamp {
    guard case .date(let date) = time, !set.start.isAllDay else {
      return set.start.isAllDay ? time.local.date.startOfDayInUTC : time.timestamp
    }
    let start = set.start.local
    let local = LocalDateTime(date, hour: start.hour, minute: start.minute, second: start.second)
    return zone.timestamp(of: local ?? start)
  }

  private func valid<Output>(_ body: () throws(RecurrenceError) -> Output) throws(CalendarEditError) -> Output {
    do { return try body() } catch { throw .cannotSplit }
  }
}

extension Occurrences {
  fileprivate var isEmpty: Bool { first { _ in true } == nil }
}
