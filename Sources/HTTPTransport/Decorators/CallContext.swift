// SPDX-License-Identifier: Apache-2.0

import Synchronization
package import Timekeeping

/// The current task's call, as its layers of transports see it.
///
/// The task carries it, not the request. A decorator that creates a request therefore stays within the call, and
/// concurrent calls have contexts of their own. A detached task begins a new call.
package struct CallContext: Sendable {
  @TaskLocal package static var current: CallContext?

  package let call: Call
  /// Whether a layer above decides about further attempts.
  ///
  /// Retrying layers below then send each request once.
  package let isDecidedAbove: Bool

  /// Sends a request within `call`.
  ///
  /// - Parameter isDecidedAbove: Whether the caller retries the request itself.
  package static func send(
    _ request: HTTPRequest, by transport: any Transport, within call: Call, isDecidedAbove: Bool = false
  ) async throws -> HTTPResponse {
    try await $current.withValue(CallContext(call: call, isDecidedAbove: isDecidedAbove)) {
      try await transport.send(request)
    }
  }
}

/// The attempts and the time limit of one call, which all its layers share.
package final class Call: Sendable {
  private struct State {
    /// The time limit until a layer with a clock begins to count it.
    var timeout: Duration?
    var deadline: (clock: any WallClock, uptime: Duration)?
    var failed = 0
    var mayHaveSucceeded = false
  }

  private let state: Mutex<State>

  /// Creates a call before its first attempt.
  ///
  /// - Parameter timeout: The time limit of all attempts, from the first one on, or `nil` for none.
  package init(timeout: Duration?) { state = Mutex(State(timeout: timeout)) }

  /// A call that has ended, for the next one.
  ///
  /// An object for each authorized request would add half to its allocations.
  private static let spare = Mutex<Call?>(nil)

  /// Returns a call before its first attempt, to end by ``end(_:)``.
  package static func begin(timeout: Duration?) -> Call {
    guard let call = spare.withLock({ $0.take() }) else { return Call(timeout: timeout) }
    call.state.withLock { $0 = State(timeout: timeout) }
    return call
  }

  /// Keeps the call for the next one, unless a task started by the call still uses it.
  package static func end(_ call: inout Call?) {
    guard isKnownUniquelyReferenced(&call) else { return }
    spare.withLock { $0 = call }
  }

  /// The number of failed attempts before the current one.
  package var failed: Int { state.withLock { $0.failed } }

  /// Whether one of the failed attempts may have been carried out.
  package var mayHaveSucceeded: Bool { state.withLock { $0.mayHaveSucceeded } }

  /// Counts a failed attempt, after which another one follows.
  func fail(mayHaveSucceeded: Bool) {
    state.withLock { state in
      state.failed += 1
      state.mayHaveSucceeded = state.mayHaveSucceeded || mayHaveSucceeded
    }
  }

  /// Returns the time limit of a request: its own, at most the rest of the call's, or `nil` for none.
  ///
  /// The call's time begins with the first call of this method, by the calling layer's clock.
  func timeLimit(of request: HTTPRequest, _ clock: any WallClock) -> Duration? {
    let left = state.withLock { state -> Duration? in
      guard let timeout = state.timeout else { return nil }
      let deadline = state.deadline ?? (clock, clock.uptime + timeout)
      state.deadline = deadline
      return max(.milliseconds(1), deadline.uptime - deadline.clock.uptime)
    }
    guard let left else { return request.timeout }
    return min(left, request.timeout ?? left)
  }
}

extension HTTPRequest {
  /// The time limit of an exchange: the request's own, at most the rest of its call's, or `nil` for none.
  ///
  /// - Parameter clock: The clock of the transport.
  package func timeLimit(_ clock: any WallClock = SystemClock()) -> Duration? {
    guard let call = CallContext.current?.call else { return timeout }
    return call.timeLimit(of: self, clock)
  }
}
