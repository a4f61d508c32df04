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
  /// A change with ``CalendarRequest/ifMatch`` that is sent again may be refused because its own first attempt was carried
  /// out and the response was lost. The resource is then read: if it is what the change leaves behind, it is the response,
  /// even if another client made the same change. If it is not, or cannot be read, the error has the code
  /// ``CalendarError/Code/outcomeUnknown``; so it has after a POST, which no resource can be read for. A deletion is
  /// refused, with ``CalendarError/Code/conditionNotMet``, only if the resource is still there.
  ///
  /// If no attempt is left, the error is that of the last one, unless it is a write and an attempt may have been carried out:
  /// then the code is ``CalendarError/Code/outcomeUnknown``, the last error is its cause, and
  /// ``CalendarError/unknownOutcome`` has the identifier and a request that reads what is there.
  ///
  /// The policy holds for the call as a whole: a transport that retries sends each of its attempts once.
  ///
  /// - Returns: The response of the method.
  /// - Throws: ``CalendarError``; any error of the transport; `CancellationError`, promptly, if the task is cancelled.
  public func send<Response>(_ request: CalendarRequest<Response>) async throws -> Response {
    var httpRequest = try request.httpRequest(below: baseURL, options)
    httpRequest.attempts.areDecidedAbove = options.retryPolicy.decides(about: httpRequest)
    var attempts = RequestAttempts(began: clock.now)
    while true {
      let sent = try await pacer.turn(clock)
      try Task.checkCancellation()
      let wait: Duration
      do {
        let response = try await transport.send(httpRequest)
        try Task.checkCancellation()
        attempts.add(response)
        do throws(CalendarError) {
          let value = try request.response(response)
          pacer.succeed()
          return value
        } catch {
          if error.isRateLimit { pacer.slowDown(afterRequestAt: sent, now: clock.now) }
          switch request.outcome(after: error, attempts) {
          case .done(let value)?: return value
          case .check(let check)?: return try await sendCheck(check, of: request, attempts)
          case .unknown(let error)?: throw error
          case nil: break
          }
          guard let pause = pause(after: error, response, attempts, isRepeatable: request.isRepeatable) else {
            throw request.failure(after: error, attempts)
          }
          wait = pause
          attempts.retry(after: error)
        }
      } catch let error as TransportError {
        guard attempts.count < options.retryPolicy.maximumAttempts,
          options.retryPolicy.mayRetry(httpRequest, after: error)
        else { throw request.failure(after: error, attempts) }
        wait = options.retryPolicy.delay(after: attempts.count, fraction: Double.random(in: 0...1))
        attempts.retry(after: error)
      } catch  where !(error is CalendarError) {
        // It was not sent, such as for want of a token.
        throw request.failure(after: error, attempts)
      }
      try await clock.sleep(for: wait)
    }
  }

  /// Sends the request that finds out the outcome of another one.
  private func sendCheck<Response>(
    _ check: CalendarRequest<Response>, of request: CalendarRequest<Response>, _ attempts: RequestAttempts
  ) async throws -> Response {
    do {
      return try await send(check)
    } catch let error as CancellationError {
      throw error
    } catch {
      throw request.failure(ofCheck: error, attempts)
    }
  }

  /// The pause before the next attempt; `nil` if there is to be none, or the server asks for a pause that is too long.
  func pause(
    after error: CalendarError, _ response: HTTPResponse, _ attempts: RequestAttempts, isRepeatable: Bool
  ) -> Duration? {
    guard attempts.count < options.retryPolicy.maximumAttempts, error.isRetryable, isRepeatable || error.isRateLimit
    else { return nil }
    let asked = response.retryAfter(clock.now) ?? .zero
    guard asked <= options.retryPolicy.maximumRetryAfter else { return nil }
    return max(asked, options.retryPolicy.delay(after: attempts.count, fraction: Double.random(in: 0...1)))
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
    request.fieldMask?.insert("nextPageToken")
    request.fieldMask?.insert("nextSyncToken")
    return request
  }
}
