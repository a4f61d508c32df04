// SPDX-License-Identifier: Apache-2.0

package import CalendarAPI
import Recurrence
import Timekeeping

extension EventPeriod {
  /// `2026-11-23 08:00–09:00`, or the days, the last one included.
  package var text: String {
    switch self {
    case .allDay(let days):
      let last = days.upperBound.adding(days: -1)
      return last <= days.lowerBound ? "\(days.lowerBound) all day" : "\(days.lowerBound) to \(last) all day"
    case .timed(let start, let end, _, _): return OffsetDateTime.text(from: start, to: end)
    }
  }

  /// The same with the zone of the event, and that of its end if it is another: the times are those of the zones.
  package var textWithZone: String {
    guard case .timed(let start, let end, let zone, let endZone) = self else { return text }
    let (from, to) = (start.local(in: zone), end.local(in: endZone ?? zone))
    guard from.zone == to.zone else {
      return "\(from.time.date) \(from.time.clock) \(from.zone) – \(to.time.date) \(to.time.clock) \(to.zone)"
    }
    return "\(OffsetDateTime.text(from: from.time, to: to.time)) \(from.zone)"
  }
}

extension OffsetDateTime {
  /// `09:30`.
  var clock: String {
    let padded = { (value: Int) in value < 10 ? "0\(value)" : "\(value)" }
    return "\(padded(hour)):\(padded(minute))"
  }

  /// The time in a zone with the zone's name; without a zone that this computer knows, the time as it is with its offset.
  fileprivate func local(in name: String?) -> (time: OffsetDateTime, zone: String) {
    if let name, let zone = try? SystemZoneDatabase.shared.zone(name),
      let time = OffsetDateTime(timestamp, offsetSeconds: zone.offset(at: timestamp))
    {
      return (time, name)
    }
    // RFC 3339: what follows the seconds is the offset.
    return (self, String(rfc3339(fractionDigits: 0).dropFirst("2026-11-23T08:00:00".count)))
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
