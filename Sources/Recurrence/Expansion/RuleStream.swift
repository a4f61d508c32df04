// SPDX-License-Identifier: Apache-2.0

/// An instant and its local time in the zone of the series, both in seconds since 1970.
struct Point: Hashable {
  let instant: Int64
  let local: Int64
}

/// Converts the local times of one rule to instants, in order, up to `UNTIL`.
struct RuleStream {
  /// `UNTIL`, inclusive.
  private enum Bound {
    case none
    case local(Int64)
    case instant(Int64)
  }

  private var generator: RuleGenerator
  private var clock: ZoneClock
  private let bound: Bound
  /// The points of skipped local times.
  ///
  /// They are later than the rule's times and may follow times right after the gap.
  private var skipped: [Point] = []
  private var nextSkipped = 0
  private var upcoming: Point?
  private var isFinished = false

  init(_ rule: RecurrenceRule, of start: SeriesTime, countsStart: Bool, _ budget: inout SearchBudget) {
    generator = RuleGenerator(rule, start: start.local, isAllDay: start.isAllDay, &budget)
    clock = ZoneClock(start.zone.table)
    bound =
      switch rule.end {
      case .never, .count: .none
      // In a series of whole days, a time stands for its day. In other series, a date stands for its last second.
      case .until(let time) where start.isAllDay: .local(RecurrenceTime.date(time.date).seconds)
      case .until(.date(let date)): .local(RecurrenceTime.date(date).seconds + Seconds.ofDay - 1)
      case .until(.local(let time)): .local(time.seconds)
      case .until(.utc(let time)): .instant(time.seconds)
      }
    if countsStart, generator.remaining != nil {
      var first = generator
      if first.next(&budget) != start.local.seconds { generator.countStart() }
    }
  }

  /// Ends the search soon after a local time.
  mutating func end(after local: Int64) { generator.end(after: local) }

  /// Skips the times before a local time as far as possible in one step.
  mutating func seek(to local: Int64) { generator.seek(to: local) }

  /// Returns the next point, in order, or `nil` if there is none, or the budget is spent.
  mutating func next(_ budget: inout SearchBudget) -> Point? {
    guard nextSkipped < skipped.count || upcoming != nil else {
      guard let point = read(&budget) else { return nextOfSkipped() }
      if nextSkipped == skipped.count { return point }
      upcoming = point
      return next(&budget)
    }
    if upcoming == nil { upcoming = read(&budget) }
    if let point = upcoming, nextSkipped == skipped.count || point.instant < skipped[nextSkipped].instant {
      upcoming = nil
      return point
    }
    return nextOfSkipped()
  }

  private mutating func nextOfSkipped() -> Point? {
    guard nextSkipped < skipped.count else { return nil }
    defer {
      nextSkipped += 1
      if nextSkipped == skipped.count {
        skipped.removeAll(keepingCapacity: true)
        nextSkipped = 0
      }
    }
    return skipped[nextSkipped]
  }

  /// Returns the next point whose local time exists in the zone, and collects the skipped ones before it.
  private mutating func read(_ budget: inout SearchBudget) -> Point? {
    while !isFinished, let local = generator.next(&budget) {
      if case .local(let bound) = bound, local > bound { break }
      let (instant, gap) = clock.instant(of: local)
      let isLate = if case .instant(let bound) = bound { instant > bound } else { false }
      if gap == 0 {
        if isLate { break }
        return Point(instant: instant, local: local)
      }
      if !isLate { skipped.append(Point(instant: instant, local: local + gap)) }
    }
    isFinished = true
    return nil
  }
}

/// The work limit of a search for occurrences.
///
/// A rule of a few bytes can describe an occurrence in thousands of years, or none among billions of candidates. Each check of a
/// month, day or time is therefore a step. A search has a fixed number of steps, and more for each occurrence that it finds.
struct SearchBudget {
  /// The initial number of steps.
  ///
  /// A rule that never matches, such as one for 30 February, takes 96,000 to the year 9999.
  private static let steps = 250_000
  private static let stepsPerOccurrence = 1_000

  private var left = Self.steps

  /// Whether the search must end.
  var isSpent: Bool { left < 0 }

  mutating func spend(_ steps: Int = 1) { left -= steps }

  mutating func noteOccurrence() { if !isSpent { left += Self.stepsPerOccurrence } }
}
