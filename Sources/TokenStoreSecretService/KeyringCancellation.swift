// SPDX-License-Identifier: Apache-2.0

import CLibsecret
import Dispatch
import Synchronization

/// The cancellation of one operation of the keyring, from any thread.
///
/// `@safe` because the event loop is valid while it is attached, which the mutex ensures.
@safe
final class KeyringCancellation: Sendable {
  /// The cause that ended the operation.
  enum Cause {
    case task
    case timeLimit
  }

  @safe
  private struct State {
    var cause: Cause?
    var isAbandoned = false
    nonisolated(unsafe) var context: OpaquePointer?
  }

  /// The maximum time that a cancelled prompt has to close.
  private static let grace = DispatchTimeInterval.milliseconds(250)
  private static let timers = DispatchQueue(label: "almanac.keyring-limits")

  private let state = Mutex(State())

  init() {}

  /// The cause that ended the operation, or `nil` if none did.
  var cause: Cause? { state.withLock(\.cause) }

  /// Whether the operation ends now, even if the keyring has not acknowledged the cancellation.
  var isAbandoned: Bool { state.withLock(\.isAbandoned) }

  /// Ends the operation, unless another cause has ended it.
  func cancel(_ cause: Cause) {
    let isFirst = state.withLock { state in
      guard state.cause == nil else { return false }
      state.cause = cause
      Self.wake(state)
      return true
    }
    guard isFirst else { return }
    Self.timers.asyncAfter(deadline: .now() + Self.grace) {
      self.state.withLock { state in
        state.isAbandoned = true
        Self.wake(state)
      }
    }
  }

  /// Runs `body`, during which a cancellation wakes the event loop of `context`, and cancels it after `limit`.
  func run<Output>(
    within limit: Duration, waking context: OpaquePointer, _ body: () throws -> Output
  ) rethrows
    -> Output
  {
    // A year is no limit, and every clock can represent it.
    let limit = min(max(limit, .zero), .seconds(365 * 86_400))
    let (seconds, attoseconds) = limit.components
    // A source, because a cancelled work item would keep its memory until the limit.
    let timer = DispatchSource.makeTimerSource(queue: Self.timers)
    timer.setEventHandler { self.cancel(.timeLimit) }
    timer.schedule(
      deadline: .now() + .milliseconds(Int(seconds * 1_000 + attoseconds / 1_000_000_000_000_000)))
    timer.activate()
    state.withLock { unsafe $0.context = context }
    defer {
      timer.cancel()
      state.withLock { unsafe $0.context = nil }
    }
    return try body()
  }

  private static func wake(_ state: borrowing State) {
    // Safe: the context is attached, and any thread may wake it.
    if let context = unsafe state.context { unsafe almanac_g_main_context_wakeup(context) }
  }
}
