// SPDX-License-Identifier: Apache-2.0

extension CalendarRequest {
  /// Returns the same request with a response that is made of the method's own.
  ///
  /// So requests of several methods get one type:
  ///
  /// ```swift
  /// let requests: [CalendarRequest<String?>] = [
  ///   EventsResource.insert(event, calendarId: "primary").map { $0.id },
  ///   CalendarListResource.get(calendarId: "primary").map { $0.summary },
  /// ]
  /// let results = try await client.batch(requests)
  /// ```
  ///
  /// ``fields`` still selects fields of the method's response.
  ///
  /// - Parameter transform: Makes the new response. It is called once for every response of the method.
  public func map<Other>(_ transform: @escaping @Sendable (Response) -> Other) -> CalendarRequest<Other> {
    CalendarRequest<Other>(self, transform)
  }
}
