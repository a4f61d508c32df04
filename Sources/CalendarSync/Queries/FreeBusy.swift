// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import Recurrence
public import Timekeeping

extension CalendarStore {
  /// Returns when calendars are busy within a range, as the server computes it.
  ///
  /// A calendar is busy during events neither transparent nor declined by the calendar's owner. Periods are in order,
  /// cut at the bounds of the range, and overlapping or adjacent ones are joined. All-day events take place in the zone
  /// of their calendar.
  ///
  /// ```swift
  /// let busy = try await store.busyPeriods(in: [id], for: "me", from: start, to: start + .seconds(86_400))[id] ?? []
  /// ```
  ///
  /// - Parameters:
  ///   - calendarIDs: The identifiers of the calendars.
  ///   - account: The account.
  ///   - start: The start of the range.
  ///   - end: The exclusive end of the range.
  /// - Returns: The periods of each calendar, or an empty array if it is free or not stored.
  /// - Throws: ``CalendarStoreError``, or `CancellationError`.
  @concurrent public func busyPeriods(
    in calendarIDs: [String], for account: String, from start: Timestamp, to end: Timestamp
  ) async throws -> [String: [Range<Timestamp>]] {
    var periods: [String: [Range<Timestamp>]] = [:]
    for id in calendarIDs where periods[id] == nil {
      let entry = try await resource(id, in: .calendarList, for: account)
      let occurrences = try await occurrences(in: [id], for: account, from: start, to: end, zone: Self.zone(of: entry))
      periods[id] = occurrences.filter(\.isBusy).busyPeriods(from: start, to: end)
    }
    return periods
  }

  private static func zone(of entry: SyncResource?) -> Zone {
    guard case .calendar(let calendar) = entry, let name = calendar.timeZone else { return .utc }
    return (try? SystemZoneDatabase.shared.zone(name)) ?? .utc
  }
}

extension EventOccurrence {
  /// Whether the event makes the calendar's owner busy.
  fileprivate var isBusy: Bool {
    guard event.transparency != .transparent else { return false }
    let owner = event.attendees?.first { $0.isSelf == true || $0.email?.lowercased() == calendarID.lowercased() }
    return owner?.responseStatus != .declined
  }
}

extension [EventOccurrence] {
  /// The periods of occurrences in order of their starts.
  fileprivate func busyPeriods(from start: Timestamp, to end: Timestamp) -> [Range<Timestamp>] {
    var periods: [Range<Timestamp>] = []
    for occurrence in self where occurrence.start < occurrence.end {
      let (first, last) = (Swift.max(occurrence.start, start), Swift.min(occurrence.end, end))
      // The period can end before its start.
      guard first < last else { continue }
      if let previous = periods.last, previous.upperBound >= first {
        periods[periods.count - 1] = previous.lowerBound..<Swift.max(previous.upperBound, last)
      } else {
        periods.append(first..<last)
      }
    }
    return periods
  }
}
