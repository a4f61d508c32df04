// SPDX-License-Identifier: Apache-2.0

package import CalendarAPI
import Timekeeping

extension EventPeriod {
  /// `2026-11-23 08:00–09:00`, or the days, the last one included.
  package var text: String {
    switch self {
    case .allDay(let days):
      let last = days.upperBound.adding(days: -1)
      return last <= days.lowerBound ? "\(days.lowerBound) all day" : "\(days.lowerBound) to \(last) all day"
    case .timed(let start, let end, _): return OffsetDateTime.text(from: start, to: end)
    }
  }

  /// ``text`` with the time zone or the offset.
  var textWithZone: String {
    guard case .timed(let start, _, let zone) = self else { return text }
    // RFC 3339: what follows the seconds is the offset.
    return "\(text) \(zone ?? String(start.rfc3339(fractionDigits: 0).dropFirst("2026-11-23T08:00:00".count)))"
  }
}

extension OffsetDateTime {
  /// `09:30`.
  var clock: String {
    let padded = { (value: Int) in value < 10 ? "0\(value)" : "\(value)" }
    return "\(padded(hour)):\(padded(minute))"
  }

  /// Two times, with the day of the second one if it is another.
  static func text(from start: OffsetDateTime, to end: OffsetDateTime) -> String {
    let day = end.date == start.date ? "" : "\(end.date) "
    return "\(start.date) \(start.clock)\(day.isEmpty ? "–" : " – ")\(day)\(end.clock)"
  }
}

extension Event {
  /// When the event takes place; only its start if it has no end.
  var when: String {
    period?.text ?? start?.time.map { time in
      switch time {
      case .allDay(let day): "\(day)"
      case .timed(let start, _): "\(start.date) \(start.clock)"
      }
    } ?? "?"
  }
}
