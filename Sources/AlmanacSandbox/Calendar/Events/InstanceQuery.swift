// SPDX-License-Identifier: Apache-2.0

import Timekeeping

/// Which instances of a series are requested.
struct InstanceQuery: Sendable {
  private let timeMin: Timestamp?
  private let timeMax: Timestamp?
  private let originalStart: String?
  private let showsDeleted: Bool
  private let last: Timestamp

  init(_ call: CalendarCall) throws(APIFault) {
    timeMin = call.parameters.instant("timeMin")
    timeMax = call.parameters.instant("timeMax")
    if let timeMin, let timeMax, timeMin >= timeMax { throw .timeRangeEmpty }
    originalStart = call.parameters["originalStart"]
    showsDeleted = call.parameters.flag("showDeleted")
    let furthest = call.now + .seconds(3660 * 86_400)
    last = min(timeMax ?? max(timeMin ?? call.now, call.now) + .seconds(2 * 366 * 86_400), furthest)
  }

  func rows(of event: StoredEvent, _ series: EventSeries, in calendar: StoredCalendar) -> [EventQuery.Row] {
    var exceptions: [Int64: StoredEvent] = [:]
    for exception in calendar.events.exceptions(of: event.id) {
      if let start = exception.exception?.originalStart { exceptions[start.slot] = exception }
    }
    var found = Array(exceptions.values.filter { showsDeleted || !$0.isCancelled })
    for start in series.starts(from: timeMin, to: last) where exceptions[start.slot] == nil {
      found.append(event.instance(at: start))
    }
    return found.filter { isRequested($0, calendar) }.map { instance in
      (SortKey(first: instance.start.instant(in: calendar.zone).secondsSince1970, id: instance.id), instance)
    }
  }

  /// `timeMin` bounds the end and is within; `timeMax` bounds the start and is not.
  private func isRequested(_ instance: StoredEvent, _ calendar: StoredCalendar) -> Bool {
    let (start, end) = (instance.start.instant(in: calendar.zone), instance.end.instant(in: calendar.zone))
    if let timeMin, end < timeMin { return false }
    if start >= last { return false }
    guard let originalStart, let original = instance.exception?.originalStart else { return true }
    if let time = try? Timestamp(rfc3339: originalStart) {
      return !original.isDay && original.instant(in: calendar.zone) == time
    }
    return original.isDay && original == (try? CivilDate(rfc3339: originalStart)).map(EventTime.day)
  }
}
