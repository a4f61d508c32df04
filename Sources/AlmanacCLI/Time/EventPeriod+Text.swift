// SPDX-License-Identifier: Apache-2.0

package import CalendarAPI
import Recurrence
import Timekeeping

extension EventPeriod {
  /// The period as text, such as `2026-11-23 08:00–09:00`, or the days including the last one.
  package var text: String {
    switch self {
    case .allDay(let days):
      let last = days.upperBound.adding(days: -1)
      return last <= days.lowerBound ? "\(days.lowerBound) all day" : "\(days.lowerBound) to \(last) all day"
    case .timed(let start, let end, _, _): return OffsetDateTime.text(from: start, to: end)
    }
  }

  /// The period as text with the event's time zone, and the zone of its end if it differs.
  ///
  /// Times are local to the zones.
  package var textWithZone: String {
    guard case .timed(let start, let end, let zone, let endZone) = self else { return "\(self.start.weekday) \(text)" }
    let (from, to) = (start.local(in: zone), end.local(in: endZone ?? zone))
    guard from.zone == to.zone else {
      return
        "\(from.time.date.weekday.shortName) \(from.time.date) \(from.time.clock) \(from.zone) – \(to.time.date) \(to.time.clock) \(to.zone)"
    }
    return "\(from.time.date.weekday.shortName) \(OffsetDateTime.text(from: from.time, to: to.time)) \(from.zone)"
  }
}

extension EventTime {
  /// The weekday in three letters.
  fileprivate var weekday: String {
    switch self {
    case .allDay(let day): day.weekday.shortName
    case .timed(let time, _): time.date.weekday.shortName
    }
  }
}

extension Weekday {
  /// The name in three letters.
  fileprivate var shortName: String { String(englishName.prefix(3)) }
}

extension OffsetDateTime {
  /// The time of day, such as `09:30`.
  var clock: String {
    let padded = { (value: Int) in value < 10 ? "0\(value)" : "\(value)" }
    return "\(padded(hour)):\(padded(minute))"
  }

  /// Returns the time in a zone and the zone's name, or for an unknown zone, the time itself and its offset.
  fileprivate func local(in name: String?) -> (time: OffsetDateTime, zone: String) {
    if let name, let zone = try? SystemZoneDatabase.shared.zone(name),
      let time = OffsetDateTime(timestamp, offsetSeconds: zone.offset(at: timestamp))
    {
      return (time, name)
    }
    // RFC 3339: the offset follows the seconds.
    return (self, String(rfc3339(fractionDigits: 0).dropFirst("2026-11-23T08:00:00".count)))
  }

  /// Returns two times as text, with the end's day if it differs.
  static func text(from start: OffsetDateTime, to end: OffsetDateTime) -> String {
    let day = end.date == start.date ? "" : "\(end.date) "
    return "\(start.date) \(start.clock)\(day.isEmpty ? "–" : " – ")\(day)\(end.clock)"
  }
}

extension Event {
  /// The time of the event as text, with its weekday, or only its start if it has no end.
  var when: String {
    guard let time = start?.time else { return "?" }
    let startText =
      switch time {
      case .allDay(let day): "\(day)"
      case .timed(let start, _): "\(start.date) \(start.clock)"
      }
    return "\(time.weekday) \(period?.text ?? startText)"
  }
}
