// SPDX-License-Identifier: Apache-2.0

public import Timekeeping

/// The occurrences of a series, in order, each instant once, found as they are requested.
///
/// A series without an end goes on to the year 9999. A rule that never matches, such as one for 30 February, ends there
/// too, after some milliseconds. An instance takes constant memory but for the dates of the series, and each iteration starts anew.
///
/// A search is limited in work: 250,000 looks at months, days and times, and 1,000 more for each occurrence that it returns. Beyond them
/// the sequence ends, and ``Iterator/end-swift.property`` says so; ``first(_:)`` throws. No rule that people use comes near the limit, but
/// one of a few bytes can name a time in thousands of years, or take all occurrences away.
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

  /// Returns the first occurrences, fewer if there are no more.
  ///
  /// - Parameter count: The number of occurrences to return at most.
  /// - Throws: ``RecurrenceError`` with reason ``RecurrenceError/Reason-swift.enum/tooMuchWork`` if the search was ended before it was
  ///   complete.
  public func first(_ count: Int) throws(RecurrenceError) -> [Occurrence] {
    var (found, iterator) = ([Occurrence](), makeIterator())
    while found.count < count, let next = iterator.next() { found.append(next) }
    if iterator.end == .workLimit { throw RecurrenceError(.tooMuchWork) }
    return found
  }

  /// Merges the rules and dates of a series.
  public struct Iterator: IteratorProtocol, Sendable {
    /// The reason why a sequence of occurrences has ended.
    public enum End: Sendable, Hashable {
      /// All occurrences were returned.
      case complete
      /// The search took more work than it may. There may be further occurrences.
      case workLimit
    }

    /// The reason why ``next()`` returned `nil`; `nil` as long as it has not.
    public private(set) var end: End?

    private var budget: SearchBudget
    private var rules: [MergedStream]
    private var dates: MergedDates
    private var exclusions: Exclusions
    private let start: Int64
    private let from: Int64
    private let to: Int64

    fileprivate init(_ set: RecurrenceSet, _ from: Timestamp?, _ to: Timestamp?) {
      // A fraction of a second: the next whole one is the first within.
      func seconds(_ time: Timestamp) -> Int64 {
        let (next, overflow) = time.secondsSince1970.addingReportingOverflow(time.nanoseconds > 0 ? 1 : 0)
        return overflow ? .max : next
      }
      start = set.start.timestamp.secondsSince1970
      self.from = from.map(seconds) ?? .min
      self.to = to.map(seconds) ?? .max
      var budget = SearchBudget()
      let local = from.map { Self.firstLocal(from: $0, set.start.zone.table) }
      func streams(_ rules: [RecurrenceRule], countsStart: Bool) -> [MergedStream] {
        rules.map { rule in
          var stream = RuleStream(rule, of: set.start, countsStart: countsStart, &budget)
          // No clock is further ahead of UTC.
          if let to { stream.end(after: Self.clamped(to) + Seconds.largestOffset) }
          if let local { stream.seek(to: local) }
          return MergedStream(stream, &budget)
        }
      }
      rules = streams(set.rules, countsStart: set.includesStart)
      dates = MergedDates(set)
      exclusions = Exclusions(set, streams: streams(set.exclusionRules, countsStart: false))
      self.budget = budget
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

    /// The next occurrence; `nil` at the ``end-swift.property``.
    public mutating func next() -> Occurrence? {
      while end == nil {
        // From then on, rules may lack occurrences that were not found; before the start they have none.
        let isSpent = budget.isSpent
        guard let point = nextPoint(), point.instant < to else { break }
        if isSpent, point.instant > start { break }
        budget.spend()
        if point.instant < from || exclusions.contain(point, &budget) { continue }
        // It may be one of those that were not found.
        if exclusions.hasRules, budget.isSpent { break }
        budget.noteOccurrence()
        return Occurrence(point)
      }
      if end == nil { end = budget.isSpent ? .workLimit : .complete }
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
      for index in rules.indices { rules[index].drop(earliest.instant, &budget) }
      return earliest
    }
  }
}

/// A rule's stream with its first instant in view.
struct MergedStream: Sendable {
  private var stream: RuleStream
  private(set) var first: Point?

  init(_ stream: RuleStream, _ budget: inout SearchBudget) {
    self.stream = stream
    first = self.stream.next(&budget)
  }

  /// Goes on to what is later than an instant.
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

  /// Whether an occurrence is taken away; they come in order.
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
  /// When it starts: at midnight in UTC in a series of whole days.
  public let timestamp: Timestamp
  /// What the clocks of the series show then, which is not what a rule names if they skip that.
  public let local: LocalDateTime

  init(_ point: Point) {
    timestamp = Timestamp(secondsSince1970: point.instant)
    local = LocalDateTime(unchecked: point.local)
  }
}

extension Occurrence {
  /// The day, on the clocks of the series.
  public var date: CivilDate { local.date }
}

extension Occurrence: Comparable {
  /// Whether the first is earlier than the second.
  public static func < (left: Occurrence, right: Occurrence) -> Bool { left.timestamp < right.timestamp }
}
