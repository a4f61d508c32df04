// SPDX-License-Identifier: Apache-2.0

extension FreeBusyResource {
  /// Returns the free/busy information of any number of calendars and groups over a period of any length.
  ///
  /// The query is split at 50 calendars, or at ``FreeBusyRequest/calendarExpansionMax`` if that is less, and at 90 days,
  /// beyond which Google refuses a period. At most four requests are on their way at a time, and the responses are merged:
  /// busy periods are in order, and those that overlap or touch are one. The errors of each calendar and group are kept, so
  /// that a calendar may have both busy periods, of some days, and an error, of others.
  ///
  /// ```swift
  /// let start = Timestamp(secondsSince1970: 1_798_761_600)
  /// let year = FreeBusyRequest(calendars: ["primary", id], from: start, to: start + .seconds(365 * 86_400))
  /// let busy = try await client.freebusy.query(splitting: year).calendars?["primary"]?.busy ?? []
  /// ```
  ///
  /// - Parameter query: The calendars and groups, each once, and the period.
  /// - Returns: What a single response to the whole query would be.
  /// - Throws: ``CalendarError`` if any of the requests is refused; the other requests are then cancelled.
  public func query(splitting query: FreeBusyRequest) async throws -> FreeBusyResponse {
    let parts = query.parts
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

  /// The number of requests of one query that are on their way at a time.
  private static let maximumConcurrency = 4
}
