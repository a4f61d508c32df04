// SPDX-License-Identifier: Apache-2.0

import Timekeeping

/// The occurrences of a series, in order, each instant once, found as they are requested.
///
/// A series without an end goes on to the year 9999. A rule that never matches, such as one for 30 February, ends there
/// too, after some milliseconds; a run of 1,000,000 occurrences which are all taken away by exclusions ends the sequence.
/// An instance takes constant memory but for the dates of the series, and each iteration starts anew.
///
/// Time is counted on the clocks of the series: a daily event stays at 09:00 when summer time starts. What the clocks skip takes
/// place by the offset before the gap, so that 02:30 becomes 03:30, and of what they show twice it is the first
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

  /// Starts from the first.
  public func makeIterator() -> Iterator { Iterator(set, from, to) }

  /// Merges the rules and dates of a series.
  public struct Iterator: IteratorProtocol, Sendable {
    private static let longestRun = 1_000_000

    private var rules: [MergedStream]
    private var dates: MergedDates
    private var exclusions: Exclusions
    private let from: Int64
    private let to: Int64

    fileprivate init(_ set: RecurrenceSet, _ from: Timestamp?, _ to: Timestamp?) {
      // A fraction of a second: the next whole one is the first within.
      func seconds(_ time: Timestamp) -> Int64 {
        let (next, overflow) = time.secondsSince1970.addingReportingOverflow(time.nanoseconds > 0 ? 1 : 0)
        return overflow ? .max : next
      }
      self.from = from.map(seconds) ?? .min
      self.to = to.map(seconds) ?? .max
      let local = from.map { Self.firstLocal(from: $0, set.start.zone.table) }
      func streams(_ rules: [RecurrenceRule], countsStart: Bool) -> [MergedStream] {
        rules.map { rule in
          var stream = RuleStream(rule, of: set.start, countsStart: countsStart)
          // No clock is further ahead of UTC.
          if let to { stream.end(after: Self.clamped(to) + Seconds.largestOffset) }
          if let local { stream.seek(to: local) }
          return MergedStream(stream)
        }
      }
      rules = streams(set.rules, countsStart: set.includesStart)
      dates = MergedDates(set)
      exclusions = Exclusions(set, streams: streams(set.exclusionRules, countsStart: false))
    }

    /// No occurrence of an instant or a later one is named by an earlier local time.
    private static func firstLocal(from instant: Timestamp, _ table: ZoneTable) -> Int64 {
      let seconds = clamped(instant)
      let segment = table.segment(at: seconds)
      // What a gap skips comes as much later as the gap is long.
      let gap = seconds - segment.start < 2 * Seconds.largestOffset ? 2 * Seconds.largestOffset : 0
      return seconds + segment.offset - gap
    }

    private static func clamped(_ instant: Timestamp) -> Int64 {
      Swift.min(Swift.max(instant.secondsSince1970, Seconds.firstOfCalendar), Seconds.lastOfCalendar)
    }

    /// The next occurrence.
    public mutating func next() -> Occurrence? {
      var excluded = 0
      while excluded < Self.longestRun, let point = nextPoint(), point.instant < to {
        if point.instant < from { continue }
        if exclusions.contain(point) { excluded += 1 } else { return Occurrence(point) }
      }
      rules = []
      dates = MergedDates()
      return nil
    }

    /// The earliest of the rules and dates, which is taken from all that have it.
    private mutating func nextPoint() -> Point? {
      var earliest = dates.first
      for rule in rules {
        if let first = rule.first, earliest.map({ first.instant < $0.instant }) ?? true { earliest = first }
      }
      guard let earliest else { return nil }
      dates.drop(earliest.instant)
      for index in rules.indices { rules[index].drop(earliest.instant) }
      return earliest
    }
  }
}

/// A rule's stream with its first instant in view.
struct MergedStream: Sendable {
  private var stream: RuleStream
  private(set) var first: Point?

  init(_ stream: RuleStream) {
    self.stream = stream
    first = self.stream.next()
  }

  /// Goes on to what is later than an instant.
  mutating func drop(_ instant: Int64) {
    while let point = first, point.instant <= instant { first = stream.next() }
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
      // A day in a series of times is at the time of its start, and a time in a series of days is its day.
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

  /// Whether an occurrence is taken away; they come in order.
  mutating func contain(_ point: Point) -> Bool {
    if isEmpty { return false }
    if instants.contains(point.instant) || days.contains(point.local.floored(by: Seconds.ofDay)) { return true }
    for index in streams.indices {
      streams[index].drop(point.instant - 1)
      if streams[index].first?.instant == point.instant { return true }
    }
    return false
  }
}
