// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Timekeeping

extension CalendarClient {
  /// Sends a request, again after a pause if the server or the network failed for the moment.
  ///
  /// Sent again, as often as ``Options/retryPolicy`` says, are requests that came too fast, by the reason and not by the
  /// status, and those that did not reach the server; after any other passing failure only requests that are
  /// ``CalendarRequest/isRepeatable``. What is to be deleted and does not exist counts as deleted. An event whose insertion
  /// was lost and which exists when it is sent again counts as inserted.
  ///
  /// - Returns: The response of the method.
  /// - Throws: ``CalendarError``; any error of the transport; `CancellationError`, promptly, if the task is cancelled.
  public func send<Response>(_ request: CalendarRequest<Response>) async throws -> Response {
    let httpRequest = try request.httpRequest(below: baseURL, options)
    var attempt = 1
    while true {
      let sent = try await pacer.turn(clock)
      try Task.checkCancellation()
      let wait: Duration
      do {
        let response = try await transport.send(httpRequest)
        try Task.checkCancellation()
        do throws(CalendarError) {
          let value = try request.response(response)
          pacer.succeed()
          return value
        } catch {
          if error.isRateLimit { pacer.slowDown(afterRequestAt: sent, now: clock.now) }
          if let done = try await completion(of: request, after: error, attempt: attempt) { return done }
          guard let pause = pause(after: error, response, attempt: attempt, isRepeatable: request.isRepeatable) else {
            throw error
          }
          wait = pause
        }
      } catch let error as TransportError {
        guard attempt < options.retryPolicy.maximumAttempts, options.retryPolicy.mayRetry(httpRequest, after: error)
        else { throw error }
        wait = options.retryPolicy.delay(after: attempt, fraction: Double.random(in: 0...1))
      }
      try await clock.sleep(for: wait)
      attempt += 1
    }
  }

  /// The response if a refusal says that the work was done before.
  private func completion<Response>(
    of request: CalendarRequest<Response>, after error: CalendarError, attempt: Int
  ) async throws -> Response? {
    switch request.completion {
    case .gone(let response) where error.isAbsence: response
    case .exists(let always, let read) where error.isDuplicate && (always || attempt > 1): try await send(read())
    default: nil
    }
  }

  /// The pause before the next attempt; `nil` if there is to be none, or the server asks for a pause that is too long.
  func pause(
    after error: CalendarError, _ response: HTTPResponse, attempt: Int, isRepeatable: Bool
  ) -> Duration? {
    guard attempt < options.retryPolicy.maximumAttempts, error.isRetryable, isRepeatable || error.isRateLimit else {
      return nil
    }
    let asked = response.retryAfter(clock.now) ?? .zero
    guard asked <= options.retryPolicy.maximumRetryAfter else { return nil }
    return max(asked, options.retryPolicy.delay(after: attempt, fraction: Double.random(in: 0...1)))
  }
}

extension CalendarClient {
  /// Returns the pages of the collection that a request lists, from the page it is for.
  public func pages<Page>(of request: CalendarRequest<Page>) -> CalendarPages<Page> {
    CalendarPages(client: self, request: request.keepingTokens)
  }

  /// Returns the elements of the collection that a request lists, from the page it is for.
  public func elements<Page>(of request: CalendarRequest<Page>) -> CalendarElements<Page> {
    CalendarElements(pages: pages(of: request))
  }
}

extension CalendarRequest where Response: CalendarPage {
  /// The request with the tokens among its fields: a page without them would pass for the last one.
  fileprivate var keepingTokens: Self {
    var request = self
    request.fields?.insert("nextPageToken")
    request.fields?.insert("nextSyncToken")
    return request
  }
}
