// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Timekeeping

/// A token bucket that learns its rate: requests are sent at once until the server says that they come too fast, then at
/// half the rate of the last ones, which grows again with every success.
///
/// All copies of a client share one pacer.
final class RequestPacer: Sendable {
  /// The rate below which it never falls, and the one above which it no longer holds requests back, in requests a second.
  private static let rates = 0.5...200
  /// What a success adds to the rate, in requests a second.
  private static let increase = 0.1
  /// The number of requests whose times are remembered.
  private static let memory = 32

  fileprivate struct State {
    /// Requests a second; `nil` as long as no limit is known.
    var rate: Double?
    /// Requests that may be sent at once.
    ///
    /// Below zero, as many requests wait.
    var tokens = 1.0
    var refilled: Timestamp?
    /// The times of the last requests, the oldest first.
    var sent: [Timestamp] = []
    var lowered: Timestamp?
  }

  private let state = Mutex(State())

  /// Waits for the turn of a request.
  ///
  /// - Returns: The time at which the request is sent.
  func turn(_ clock: any WallClock) async throws -> Timestamp { try await turn(clock, upTo: 1).time }

  /// Waits for the turn of as many requests as may be sent at once.
  ///
  /// - Parameter limit: The most that there are to send; at least 1.
  /// - Returns: How many they are, 1 to `limit`, and the time at which they are sent.
  func turn(_ clock: any WallClock, upTo limit: Int) async throws -> (count: Int, time: Timestamp) {
    let (count, wait) = state.withLock { $0.reserve(upTo: limit, at: clock.now) }
    if wait > .zero {
      do {
        try await clock.sleep(for: wait)
      } catch {
        state.withLock { $0.tokens += Double(count) }
        throw error
      }
    }
    let now = clock.now
    state.withLock { state in
      state.sent.append(contentsOf: repeatElement(now, count: min(count, Self.memory)))
      state.sent.removeFirst(max(state.sent.count - Self.memory, 0))
    }
    return (count, now)
  }

  /// Learns from a request that succeeded.
  func succeed() {
    state.withLock { state in
      guard let rate = state.rate else { return }
      state.rate = rate + Self.increase > Self.rates.upperBound ? nil : rate + Self.increase
    }
  }

  /// Learns from a request that was sent at `time` and came too fast.
  ///
  /// Requests that were sent before the rate was lowered do not lower it again.
  func slowDown(afterRequestAt time: Timestamp, now: Timestamp) {
    state.withLock { state in
      if let lowered = state.lowered, time <= lowered { return }
      // The request has waited for its token, which came meanwhile.
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
  /// Takes a token for each of the requests that may be sent at once, at most `limit`, and returns how long they have to
  /// wait for it.
  fileprivate mutating func reserve(upTo limit: Int, at now: Timestamp) -> (count: Int, wait: Duration) {
    guard let rate else { return (limit, .zero) }
    refill(at: now)
    let count = min(limit, max(Int(rate), 1))
    tokens -= Double(count)
    return (count, tokens >= 0 ? .zero : .seconds(-tokens / rate))
  }

  /// Adds the tokens that came since the last time, if there is a rate.
  fileprivate mutating func refill(at now: Timestamp) {
    let elapsed = max((now - (refilled ?? now)) / .seconds(1), 0)
    // A second's worth may be sent at once.
    if let rate { tokens = min(tokens + elapsed * rate, max(rate, 1)) }
    refilled = now
  }
}
