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
    let deadline = request.timeout.map { clock.now + $0 }
    var attempt = 1
    while true {
      var request = request
      if let deadline { request.timeout = max(.milliseconds(1), deadline - clock.now) }
      let wait: Duration
      do {
        let response = try await base.send(request)
        guard attempt < policy.maximumAttempts, policy.mayRetry(request, after: response.status) else {
          return response
        }
        let asked = response.retryAfter(clock.now) ?? .zero
        guard asked <= policy.maximumRetryAfter else { return response }
        wait = max(asked, backoff(after: attempt))
        if let deadline, clock.now + wait >= deadline { return response }
      } catch let error as TransportError {
        guard attempt < policy.maximumAttempts, policy.mayRetry(request, after: error) else { throw error }
        wait = backoff(after: attempt)
        if let deadline, clock.now + wait >= deadline { throw error }
      }
      try await clock.sleep(for: wait)
      attempt += 1
    }
  }

  private func backoff(after attempt: Int) -> Duration {
    policy.delay(after: attempt, fraction: Double.random(in: 0...1))
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
  /// - Parameters:
  ///   - policy: How often and how long.
  ///   - clock: The clock that waits.
  public func retrying(
    _ policy: RetryPolicy = .default, clock: some WallClock = SystemClock()
  ) -> some Transport {
    RetryingTransport(base: self, policy: policy, clock: clock)
  }
}
