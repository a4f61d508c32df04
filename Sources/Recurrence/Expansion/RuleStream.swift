// SPDX-License-Identifier: Apache-2.0

/// An instant, and what the clocks of the series show at it; both in seconds since 1970.
struct Point: Hashable {
  let instant: Int64
  let local: Int64
}

/// Turns the local times of one rule into instants, in order, up to `UNTIL`.
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
  /// What the clocks skip comes later than the rule names it, and so after what follows the gap at once.
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
      // A time of day is taken as its day where the series is one of days, and a day as its last second elsewhere.
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

  /// Ends the search after a local time, unless something is found before.
  mutating func end(after local: Int64) { generator.end(after: local) }

  /// Leaves out what lies before a local time, as far as that takes no walk.
  mutating func seek(to local: Int64) { generator.seek(to: local) }

  /// The next instant, not before the last one; `nil` if there is none, or the budget is spent.
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

  /// The next one that the clocks show; those that they skip are kept on the way.
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

/// The work that a search for occurrences may take.
///
/// A rule of a few bytes can name an occurrence in thousands of years, or none among billions of times that have to be looked at. So each
/// look at a month, a day or a time is a step, and a search has a number of them, with more for each occurrence that it finds.
struct SearchBudget {
  /// A rule that never matches, such as one for 30 February, takes 96,000 steps to the year 9999.
  private static let steps = 250_000
  private static let stepsPerOccurrence = 1_000

  private var left = Self.steps

  /// Whether the search has to end.
  var isSpent: Bool { left < 0 }

  mutating func spend(_ steps: Int = 1) { left -= steps }

  mutating func noteOccurrence() { if !isSpent { left += Self.stepsPerOccurrence } }
}
