// SPDX-License-Identifier: Apache-2.0

import Recurrence
import Timekeeping

/// Tests any bytes as a file of the time zone database, as a zone's rule, and as the lines of a series.
///
/// A parsed rule survives writing and parsing. Its occurrences ascend, and a search from any of them finds the rest.
func fuzz(_ input: [UInt8]) {
  if let zone = try? Zone(identifier: "Tools/Fuzz/TZif", tzif: input) { check(zone) }
  let text = String(decoding: input, as: UTF8.self)
  if let zone = try? Zone(identifier: "Tools/Fuzz/POSIX", posixRule: text) { check(zone) }
  let lines = text.split(separator: "\n").map(String.init)
  for line in lines {
    guard let rule = try? RecurrenceRule(line) else { continue }
    precondition((try? RecurrenceRule(rule.description)) == rule)
  }
  let date = CivilDate(daysSince1970: 20_000)
  if let local = LocalDateTime(date, hour: 2, minute: 30) {
    for start in [SeriesTime.date(date), .utc(local), .local(local, zurich)] {
      if let set = try? RecurrenceSet(start: start, lines: lines, zones: FuzzZones()) { check(set) }
    }
  }
}

/// Checks that a local time survives conversion to an instant and back, unless the zone skips it.
private func check(_ zone: Zone) {
  for seconds: Int64 in [.min, -100_000_000_000, -1, 0, 1_700_000_000, 4_000_000_000, .max] {
    let timestamp = Timestamp(secondsSince1970: seconds)
    precondition(abs(zone.offset(at: timestamp)) < 93_600)
    let local = zone.local(at: timestamp)
    let found = zone.timestamp(of: local)
    if (-50_000_000_000...50_000_000_000).contains(seconds) {
      precondition(found <= timestamp && zone.local(at: found) == local)
    }
  }
}

private func check(_ set: RecurrenceSet) {
  let end = Timestamp(secondsSince1970: 2_000_000_000)
  // Beyond it, skipped and excluded occurrences would only take time.
  let occurrences = Array(set.occurrences(from: .unixEpoch, to: end).prefix(40))
  precondition(zip(occurrences, occurrences.dropFirst()).allSatisfy { $0 < $1 })
  if let middle = occurrences.dropFirst(5).first {
    let rest = set.occurrences(from: middle.timestamp, to: end).prefix(occurrences.count - 5)
    precondition(rest.elementsEqual(occurrences.dropFirst(5)))
  }
  let again = try? RecurrenceSet(start: set.start, lines: set.lines, zones: FuzzZones())
  precondition(again.map { Array($0.occurrences(from: .unixEpoch, to: end).prefix(40)) } == occurrences)
}

private let zurich = (try? Zone(identifier: "Europe/Zurich", posixRule: "CET-1CEST,M3.5.0,M10.5.0/3")) ?? .utc

private struct FuzzZones: ZoneDatabase {
  func zone(_ identifier: String) throws(ZoneError) -> Zone {
    try Zone(identifier: identifier, posixRule: "EST5EDT,M3.2.0,M11.1.0")
  }
}
