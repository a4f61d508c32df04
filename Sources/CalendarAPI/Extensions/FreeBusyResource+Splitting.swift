// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Timekeeping

extension FreeBusyResource {
  /// Returns the free/busy information of more calendars and days than one request allows.
  ///
  /// The method splits the query at 50 calendars, or at ``FreeBusyRequest/calendarExpansionMax`` if less, and at 90
  /// days. Google rejects longer periods, but does not document its limit. At most four requests are sent concurrently, and at most
  /// 600 in all, the number that Google accepts from a user in a minute.
  ///
  /// The responses are merged: busy periods are in order, and overlapping or adjacent ones are joined. The errors of each calendar
  /// and group are kept. A calendar can therefore have both busy periods and an error, for different days.
  ///
  /// ```swift
  /// let start = Timestamp(secondsSince1970: 1_798_761_600)
  /// let year = FreeBusyRequest(calendars: ["primary", id], from: start, to: start + .seconds(365 * 86_400))
  /// let busy = try await client.freebusy.query(splitting: year).calendars?["primary"]?.busy ?? []
  /// ```
  ///
  /// - Parameter query: The calendars and groups, and the period. Repeated calendars and groups are queried once.
  /// - Returns: The merged response, in the form of a single response.
  /// - Throws: ``CalendarError`` if any of the requests is rejected. The other requests are then cancelled. If the query takes more
  ///   than 600 requests, the code is ``CalendarError/Code/invalidRequest``, and nothing is sent.
  @concurrent public func query(splitting query: FreeBusyRequest) async throws -> FreeBusyResponse {
    let parts = query.parts
    guard parts.count <= Self.maximumRequests else {
      throw CalendarError(
        .invalidRequest,
        "The query takes \(parts.count) requests, more than \(Self.maximumRequests). Nothing was sent. Shorten the period, or query fewer calendars."
      )
    }
    let responses = try await withThrowingTaskGroup(of: (Int, FreeBusyResponse).self) { group in
      var responses = [FreeBusyResponse?](repeating: nil, count: parts.count)
      for (index, part) in parts.enumerated() {
        if index >= Self.maximumConcurrency, let (index, response) = try await group.next() {
          responses[index] = response
        }
        group.addTask { (index, try await self.query(part)) }
      }
      for try await (index, response) in group { responses[index] = response }
      return responses.compactMap { $0 }
    }
    return FreeBusyResponse(merging: responses)
  }

  /// The maximum number of concurrent requests of one query.
  private static let maximumConcurrency = 4
  /// The maximum number of requests of one query, Google's quota of a user for a minute.
  private static let maximumRequests = 600
}

extension FreeBusyRequest {
  /// The maximum number of calendars and groups in one query.
  private static let maximumItems = 50
  /// The maximum period of one query.
  private static let maximumPeriod = Duration.seconds(90 * 86_400)

  /// The queries to send, by period and then by calendars, at least one.
  var parts: [FreeBusyRequest] {
    let lists = itemLists
    return periods.flatMap { period in
      lists.map { items in
        var part = self
        part.items = items
        part.timeMin = period.start
        part.timeMax = period.end
        return part
      }
    }
  }

  /// The distinct items, in lists of at most the maximum length.
  private var itemLists: [[FreeBusyRequestItem]?] {
    guard let items, !items.isEmpty else { return [items] }
    var seen: Set<FreeBusyRequestItem> = []
    var rest = items.filter { seen.insert($0).inserted }[...]
    let length = min(max(calendarExpansionMax ?? Self.maximumItems, 1), Self.maximumItems)
    var lists: [[FreeBusyRequestItem]?] = []
    while !rest.isEmpty {
      lists.append(Array(rest.prefix(length)))
      rest = rest.dropFirst(length)
    }
    return lists
  }

  /// Consecutive periods of at most the maximum length.
  ///
  /// An invalid period is left unchanged. The server then rejects it.
  private var periods: [(start: OffsetDateTime?, end: OffsetDateTime?)] {
    // A time outside of the years 0 to 9999 would take more requests than the memory holds.
    guard let timeMin, timeMin.timestamp >= CivilDate.min.startOfDayInUTC, let timeMax,
      timeMax.timestamp < CivilDate.max.startOfDayInUTC + .seconds(86_400)
    else { return [(timeMin, timeMax)] }
    var periods: [(start: OffsetDateTime?, end: OffsetDateTime?)] = []
    var start = timeMin
    while timeMax.timestamp - start.timestamp > Self.maximumPeriod,
      let end = OffsetDateTime(start.timestamp + Self.maximumPeriod, offsetSeconds: timeMin.offsetSeconds)
    {
      periods.append((start, end))
      start = end
    }
    periods.append((start, timeMax))
    return periods
  }
}

extension FreeBusyResponse {
  /// Creates a response by merging the responses to the parts of a query, in the order of their periods.
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
  /// Merges two dictionaries, either of which may be missing.
  fileprivate mutating func merge<Value>(
    _ other: [String: Value]?, uniquingKeysWith combine: (Value, Value) -> Value
  ) where Wrapped == [String: Value] {
    guard let other else { return }
    self = (self ?? [:]).merging(other, uniquingKeysWith: combine)
  }

  /// Appends the elements of an optional array.
  fileprivate mutating func append<Element>(_ other: [Element]?) where Wrapped == [Element] {
    guard let other else { return }
    self = (self ?? []) + other
  }

  /// Appends the elements missing from the array.
  fileprivate mutating func appendNew<Element: Hashable>(_ other: [Element]?) where Wrapped == [Element] {
    guard let other else { return }
    var seen = Set(self ?? [])
    append(other.filter { seen.insert($0).inserted })
  }
}

extension [TimePeriod] {
  /// The periods in order, with overlapping and adjacent ones joined.
  ///
  /// Periods without a start or an end come last, unchanged.
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
