// SPDX-License-Identifier: Apache-2.0

import Foundation
import Recurrence
import TestSupport
import Testing
import Timekeeping

/// `COUNT` is the number of distinct instants, also where a gap makes two local times one instant.
@Suite(.hangLimit) struct CountTests {
  @Test(arguments: [
    // The clocks go from 02:00 to 03:00 on 29 March 2026.
    ("Europe/Zurich", "20260329T010000", "FREQ=HOURLY;COUNT=3", ["010000", "030000", "040000"]),
    (
      "Europe/Zurich", "20260329T013000", "FREQ=MINUTELY;INTERVAL=30;COUNT=4", ["013000", "030000", "033000", "040000"]
    ),
    ("Europe/Zurich", "20260329T010000", "FREQ=DAILY;BYHOUR=1,2,3;COUNT=4", ["010000", "030000", "010000", "020000"]),
    // The start is skipped. No occurrence precedes it.
    ("Europe/Zurich", "20260329T023000", "FREQ=MINUTELY;INTERVAL=35;COUNT=3", ["033000", "034000", "041500"]),
    ("Europe/Zurich", "20260329T023000", "FREQ=DAILY;BYHOUR=2,3;COUNT=3", ["033000", "023000", "033000"]),
    // 30 December 2011 is skipped.
    ("Pacific/Apia", "20111228T100000", "FREQ=DAILY;COUNT=4", ["100000", "100000", "100000", "100000"]),
    ("Pacific/Apia", "20111229T230000", "FREQ=HOURLY;COUNT=3", ["230000", "000000", "010000"]),
  ])
  func countIsOfDistinctInstants(name: String, start: String, rule: String, expected: [String]) throws {
    let set = try RecurrenceSet(start: time(start, in: zone(name)), rules: [RecurrenceRule(rule)])
    #expect(set.shown(99).map { String($0.suffix(6)) } == expected)
  }

  private static let rules = [
    ("FREQ=SECONDLY;INTERVAL=700", 11), ("FREQ=MINUTELY;INTERVAL=30", 9), ("FREQ=HOURLY", 7),
    ("FREQ=DAILY;BYHOUR=0,1,2,3,23;BYMINUTE=0,30", 17), ("FREQ=WEEKLY;BYDAY=TH,FR,SA,SU,MO", 9),
  ]

  /// Every gap of every zone from 1970 to 2037, with the reference of one local time after the other.
  @Test func everyGapLeavesTheCount() throws {
    let rules = try Self.rules.map { text, count in
      (try RecurrenceRule("\(text);COUNT=\(count)"), try RecurrenceRule(text), count)
    }
    var gaps = 0
    for zone in try Self.zones() {
      for change in Self.changes(of: zone) {
        let last = change - .seconds(1)
        let gap = zone.offset(at: change) - zone.offset(at: last)
        guard gap > 0 else { continue }
        gaps += 1
        let start = zone.local(at: last - .seconds(gaps % 3 * 3600))
        for (rule, endless, count) in rules {
          let set = try RecurrenceSet(start: .local(start, zone), rules: [rule])
          let all = set.occurrences.map(\.timestamp)
          let rest = set.occurrences(from: all[gaps % count]).map(\.timestamp)
          guard all == (try reference(set, endless, count, gap: gap)), rest == Array(all[(gaps % count)...]) else {
            Issue.record("\(rule) from \(start) in \(zone): \(all)")
            return
          }
        }
      }
    }
    #expect(gaps > 5000)
  }

  /// The search for a distant span counts the occurrences of the gaps before it.
  @Test(arguments: [
    ("Europe/Zurich", "FREQ=HOURLY;COUNT=100000"), ("Europe/Zurich", "FREQ=MINUTELY;INTERVAL=20;COUNT=100000"),
    ("Europe/Zurich", "FREQ=HOURLY;INTERVAL=7;BYMINUTE=0,5;COUNT=20000"),
    ("Europe/Zurich", "FREQ=DAILY;BYHOUR=1,2,3;COUNT=9000"), ("Pacific/Apia", "FREQ=DAILY;COUNT=4000"),
    ("Pacific/Apia", "FREQ=WEEKLY;BYDAY=FR,SA,SU;COUNT=2000"),
    ("Australia/Lord_Howe", "FREQ=MINUTELY;INTERVAL=30;COUNT=90000"),
  ])
  func distantSpanHasTheRest(name: String, rule: String) throws {
    var numbers = SeededNumbers(seed: 5)
    for start in ["20080329T023000", "20080330T023000", "20111228T100000", "20111230T003000"] {
      var set = try RecurrenceSet(start: time(start, in: zone(name)), rules: [RecurrenceRule(rule)])
      for includesStart in [true, false] {
        set.includesStart = includesStart
        let all = set.occurrences.map(\.timestamp)
        guard case .count(let count) = set.rules[0].end else { return }
        #expect(all.count == count)
        for _ in 0..<9 {
          let index = Int.random(in: max(0, count - 500)..<count, using: &numbers)
          #expect(set.occurrences(from: all[index]).map(\.timestamp) == Array(all[index...]))
        }
      }
    }
  }

  /// The instants of a rule's local times, each once, in order, for a start at most three hours before a gap.
  private func reference(_ set: RecurrenceSet, _ endless: RecurrenceRule, _ count: Int, gap: Int) throws -> [Timestamp]
  {
    let plain = try RecurrenceSet(start: .utc(set.start.local), rules: [endless])
    let end = set.start.local.timestampInUTC + .seconds(3 * 3600 + 2 * gap)
    var instants: Set<Timestamp> = []
    for occurrence in plain.occurrences {
      if instants.count >= count, occurrence.timestamp > end { break }
      instants.insert(set.start.zone.timestamp(of: occurrence.local))
    }
    return Array(instants.sorted().prefix(count))
  }

  /// All zones of the system, without other names of the same.
  private static func zones() throws -> [Zone] {
    let folder = try #require(SystemZoneDatabase.systemFolders.first(where: FileManager.default.fileExists))
    let names = try #require(FileManager.default.enumerator(atPath: folder)).compactMap { $0 as? String }
    var seen: Set<Data> = []
    return names.sorted().compactMap { name in
      guard let data = FileManager.default.contents(atPath: folder + "/" + name), data.starts(with: Data("TZif".utf8)),
        seen.insert(data).inserted
      else { return nil }
      return try? Zone(identifier: name, tzif: Array(data))
    }
  }

  /// The changes of a zone's offset from 1970 to 2037, where none is undone within five days.
  private static func changes(of zone: Zone) -> [Timestamp] {
    let step: Int64 = 5 * 86_400
    func offset(_ seconds: Int64) -> Int { zone.offset(at: Timestamp(secondsSince1970: seconds)) }
    var (changes, last): ([Timestamp], Int) = ([], offset(0))
    for start in stride(from: Int64(0), to: 2_145_916_800, by: Int(step)) {
      let next = offset(start + step)
      guard next != last else { continue }
      var (low, high) = (start, start + step)
      while high - low > 1 {
        let middle = (low + high) / 2
        if offset(middle) == last { low = middle } else { high = middle }
      }
      changes.append(Timestamp(secondsSince1970: high))
      last = next
    }
    return changes
  }
}
