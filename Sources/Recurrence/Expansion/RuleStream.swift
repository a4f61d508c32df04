// SPDX-License-Identifier: Apache-2.0

/// An instant and its local time in the zone of the series, both in seconds since 1970.
struct Point: Hashable {
  let instant: Int64
  let local: Int64
}

/// Converts the local times of one rule to instants, in order, up to `COUNT` or `UNTIL`.
///
/// Without `COUNT`, it can return the same instant twice.
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
  private let isCounted: Bool
  /// Whether instants are compared: with each other for `COUNT`, or with the start's instant if a gap skips the start.
  private let comparesInstants: Bool
  /// The number of occurrences left by `COUNT`.
  private var remaining = Int64.max
  /// The instant of the last occurrence, or a time before all of them.
  ///
  /// A gap can give two times of the rule the same instant. If it skips the start, later times of the rule can have earlier instants.
  private var last: Int64
  /// The points of skipped local times.
  ///
  /// Their local times are moved past the gap. They can follow points whose local times are right after the gap.
  private var skipped: [Point] = []
  private var nextSkipped = 0
  private var upcoming: Point?
  private var isFinished = false

  /// Creates a stream.
  ///
  /// - Parameters:
  ///   - rule: The rule.
  ///   - start: `DTSTART`.
  ///   - instant: The instant of the start, and the length of the gap skipping its local time, or 0.
  ///   - countsStart: Whether the start is an occurrence even if it does not match the rule. A stream with `COUNT` then begins after it.
  ///   - budget: The work limit of the search.
  init(
    _ rule: RecurrenceRule, of start: SeriesTime, at instant: (instant: Int64, skipped: Int64), countsStart: Bool,
    _ budget: inout SearchBudget
  ) {
    generator = RuleGenerator(rule, start: start.local, isAllDay: start.isAllDay, &budget)
    clock = ZoneClock(start.zone.table)
    last = instant.instant - (countsStart ? 0 : 1)
    if case .count(let count) = rule.end { remaining = Int64(count) - (countsStart ? 1 : 0) }
    isCounted = remaining != .max
    comparesInstants = isCounted || instant.skipped > 0
    bound =
      switch rule.end {
      case .never, .count: .none
      // In a series of whole days, a time stands for its day. In other series, a date stands for its last second.
      case .until(let time) where start.isAllDay: .local(RecurrenceTime.date(time.date).seconds)
      case .until(.date(let date)): .local(RecurrenceTime.date(date).seconds + Seconds.ofDay - 1)
      case .until(.local(let time)): .local(time.seconds)
      case .until(.utc(let time)): .instant(time.seconds)
      }
  }

  /// Ends the search soon after a local time.
  mutating func end(after local: Int64) { generator.end(after: local) }

  /// Skips the times before a local time as far as possible in one step.
  mutating func seek(to local: Int64, _ budget: inout SearchBudget) {
    guard isCounted else { return generator.seek(to: local) }
    // All occurrences up to the start's instant, which a gap may have moved, are within the skipped range.
    guard local - generator.start > 4 * Seconds.largestOffset else { return }
    var (uncounted, before): (RuleStream, Int64) = (self, 0)
    (uncounted.last, uncounted.remaining) = (.min, .max)
    while let point = uncounted.next(&budget), point.instant <= last { before += 1 }
    let count = generator.skip(to: local, counting: remaining + before, in: clock.table, &budget)
    remaining -= min(remaining, max(0, (count ?? before) - before))
  }

  /// Returns the next point, in order, or `nil` if there is none, or the budget is spent.
  @inline(__always)
  mutating func next(_ budget: inout SearchBudget) -> Point? {
    comparesInstants ? nextDistinct(&budget) : nextOfAll(&budget)
  }

  private mutating func nextDistinct(_ budget: inout SearchBudget) -> Point? {
    while remaining > 0, let point = nextOfAll(&budget) {
      if point.instant <= last { continue }
      last = point.instant
      remaining -= 1
      return point
    }
    return nil
  }

  /// Returns the next point, even if it has the instant of another one.
  private mutating func nextOfAll(_ budget: inout SearchBudget) -> Point? {
    guard nextSkipped < skipped.count || upcoming != nil else {
      guard let point = read(&budget) else { return nextOfSkipped() }
      if nextSkipped == skipped.count { return point }
      upcoming = point
      return nextOfAll(&budget)
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
/// A rule of a few bytes can describe an occurrence in thousands of years, or none among billions of candidates. Each
/// check of a month, day or time is therefore a step. A search has a fixed number of steps, and more for each
/// occurrence found.
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
