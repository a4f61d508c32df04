// SPDX-License-Identifier: Apache-2.0

import Timekeeping

/// A time zone of the sample calendars: an offset, and the rule by which summer time moves it.
///
/// Looking zones up by name would take the internationalization half of Foundation, ten times the size of everything else
/// here; a sandbox does with the few zones below, by the rules in force in 2026.
struct Zone: Sendable, Hashable {
  /// When summer time, one hour more, begins and ends.
  enum SummerTime: Sendable, Hashable {
    case none
    /// From the last Sunday of March to the last of October, at 01:00 UTC.
    case european
    /// From the second Sunday of March to the first of November, at 02:00 local time.
    case american
  }

  let identifier: String
  private let standardOffset: Int
  private let summerTime: SummerTime

  private init(_ identifier: String, hours: Double, _ summerTime: SummerTime = .none) {
    self.identifier = identifier
    standardOffset = Int(hours * 3600)
    self.summerTime = summerTime
  }

  static let utc = Zone("UTC", hours: 0)

  /// The zone of this name; `nil` for one that the sandbox does not know.
  init?(_ identifier: String) {
    guard let zone = Self.known[identifier] else { return nil }
    self = zone
  }

  private static let known = Dictionary(
    uniqueKeysWithValues: [
      utc, Zone("Etc/UTC", hours: 0), Zone("GMT", hours: 0),
      Zone("Europe/Lisbon", hours: 0, .european), Zone("Europe/London", hours: 0, .european),
      Zone("Europe/Madrid", hours: 1, .european), Zone("Europe/Berlin", hours: 1, .european),
      Zone("Europe/Paris", hours: 1, .european), Zone("Europe/Rome", hours: 1, .european),
      Zone("Europe/Athens", hours: 2, .european), Zone("Europe/Kyiv", hours: 2, .european),
      Zone("America/New_York", hours: -5, .american), Zone("America/Chicago", hours: -6, .american),
      Zone("America/Denver", hours: -7, .american), Zone("America/Los_Angeles", hours: -8, .american),
      Zone("America/Mexico_City", hours: -6), Zone("America/Bogota", hours: -5), Zone("America/Sao_Paulo", hours: -3),
      Zone("America/Argentina/Buenos_Aires", hours: -3), Zone("Africa/Nairobi", hours: 3),
      Zone("Asia/Riyadh", hours: 3),
      Zone("Asia/Dubai", hours: 4), Zone("Asia/Kolkata", hours: 5.5), Zone("Asia/Shanghai", hours: 8),
      Zone("Asia/Tokyo", hours: 9), Zone("Asia/Seoul", hours: 9), Zone("Australia/Brisbane", hours: 10),
    ].map { ($0.identifier, $0) })
}

extension Zone {
  /// Seconds to add to UTC.
  func offset(at instant: Timestamp) -> Int {
    guard let (begin, end) = summer(of: instant) else { return standardOffset }
    return (begin..<end).contains(instant.secondsSince1970) ? standardOffset + 3600 : standardOffset
  }

  /// The instant at which the zone's clocks show a time.
  ///
  /// One that they skip lies an hour later; of one that they show twice it is the first.
  func instant(_ date: CivilDate, minuteOfDay: Int) -> Timestamp {
    let local = Int64(date.daysSince1970) * 86_400 + Int64(minuteOfDay) * 60
    let summer = Timestamp(secondsSince1970: local - Int64(standardOffset) - 3600)
    if offset(at: summer) != standardOffset { return summer }
    return Timestamp(secondsSince1970: local - Int64(standardOffset))
  }

  /// The day that the zone's calendars show.
  func date(at instant: Timestamp) -> CivilDate {
    CivilDate(daysSince1970: Int((instant.secondsSince1970 + Int64(offset(at: instant))).flooredDays))
  }

  func rfc3339(_ instant: Timestamp) -> String {
    OffsetDateTime(instant, offsetSeconds: offset(at: instant))?.rfc3339(fractionDigits: 0) ?? instant.rfc3339()
  }

  /// The first and the last second of summer time, in UTC, in the year of the instant.
  private func summer(of instant: Timestamp) -> (Int64, Int64)? {
    let year = CivilDate(daysSince1970: Int((instant.secondsSince1970 + Int64(standardOffset)).flooredDays)).year
    switch summerTime {
    case .none: return nil
    case .european: return (sunday(year, 3, onOrAfter: 25, 3600), sunday(year, 10, onOrAfter: 25, 3600))
    case .american:
      return (
        sunday(year, 3, onOrAfter: 8, 7200 - standardOffset), sunday(year, 11, onOrAfter: 1, 3600 - standardOffset)
      )
    }
  }

  private func sunday(_ year: Int, _ month: Int, onOrAfter day: Int, _ seconds: Int) -> Int64 {
    let first = CivilDate(year: year, month: month, day: day) ?? .min
    return Int64(first.adding(days: (7 - first.weekday.rawValue) % 7).daysSince1970) * 86_400 + Int64(seconds)
  }
}

extension Int64 {
  /// Whole days of as many seconds, rounded towards the past.
  fileprivate var flooredDays: Int64 { self >= 0 ? self / 86_400 : -((-self + 86_399) / 86_400) }
}

extension Weekday {
  /// Reads the two letters of [RFC 5545 § 3.3.10](https://www.rfc-editor.org/rfc/rfc5545.html#section-3.3.10).
  init?(code: some StringProtocol) {
    guard let index = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"].firstIndex(of: String(code)) else { return nil }
    self.init(rawValue: index)
  }
}
