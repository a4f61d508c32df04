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
  /// The requests travel in one HTTP request, or in several, one after the other, if they are more than
  /// ``Options/maximumBatchSize`` or than the server accepts in a second. The server may carry them out in any order, and
  /// counts each for the quota. Each is sent again on its own account, by the reason of its failure, as ``send(_:)`` does:
  /// one that may have been carried out only if it is ``CalendarRequest/isRepeatable``. What cannot succeed within a batch
  /// is sent alone: a request that was in conflict with another one, one that was refused for its access token (which the
  /// transport then replaces), and a change of a working location.
  ///
  /// - Parameter requests: The requests, in any number.
  /// - Returns: The results, in the order of the requests. A failure has the code ``CalendarError/Code/invalidRequest`` if
  ///   the request breaks a limit and was not sent, ``CalendarError/Code/noResponse`` if the transport failed, while other
  ///   requests had a response, and ``CalendarError/Code/outcomeUnknown`` for a write that may have been carried out, as that of
  ///   ``send(_:)``.
  /// - Throws: Any error of the transport, if no request has a response yet or may have been carried out; `CancellationError`, promptly, if the task is
  ///   cancelled.
  public func batch<each Response>(
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
  /// They are sent as requests of several types are. Requests of several methods get one type by ``CalendarRequest/map(_:)``.
  ///
  /// ```swift
  /// let requests = [id, "another"].map { EventsResource.delete($0, in: "primary") }
  /// let failures = try await client.batch(requests).filter { (try? $0.get()) == nil }
  /// ```
  ///
  /// - Parameter requests: The requests, in any number.
  /// - Returns: The results, in the order of the requests.
  /// - Throws: Any error of the transport, if no request has a response yet or may have been carried out; `CancellationError`, promptly, if the task is
  ///   cancelled.
  public func batch<Response>(
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
