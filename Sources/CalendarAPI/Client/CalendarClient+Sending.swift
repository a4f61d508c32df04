// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Timekeeping

extension CalendarClient {
  /// Sends a request, and retries it after transient failures of the server or the network.
  ///
  /// A request is retried, up to the limit of ``Options/retryPolicy``, in three cases:
  /// - The error's reason, not its status, is a rate limit.
  /// - The request did not reach the server.
  /// - Another transient failure occurred and the request is ``CalendarRequest/isRepeatable``.
  ///
  /// Deleting a resource that does not exist succeeds. If an earlier attempt may have inserted an event, a retried
  /// insertion returns the existing event with its identifier.
  ///
  /// A retried change with ``CalendarRequest/ifMatch`` can be rejected because its first attempt succeeded and the response was
  /// lost. The client then reads the resource and returns it if it matches the change, whichever client made it. If the resource
  /// does not match or cannot be read, the error has code ``CalendarError/Code/outcomeUnknown``. A POST with a condition fails
  /// with the same code, because there is no resource to read. A deletion fails with ``CalendarError/Code/conditionNotMet`` only
  /// if the resource still exists.
  ///
  /// If no attempts are left, the method throws the last error. For a write that an attempt may have carried out, it
  /// throws an error with code ``CalendarError/Code/outcomeUnknown`` instead. Its cause is the last error.
  /// ``CalendarError/unknownOutcome`` then has the identifier and a request that reads the current state.
  ///
  /// The policy applies to the whole call: a retrying transport sends each attempt once. The method encodes the request and decodes
  /// the response outside of the caller's actor.
  ///
  /// - Returns: The response of the method.
  /// - Throws: ``CalendarError``, or any error of the transport. Also `CancellationError`, promptly, if the task is
  ///   cancelled.
  @discardableResult
  @concurrent public func send<Response>(_ request: CalendarRequest<Response>) async throws -> Response {
    let httpRequest = try request.httpRequest(below: baseURL, options)
    let call = Call(timeout: httpRequest.timeout)
    var attempts = RequestAttempts(began: clock.now)
    while true {
      let sent = try await pacer.turn(clock)
      try Task.checkCancellation()
      let wait: Duration
      do {
        let response = try await CallContext.send(
          httpRequest, by: transport, within: call, isDecidedAbove: options.retryPolicy.retries)
        try Task.checkCancellation()
        attempts.add(call)
        do throws(CalendarError) {
          let value = try request.response(response)
          pacer.succeed()
          return value
        } catch {
          if error.isRateLimit { pacer.slowDown(afterRequestAt: sent, now: clock.uptime) }
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
        // The request was not sent, for example because no token could be obtained.
        throw request.failure(after: error, attempts)
      }
      try await clock.sleep(for: wait)
    }
  }

  /// Sends the request that determines the outcome of `request`.
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

  /// Returns the delay before the next attempt, or `nil` if the request is not retried or `Retry-After` is too long.
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
  /// Returns the pages of a collection, starting at the request's page.
  public func pages<Page>(of request: CalendarRequest<Page>) -> CalendarPages<Page> {
    CalendarPages(client: self, request: request.keepingTokens)
  }

  /// Returns the elements of a collection, starting at the request's page.
  public func elements<Page>(of request: CalendarRequest<Page>) -> CalendarElements<Page> {
    CalendarElements(pages: pages(of: request))
  }
}

extension CalendarRequest where Response: CalendarPage {
  /// The request, with the page and sync tokens in its field mask.
  ///
  /// A page without tokens would look like the last one.
  fileprivate var keepingTokens: Self {
    var request = self
    request.fieldMask?.insert("nextPageToken")
    request.fieldMask?.insert("nextSyncToken")
    return request
  }
}
