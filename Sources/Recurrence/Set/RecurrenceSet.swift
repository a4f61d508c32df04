// SPDX-License-Identifier: Apache-2.0

public import Timekeeping

/// When a series of events takes place: its start, rules, and dates that are added and taken away
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
  /// `EXRULE`, which RFC 5545 deprecates: what these rules name is taken away.
  public let exclusionRules: [RecurrenceRule]
  /// `RDATE`: what is added.
  public let dates: [SeriesTime]
  /// `EXDATE`: what is taken away.
  public let exclusionDates: [SeriesTime]
  /// Whether the start is the first occurrence even if no rule names it, as § 3.8.5.3 says; `COUNT` counts it then.
  public var includesStart = true

  /// Creates a set.
  ///
  /// - Parameters:
  ///   - start: `DTSTART`.
  ///   - rules: `RRULE`.
  ///   - exclusionRules: `EXRULE`.
  ///   - dates: `RDATE`. A whole day in a series with times of day is at the time of the start.
  ///   - exclusionDates: `EXDATE`. A whole day takes away all that is on it.
  /// - Throws: ``RecurrenceError`` if there are more than 100 rules, or a series of whole days is to recur within a day.
  public init(
    start: SeriesTime, rules: [RecurrenceRule] = [], exclusionRules: [RecurrenceRule] = [],
    dates: [SeriesTime] = [], exclusionDates: [SeriesTime] = []
  ) throws(RecurrenceError) {
    guard rules.count + exclusionRules.count <= Self.mostRules else { throw RecurrenceError(.tooManyRules) }
    if start.isAllDay, let rule = (rules + exclusionRules).first(where: { $0.frequency < .daily }) {
      throw RecurrenceError(.frequencyOfDays(rule.frequency), part: .frequency)
    }
    self.start = start
    self.rules = rules
    self.exclusionRules = exclusionRules
    self.dates = dates
    self.exclusionDates = exclusionDates
  }

  static let mostRules = 100
}

extension RecurrenceSet {
  /// All occurrences, in order; see ``Occurrences`` for where they end.
  public var occurrences: Occurrences { Occurrences(set: self, from: nil, to: nil) }

  /// Returns the occurrences that start within a range of time, without a walk from the start of the series where there is no
  /// `COUNT`, or where every interval has as many occurrences.
  ///
  /// In a series of whole days, a day starts at midnight in UTC.
  ///
  /// - Parameters:
  ///   - start: The first instant of the range.
  ///   - end: The end of the range, which is not in it. Defaults to none.
  public func occurrences(from start: Timestamp, to end: Timestamp? = nil) -> Occurrences {
    Occurrences(set: self, from: start, to: end)
  }

  /// Returns the occurrences that start within a range of days, on the clocks of the series.
  ///
  /// - Parameters:
  ///   - first: The first day of the range.
  ///   - end: The day after the last. Defaults to none.
  public func occurrences(from first: CivilDate, to end: CivilDate? = nil) -> Occurrences {
    func midnight(_ date: CivilDate) -> Timestamp { start.zone.timestamp(of: SeriesTime.date(date).local) }
    return Occurrences(set: self, from: midnight(first), to: end.map(midnight))
  }
}
