// SPDX-License-Identifier: Apache-2.0

public import Timekeeping

/// A transport that retries a request if the response or the fault allows it.
///
/// Made by ``Transport/retrying(_:clock:)``.
struct RetryingTransport: Transport {
  let base: any Transport
  let policy: RetryPolicy
  let clock: any WallClock

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let context = CallContext.current
    var request = request
    guard policy.retries, context?.isDecidedAbove != true else {
      request.timeout = request.timeLimit(clock)
      return try await base.send(request)
    }
    let call = context?.call ?? Call(timeout: request.timeout)
    let deadline = call.timeLimit(of: request, clock).map { clock.uptime + $0 }
    while true {
      if let deadline { request.timeout = max(.milliseconds(1), deadline - clock.uptime) }
      let attempt = call.failed + 1
      let wait: Duration
      let mayHaveSucceeded: Bool
      do {
        let response = try await CallContext.send(request, by: base, within: call, isDecidedAbove: true)
        guard attempt < policy.maximumAttempts, policy.mayRetry(request, after: response.status) else {
          return response
        }
        let asked = response.retryAfter(clock.now) ?? .zero
        guard asked <= policy.maximumRetryAfter else { return response }
        wait = max(asked, backoff(after: attempt))
        if let deadline, clock.uptime + wait >= deadline { return response }
        mayHaveSucceeded = !policy.unprocessedStatuses.contains(response.status)
      } catch let error as TransportError {
        guard attempt < policy.maximumAttempts, policy.mayRetry(request, after: error) else {
          throw error.ending(call)
        }
        wait = backoff(after: attempt)
        if let deadline, clock.uptime + wait >= deadline { throw error.ending(call) }
        mayHaveSucceeded = !(error.code == .unreachable || error.isOfPreparation)
      }
      call.fail(mayHaveSucceeded: mayHaveSucceeded)
      try await clock.sleep(for: wait)
    }
  }

  private func backoff(after attempt: Int) -> Duration {
    policy.delay(after: attempt, fraction: Double.random(in: 0...1))
  }
}

extension TransportError {
  /// Returns the error of a call whose last attempt failed with this error.
  ///
  /// A call with an unknown outcome is not reported as unreachable.
  fileprivate func ending(_ call: Call) -> TransportError {
    var error = self
    error.part = isOfPreparation ? .preparation(isSpent: true) : .call
    guard call.mayHaveSucceeded, code == .unreachable || isOfPreparation else { return error }
    error = TransportError(
      .connectionLost, reason: reason,
      "The last attempt did not reach the server. The request may have been carried out: an earlier attempt failed "
        + "without a clear response.",
      cause: self)
    error.part = .call
    return error
  }
}

extension Transport {
  /// Returns a transport that retries requests after temporary failures of the network or the server.
  ///
  /// It retries a request in three cases:
  /// - The request did not reach a server.
  /// - The server responded with one of ``RetryPolicy/unprocessedStatuses``, by default 429.
  /// - The request is ``HTTPRequest/isRepeatable``, and its connection was lost, its response was truncated, or the status is
  ///   408, 500, 502, 503 or 504.
  ///
  /// A request with an unknown outcome is not retried in any other case. A request with a DPoP proof is retried in the
  /// first case only, because a server accepts each proof once. The request's timeout spans all attempts, so a
  /// timed-out request is not retried. Cancelling the task ends a wait immediately.
  ///
  /// If a layer above retries, such as another retrying transport or the Calendar API's client, that layer decides.
  /// This one then sends each of its attempts once. See ``RetryPolicy``.
  ///
  /// - Parameters:
  ///   - policy: The number of attempts and the waits between them.
  ///   - clock: The clock for the waits.
  public func retrying(
    _ policy: RetryPolicy = .default, clock: some WallClock = SystemClock()
  ) -> some Transport {
    RetryingTransport(base: self, policy: policy, clock: clock)
  }
}
