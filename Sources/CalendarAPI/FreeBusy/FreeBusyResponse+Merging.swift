// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Timekeeping

extension FreeBusyResponse {
  /// Merges the responses to the parts of a query, which are in the order of their periods.
  init(merging responses: [FreeBusyResponse]) {
    self.init()
    for response in responses {
      kind = kind ?? response.kind
      timeMin = timeMin ?? response.timeMin
      timeMax = response.timeMax ?? timeMax
      calendars.merge(response.calendars) { $0.appending($1) }
      groups.merge(response.groups) { $0.appending($1) }
      additionalFields.merge(response.additionalFields) { first, _ in first }
    }
    calendars = calendars?.mapValues { calendar in
      var calendar = calendar
      calendar.busy = calendar.busy?.joined
      return calendar
    }
  }
}

extension FreeBusyCalendar {
  fileprivate func appending(_ other: FreeBusyCalendar) -> FreeBusyCalendar {
    var merged = self
    merged.busy.append(other.busy)
    merged.errors.appendNew(other.errors)
    merged.additionalFields.merge(other.additionalFields) { first, _ in first }
    return merged
  }
}

extension FreeBusyGroup {
  fileprivate func appending(_ other: FreeBusyGroup) -> FreeBusyGroup {
    var merged = self
    merged.calendars.appendNew(other.calendars)
    merged.errors.appendNew(other.errors)
    merged.additionalFields.merge(other.additionalFields) { first, _ in first }
    return merged
  }
}

extension Optional {
  /// Merges a dictionary that may be missing into one that may be.
  fileprivate mutating func merge<Value>(
    _ other: [String: Value]?, uniquingKeysWith combine: (Value, Value) -> Value
  ) where Wrapped == [String: Value] {
    guard let other else { return }
    self = (self ?? [:]).merging(other, uniquingKeysWith: combine)
  }

  /// Appends the elements of an array that may be missing.
  fileprivate mutating func append<Element>(_ other: [Element]?) where Wrapped == [Element] {
    guard let other else { return }
    self = (self ?? []) + other
  }

  /// Appends those elements that are not there yet.
  fileprivate mutating func appendNew<Element: Hashable>(_ other: [Element]?) where Wrapped == [Element] {
    guard let other else { return }
    var seen = Set(self ?? [])
    append(other.filter { seen.insert($0).inserted })
  }
}

extension [TimePeriod] {
  /// The periods in order, those that overlap or touch as one.
  ///
  /// Those without a start or an end come last, as they are.
  fileprivate var joined: [TimePeriod] {
    var joined: [TimePeriod] = []
    for period in filter(\.isComplete).sorted(by: { $0.isEarlier(than: $1) }) {
      if let end = joined.last?.end, let start = period.start, start.timestamp <= end.timestamp {
        if let later = period.end, later.timestamp > end.timestamp { joined[joined.count - 1].end = later }
      } else {
        joined.append(period)
      }
    }
    return joined + filter { !$0.isComplete }
  }
}

extension TimePeriod {
  fileprivate var isComplete: Bool { start != nil && end != nil }

  fileprivate func isEarlier(than other: TimePeriod) -> Bool {
    guard let start, let otherStart = other.start else { return false }
    return start.timestamp < otherStart.timestamp
  }
}
