// SPDX-License-Identifier: Apache-2.0

import Recurrence
import Timekeeping

extension SampleEvent {
  /// The days on which a series takes place; `nil` for what is not one.
  ///
  /// - Parameters:
  ///   - first: The first day to look at. Defaults to that of the series.
  ///   - last: The last day to look at.
  func dates(from first: CivilDate? = nil, through last: CivilDate) -> [CivilDate]? {
    rule.flatMap { start.dates($0, from: first, through: last) }
  }
}

extension Moment {
  /// The days on which a series that begins with this takes place by a rule; `nil` for a rule that cannot be read.
  func dates(_ rule: String, from first: CivilDate? = nil, through last: CivilDate) -> [CivilDate]? {
    guard let rule = try? RecurrenceRule(rule), var series = try? RecurrenceSet(start: seriesTime, rules: [rule])
    else { return nil }
    series.includesStart = false
    return series.occurrences(from: first ?? date, to: last.adding(days: 1)).map(\.date)
  }

  private var seriesTime: SeriesTime {
    switch self {
    case .day(let date): return .date(date)
    case .time(let date, let minute, let zone):
      guard let local = LocalDateTime(date, hour: minute / 60, minute: minute % 60) else { return .date(date) }
      return .local(local, zone)
    }
  }
}
