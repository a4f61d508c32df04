// SPDX-License-Identifier: Apache-2.0

public import Timekeeping

/// A lazy sequence of the occurrences of a series, in order, each instant once.
///
/// A series without an end continues to the year 9999. Take a prefix of it, or the occurrences of a time range:
/// `Array(series.occurrences)` of a daily series has millions of elements. The search of a rule that never matches, such as one for 30
/// February, also ends there, after some milliseconds. Besides the dates of the series, an iteration needs constant
/// memory. Each iteration starts at the first occurrence.
///
/// The work of a search is limited to 250,000 steps (a month, day or time to check), and 1,000 more for each returned
/// occurrence. If the limit is reached, the sequence ends, ``Iterator/end-swift.property`` is
/// ``Iterator/End-swift.enum/workLimit``, and ``first(_:)`` throws. Rules in real calendars stay far below the limit. A
/// malicious rule of a few bytes can describe a time in thousands of years, or exclude all occurrences.
///
/// Times are local times of the series: a daily event stays at 09:00 when daylight saving time starts. A skipped local
/// time uses the offset before the gap, so 02:30 becomes 03:30. A repeated local time is the first of the two instants
/// ([RFC 5545 § 3.3.5 and § 3.3.10](https://www.rfc-editor.org/rfc/rfc5545.html#section-3.3.10)).
public struct Occurrences: Sequence, Sendable {
  private let set: RecurrenceSet
  private let from: Timestamp?
  private let to: Timestamp?

  init(set: RecurrenceSet, from: Timestamp?, to: Timestamp?) {
    self.set = set
    self.from = from
    self.to = to
  }

  /// Returns an iterator that starts at the first occurrence.
  public func makeIterator() -> Iterator { Iterator(set, from, to) }

  /// Returns the first occurrences, up to a number.
  ///
  /// - Parameter count: The maximum number of occurrences to return.
  /// - Throws: ``RecurrenceError`` with reason ``RecurrenceError/Reason-swift.enum/tooMuchWork`` if the search reached its work limit.
  public func first(_ count: Int) throws(RecurrenceError) -> [Occurrence] {
    var (found, iterator) = ([Occurrence](), makeIterator())
    while found.count < count, let next = iterator.next() { found.append(next) }
    if iterator.end == .workLimit { throw RecurrenceError(.tooMuchWork) }
    return found
  }

  /// An iterator that merges the rules and dates of a series.
  public struct Iterator: IteratorProtocol, Sendable {
    /// The reason for the end of a sequence of occurrences.
    public enum End: Sendable, Hashable {
      /// All occurrences were returned.
      case complete
      /// The search reached its work limit. There may be further occurrences.
      case workLimit
    }

    /// The reason why ``next()`` returned `nil`, or `nil` before it did.
    public private(set) var end: End?

    private var budget: SearchBudget
    private var rules: [MergedStream]
    private var dates: MergedDates
    private var exclusions: Exclusions
    private let start: Int64
    private let from: Int64
    private let to: Int64

    fileprivate init(_ set: RecurrenceSet, _ from: Timestamp?, _ to: Timestamp?) {
      // Occurrences start at whole seconds: a fraction is rounded up.
      func seconds(_ time: Timestamp) -> Int64 {
        let (next, overflow) = time.secondsSince1970.addingReportingOverflow(time.nanoseconds > 0 ? 1 : 0)
        return overflow ? .max : next
      }
      var clock = ZoneClock(set.start.zone.table)
      let start = clock.instant(of: set.start.local.seconds)
      self.start = start.instant
      self.from = from.map(seconds) ?? .min
      self.to = to.map(seconds) ?? .max
      var budget = SearchBudget()
      let local = from.map { Self.firstLocal(from: $0, set.start.zone.table) }
      func streams(_ rules: [RecurrenceRule], countsStart: Bool) -> [MergedStream] {
        rules.map { rule in
          var stream = RuleStream(rule, of: set.start, at: start, countsStart: countsStart, &budget)
          // No zone is further ahead of UTC.
          if let to { stream.end(after: Self.clamped(to) + Seconds.largestOffset) }
          if let local { stream.seek(to: local, &budget) }
          return MergedStream(stream, &budget)
        }
      }
      rules = streams(set.rules, countsStart: set.includesStart)
      dates = MergedDates(set)
      exclusions = Exclusions(set, streams: streams(set.exclusionRules, countsStart: false))
      self.budget = budget
    }

    /// Returns a lower bound of the local times for this instant or a later one.
    private static func firstLocal(from instant: Timestamp, _ table: ZoneTable) -> Int64 {
      let seconds = clamped(instant)
      let segment = table.segment(at: seconds)
      // A skipped local time is later by the length of the gap.
      let gap = seconds - segment.start < 2 * Seconds.largestOffset ? 2 * Seconds.largestOffset : 0
      return seconds + segment.offset - gap
    }

    private static func clamped(_ instant: Timestamp) -> Int64 {
      Swift.min(Swift.max(instant.secondsSince1970, Seconds.firstOfCalendar), Seconds.lastOfCalendar)
    }

    /// Returns the next occurrence, or `nil` at the ``end-swift.property``.
    public mutating func next() -> Occurrence? {
      while end == nil {
        // Once the budget is spent, rules may omit occurrences after the start, but none at or before it.
        let isSpent = budget.isSpent
        guard let point = nextPoint(), point.instant < to else { break }
        if isSpent, point.instant > start { break }
        budget.spend()
        if point.instant < from || exclusions.contain(point, &budget) { continue }
        // With a spent budget, an exclusion of this occurrence may have been missed.
        if exclusions.hasRules, budget.isSpent { break }
        budget.noteOccurrence()
        return Occurrence(point)
      }
      if end == nil { end = budget.isSpent ? .workLimit : .complete }
      rules = []
      dates = MergedDates()
      return nil
    }

    /// Removes the earliest point from all rules and dates that have it, and returns it.
    private mutating func nextPoint() -> Point? {
      var earliest = dates.first
      for rule in rules {
        if let first = rule.first, earliest.map({ first.instant < $0.instant }) ?? true { earliest = first }
      }
      guard let earliest else { return nil }
      dates.drop(earliest.instant)
      for index in rules.indices { rules[index].drop(earliest.instant, &budget) }
      return earliest
    }
  }
}

/// A rule's stream with a lookahead of one point.
struct MergedStream: Sendable {
  private var stream: RuleStream
  private(set) var first: Point?

  init(_ stream: RuleStream, _ budget: inout SearchBudget) {
    self.stream = stream
    first = self.stream.next(&budget)
  }

  /// Advances to the first point after an instant.
  mutating func drop(_ instant: Int64, _ budget: inout SearchBudget) {
    while let point = first, point.instant <= instant {
      budget.spend()
      first = stream.next(&budget)
    }
  }
}

/// `DTSTART` and `RDATE`.
struct MergedDates: Sendable {
  private var points: [Point] = []
  private var index = 0

  init() {}

  init(_ set: RecurrenceSet) {
    let start = set.start
    func point(_ time: SeriesTime) -> Point {
      // In a series with times, a date gets the start's time of day. In a series of whole days, a time stands for its day.
      if case .date(let date) = time, !start.isAllDay {
        let local = SeriesTime.date(date).local.seconds + Int64(start.local.secondOfDay)
        return MergedDates.point(start.zone.timestamp(of: LocalDateTime(unchecked: local)), start.zone)
      }
      return MergedDates.point(start.isAllDay ? SeriesTime.date(time.local.date).timestamp : time.timestamp, start.zone)
    }
    points = (set.dates + (set.includesStart ? [start] : [])).map(point).sorted { $0.instant < $1.instant }
  }

  private static func point(_ timestamp: Timestamp, _ zone: Zone) -> Point {
    Point(instant: timestamp.secondsSince1970, local: zone.local(at: timestamp).seconds)
  }

  var first: Point? { index < points.count ? points[index] : nil }

  mutating func drop(_ instant: Int64) {
    while let point = first, point.instant <= instant { index += 1 }
  }
}

/// `EXDATE` and `EXRULE`.
struct Exclusions: Sendable {
  private let instants: Set<Int64>
  private let days: Set<Int64>
  private var streams: [MergedStream]
  private let isEmpty: Bool

  /// Whether there is an `EXRULE`.
  var hasRules: Bool { !streams.isEmpty }

  init(_ set: RecurrenceSet, streams: [MergedStream]) {
    var (instants, days): (Set<Int64>, Set<Int64>) = ([], [])
    for time in set.exclusionDates {
      if time.isAllDay || set.start.isAllDay {
        days.insert(time.local.seconds.floored(by: Seconds.ofDay))
      } else {
        instants.insert(time.timestamp.secondsSince1970)
      }
    }
    (self.instants, self.days, self.streams) = (instants, days, streams)
    isEmpty = instants.isEmpty && days.isEmpty && streams.isEmpty
  }

  /// Returns whether an occurrence is excluded.
  ///
  /// Call it in the order of the occurrences.
  mutating func contain(_ point: Point, _ budget: inout SearchBudget) -> Bool {
    if isEmpty { return false }
    if instants.contains(point.instant) || days.contains(point.local.floored(by: Seconds.ofDay)) { return true }
    for index in streams.indices {
      streams[index].drop(point.instant - 1, &budget)
      if streams[index].first?.instant == point.instant { return true }
    }
    return false
  }
}

/// An occurrence of a series.
public struct Occurrence: Sendable, Hashable {
  /// The start, midnight in UTC in a series of whole days.
  public let timestamp: Timestamp
  /// The local time of the start in the zone of the series.
  ///
  /// It differs from the rule's time if the zone skips that time.
  public let local: LocalDateTime

  init(_ point: Point) {
    timestamp = Timestamp(secondsSince1970: point.instant)
    local = LocalDateTime(unchecked: point.local)
  }
}

extension Occurrence {
  /// The day, in the zone of the series.
  public var date: CivilDate { local.date }
}

extension Occurrence: Comparable {
  /// Whether the first is earlier than the second.
  public static func < (left: Occurrence, right: Occurrence) -> Bool { left.timestamp < right.timestamp }
}
