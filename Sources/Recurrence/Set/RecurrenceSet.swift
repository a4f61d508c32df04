// SPDX-License-Identifier: Apache-2.0

public import Timekeeping

/// The recurrence of a series of events: its start, rules, additional dates and exclusions
/// ([RFC 5545 § 3.8.5](https://www.rfc-editor.org/rfc/rfc5545.html#section-3.8.5)).
///
/// ```swift
/// let zone = try SystemZoneDatabase.shared.zone("Europe/Zurich")
/// let series = try RecurrenceSet(start: .local(start, zone), lines: event.recurrence ?? [])
/// for occurrence in series.occurrences.prefix(10) { print(occurrence) }
/// ```
public struct RecurrenceSet: Sendable, Hashable {
  /// `DTSTART`.
  public let start: SeriesTime
  /// `RRULE`.
  public let rules: [RecurrenceRule]
  /// `EXRULE`: rules whose occurrences are excluded.
  ///
  /// RFC 5545 deprecates them.
  public let exclusionRules: [RecurrenceRule]
  /// `RDATE`: additional dates.
  public let dates: [SeriesTime]
  /// `EXDATE`: excluded dates.
  public let exclusionDates: [SeriesTime]
  /// Whether the start is the first occurrence even if it matches no rule (§ 3.8.5.3).
  ///
  /// `COUNT` then includes it. Defaults to `true`.
  public var includesStart = true

  /// Creates a set.
  ///
  /// - Parameters:
  ///   - start: `DTSTART`.
  ///   - rules: `RRULE`.
  ///   - exclusionRules: `EXRULE`.
  ///   - dates: `RDATE`. In a series with times of day, a whole day gets the time of the start.
  ///   - exclusionDates: `EXDATE`. A whole day excludes all occurrences on it.
  /// - Throws: ``RecurrenceError`` if there are more than 100 rules, or if a series of whole days has a frequency below a day. `UNTIL`
  ///   must be in UTC, or a date.
  public init(
    start: SeriesTime, rules: [RecurrenceRule] = [], exclusionRules: [RecurrenceRule] = [],
    dates: [SeriesTime] = [], exclusionDates: [SeriesTime] = []
  ) throws(RecurrenceError) {
    guard rules.count + exclusionRules.count <= Self.mostRules else { throw RecurrenceError(.tooManyRules) }
    for rule in rules + exclusionRules { try rule.check(with: start) }
    self.start = start
    self.rules = rules
    self.exclusionRules = exclusionRules
    self.dates = dates
    self.exclusionDates = exclusionDates
  }

  static let mostRules = 100
}

extension RecurrenceSet {
  /// All occurrences, in order, to the year 9999 if the series has no end.
  ///
  /// See ``Occurrences``.
  public var occurrences: Occurrences { Occurrences(set: self, from: nil, to: nil) }

  /// Returns the occurrences that start within a time range.
  ///
  /// The search jumps to the start of the range if the rule has no `COUNT`. With `COUNT`, it can jump only if the frequency is weekly
  /// or shorter and all intervals have the same number of occurrences. In a series of whole days, a day starts at midnight in UTC.
  ///
  /// - Parameters:
  ///   - start: The start of the range, inclusive.
  ///   - end: The end of the range, exclusive. Defaults to no end.
  public func occurrences(from start: Timestamp, to end: Timestamp? = nil) -> Occurrences {
    Occurrences(set: self, from: start, to: end)
  }

  /// Returns the occurrences that start within a range of days in the zone of the series.
  ///
  /// - Parameters:
  ///   - first: The first day of the range.
  ///   - end: The day after the last. Defaults to no end.
  public func occurrences(from first: CivilDate, to end: CivilDate? = nil) -> Occurrences {
    func midnight(_ date: CivilDate) -> Timestamp { start.zone.timestamp(of: SeriesTime.date(date).local) }
    return Occurrences(set: self, from: midnight(first), to: end.map(midnight))
  }
}
