// SPDX-License-Identifier: Apache-2.0

public import Timekeeping

/// A transport that sends a request again when the response or the fault allows it.
///
/// Made by ``Transport/retrying(_:clock:)``.
struct RetryingTransport: Transport {
  let base: any Transport
  let policy: RetryPolicy
  let clock: any WallClock

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    guard policy.decides(about: request) else { return try await base.send(request) }
    let deadline = request.timeout.map { clock.now + $0 }
    var attempts = request.attempts
    while true {
      var request = request
      request.attempts.areDecidedAbove = true
      if let deadline { request.timeout = max(.milliseconds(1), deadline - clock.now) }
      let attempt = attempts.failed + 1
      let wait: Duration
      do {
        var response = try await base.send(request)
        response.attempts = attempts
        guard attempt < policy.maximumAttempts, policy.mayRetry(request, after: response.status) else {
          return response
        }
        let asked = response.retryAfter(clock.now) ?? .zero
        guard asked <= policy.maximumRetryAfter else { return response }
        wait = max(asked, backoff(after: attempt))
        if let deadline, clock.now + wait >= deadline { return response }
        attempts.mayHaveSucceeded =
          attempts.mayHaveSucceeded || !policy.unprocessedStatuses.contains(response.status)
      } catch let error as TransportError {
        guard attempt < policy.maximumAttempts, policy.mayRetry(request, after: error) else {
          throw error.following(attempts)
        }
        wait = backoff(after: attempt)
        if let deadline, clock.now + wait >= deadline { throw error.following(attempts) }
        attempts.mayHaveSucceeded =
          attempts.mayHaveSucceeded || !(error.code == .unreachable || error.isOfPreparation)
      }
      try await clock.sleep(for: wait)
      attempts.failed += 1
    }
  }

  private func backoff(after attempt: Int) -> Duration {
    policy.delay(after: attempt, fraction: Double.random(in: 0...1))
  }
}

extension TransportError {
  /// The error of a call, whose last attempt this error ended.
  ///
  /// A call that may have been carried out must not look as if it had not reached a server.
  fileprivate func following(_ attempts: CallAttempts) -> TransportError {
    var error = self
    if attempts.mayHaveSucceeded, code == .unreachable || isOfPreparation {
      error = TransportError(
        .connectionLost, reason: reason,
        "The last attempt did not reach the server. The request may have been carried out: an earlier attempt failed "
          + "without a clear response.",
        cause: self)
    }
    error.attemptsAreSpent = true
    return error
  }
}

extension Transport {
  /// Returns a transport that sends a request again when the network or the server failed for the moment.
  ///
  /// Sent again are requests that did not reach a server, requests to which the server responded with one of
  /// ``RetryPolicy/unprocessedStatuses`` (429), and, if ``HTTPRequest/isRepeatable``, those that were lost or brought 408,
  /// 500, 502, 503 or 504. A request that may have been carried out is never sent again otherwise. A request's own timeout
  /// spans all attempts. Cancelling the task ends a wait at once.
  ///
  /// If a layer above it retries, such as another retrying transport or the Calendar API's client, that layer decides, and this one
  /// sends each of its attempts once: see ``RetryPolicy``.
  ///
  /// - Parameters:
  ///   - policy: How often and how long.
  ///   - clock: The clock that waits.
  public func retrying(
    _ policy: RetryPolicy = .default, clock: some WallClock = SystemClock()
  ) -> some Transport {
    RetryingTransport(base: self, policy: policy, clock: clock)
  }
}
