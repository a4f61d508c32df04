// SPDX-License-Identifier: Apache-2.0

import Timekeeping

extension CalendarClient {
  /// Sends requests of any methods together, and returns a result for each
  /// ([batch requests](https://developers.google.com/workspace/calendar/api/guides/batch)).
  ///
  /// ```swift
  /// let (event, colors) = try await client.batch(
  ///   EventsResource.get(id, in: "primary"),
  ///   ColorsResource.get())
  /// print(try event.get().summary ?? "", try colors.get().event?.count ?? 0)
  /// ```
  ///
  /// The client sends the requests in one HTTP request. If their number exceeds ``Options/maximumBatchSize`` or the
  /// rate that the server accepts, the client sends several HTTP requests, one after the other. The server may carry
  /// out the requests of a batch in any order, and charges each to the quota.
  ///
  /// Each request is retried separately, by the rules of ``send(_:)``. Three kinds of requests cannot succeed within a batch and
  /// are sent on their own:
  /// - a request that conflicted with another one
  /// - a request whose access token was rejected, which the transport then replaces
  /// - a change of a working location
  ///
  /// - Parameter requests: The requests, in any number.
  /// - Returns: The results, in the order of the requests. Besides the errors of ``send(_:)``, a failure has the code
  ///   ``CalendarError/Code/invalidRequest`` if the request exceeds a limit and was not sent, and
  ///   ``CalendarError/Code/noResponse`` if the transport failed after other requests received a response.
  /// - Throws: Any error of the transport, if no request has received a response or may have been carried out. Also
  ///   `CancellationError`, promptly, if the task is cancelled.
  @concurrent public func batch<each Response>(
    _ requests: repeat CalendarRequest<each Response>
  ) async throws -> (repeat Result<each Response, CalendarError>) {
    let items = (repeat BatchItem(each requests, began: clock.now))
    var erased: [any BatchMember] = []
    for item in repeat each items { erased.append(item) }
    try await send(erased)
    return (repeat (each items).outcome)
  }

  /// Sends requests of one type together, and returns a result for each.
  ///
  /// The rules are those for requests of several types. To give requests of several methods one type, use
  /// ``CalendarRequest/map(_:)``.
  ///
  /// ```swift
  /// let requests = [id, "another"].map { EventsResource.delete($0, in: "primary") }
  /// let failures = try await client.batch(requests).filter { (try? $0.get()) == nil }
  /// ```
  ///
  /// - Parameter requests: The requests, in any number.
  /// - Returns: The results, in the order of the requests.
  /// - Throws: Any error of the transport, if no request has received a response or may have been carried out. Also
  ///   `CancellationError`, promptly, if the task is cancelled.
  @concurrent public func batch<Response>(
    _ requests: [CalendarRequest<Response>]
  ) async throws -> [Result<Response, CalendarError>] {
    let items = requests.map { BatchItem($0, began: clock.now) }
    try await send(items)
    return items.map(\.outcome)
  }

  private func send(_ members: [any BatchMember]) async throws {
    var run = BatchRun(client: self, members: members)
    try await run.finish()
  }
}
