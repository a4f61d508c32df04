// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Timekeeping

/// A token bucket that adapts its rate to the server's responses.
///
/// Requests are sent immediately until the server reports a rate limit. Then they are sent at half the recent rate, which grows
/// with every success.
///
/// All copies of a client share one pacer.
final class RequestPacer: Sendable {
  /// The minimum rate, and the rate above which requests are not delayed, in requests per second.
  private static let rates = 0.5...200
  /// The increase of the rate after a success, in requests per second.
  private static let increase = 0.1
  /// The number of requests whose times are recorded.
  private static let memory = 32

  fileprivate struct State {
    /// The rate in requests per second, or `nil` as long as no limit is known.
    var rate: Double?
    /// The number of requests that may be sent immediately.
    ///
    /// A negative number counts waiting requests.
    var tokens = 1.0
    /// The time of the last refill, by the clock's uptime like all times here.
    var refilled: Duration?
    /// The times of the latest requests, the oldest first.
    var sent: [Duration] = []
    var lowered: Duration?
  }

  private let state = Mutex(State())

  /// Waits for the turn of a request.
  ///
  /// - Returns: The time at which the request is sent.
  func turn(_ clock: any WallClock) async throws -> Duration { try await turn(clock, upTo: 1).time }

  /// Waits for the turn of as many requests as may be sent together.
  ///
  /// - Parameter limit: The maximum number of requests, at least 1.
  /// - Returns: The number of requests to send, 1 to `limit`, and the time at which they are sent.
  func turn(_ clock: any WallClock, upTo limit: Int) async throws -> (count: Int, time: Duration) {
    let (count, wait) = state.withLock { $0.reserve(upTo: limit, at: clock.uptime) }
    if wait > .zero {
      do {
        try await clock.sleep(for: wait)
      } catch {
        state.withLock { $0.tokens += Double(count) }
        throw error
      }
    }
    let now = clock.uptime
    state.withLock { state in
      state.sent.append(contentsOf: repeatElement(now, count: min(count, Self.memory)))
      state.sent.removeFirst(max(state.sent.count - Self.memory, 0))
    }
    return (count, now)
  }

  /// Raises the rate after a successful request.
  func succeed() {
    state.withLock { state in
      guard let rate = state.rate else { return }
      state.rate = rate + Self.increase > Self.rates.upperBound ? nil : rate + Self.increase
    }
  }

  /// Lowers the rate after a request, sent at `time`, exceeded the server's rate limit.
  ///
  /// Requests sent before the last reduction do not lower the rate again.
  func slowDown(afterRequestAt time: Duration, now: Duration) {
    state.withLock { state in
      if let lowered = state.lowered, time <= lowered { return }
      // First the refill: the tokens since the last one accrued at the old rate.
      state.refill(at: now)
      let elapsed = max((now - (state.sent.first ?? now)) / .seconds(1), 0.1)
      let observed = min(state.rate ?? .infinity, Double(state.sent.count) / elapsed)
      state.rate = min(max(observed / 2, Self.rates.lowerBound), Self.rates.upperBound)
      state.lowered = now
      state.tokens = min(state.tokens, 0)
    }
  }
}

extension RequestPacer.State {
  /// Takes tokens for at most `limit` requests to send together, and returns their number and delay.
  fileprivate mutating func reserve(upTo limit: Int, at now: Duration) -> (count: Int, wait: Duration) {
    guard let rate else { return (limit, .zero) }
    refill(at: now)
    let count = min(limit, max(Int(rate), 1))
    tokens -= Double(count)
    return (count, tokens >= 0 ? .zero : .seconds(-tokens / rate))
  }

  /// Adds the tokens for the time since the last refill, if there is a rate.
  fileprivate mutating func refill(at now: Duration) {
    let elapsed = max((now - (refilled ?? now)) / .seconds(1), 0)
    // The bucket holds the tokens of one second.
    if let rate { tokens = min(tokens + elapsed * rate, max(rate, 1)) }
    refilled = now
  }
}
