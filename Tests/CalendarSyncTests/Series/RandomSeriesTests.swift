// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import CalendarSync
import Foundation
import Recurrence
import TestSupport
import Testing
import Timekeeping

/// Random series edited in each way, compared with a reference that looks at every day.
struct RandomSeriesTests {
  /// The number of series: `ALMANAC_SERIES_SEEDS`, or 120.
  private static let count = ProcessInfo.processInfo.environment["ALMANAC_SERIES_SEEDS"].flatMap(UInt64.init) ?? 120

  private static func line(_ start: Timestamp, _ end: Timestamp, _ summary: String?) -> String {
    "\(OffsetDateTime(start)) \(OffsetDateTime(end)) \(summary ?? "")"
  }

  private static func lines(_ instances: [ReferenceSeries.Instance], before limit: Int64) -> [String] {
    instances.filter { !$0.isCancelled && $0.start < limit }.map {
      line(Timestamp(secondsSince1970: $0.start), Timestamp(secondsSince1970: $0.end), $0.summary)
    }.sorted()
  }

  private static func lines(_ occurrences: [EventOccurrence]) -> [String] {
    occurrences.map { line($0.start, $0.end, $0.event.summary) }.sorted()
  }

  @Test func plansHaveTheInstancesOfTheReference() throws {
    var refused = 0
    for seed in 1...Self.count {
      let edit = RandomEdit(seed: seed)
      let first = Int64(edit.series.start.day) * 86_400 - 10 * 86_400
      let limit = first + Int64(ReferenceSeries.horizon - 60) * 86_400
      func preview(_ plan: SeriesPlan) -> SeriesPreview {
        plan.preview(
          from: Timestamp(secondsSince1970: first), to: Timestamp(secondsSince1970: limit), zone: .utc)
      }
      do {
        let shown = preview(try edit.plan(of: edit.stored, edit.instance))
        for (found, expected) in [(shown.before, edit.before), (shown.after, edit.after)] {
          let difference = Self.lines(found).difference(from: Self.lines(expected, before: limit))
          #expect(difference.isEmpty, "seed \(seed): \(edit)")
        }
      } catch let error as CalendarEditError {
        refused += 1
        #expect(edit.canBeRefused && error.code == .cannotMove, "seed \(seed): \(edit): \(error)")
      }
    }
    #expect(refused < Int(Self.count) / 8)
  }
}
