// SPDX-License-Identifier: Apache-2.0

import CLibsecret
import Dispatch
import Synchronization

/// The cancellation of one call of the keyring.
///
/// `@safe` because GLib's object is valid from the first use to `deinit`, and any thread may use it.
@safe
final class KeyringCancellation: Sendable {
  /// The cause that ended the call.
  enum Cause {
    case task
    case timeLimit
  }

  @safe
  private struct State {
    var cause: Cause?
    nonisolated(unsafe) var object: OpaquePointer?
  }

  private static let timers = DispatchQueue(label: "almanac.keyring-limits")

  private let state = Mutex(State())

  init() {}

  deinit { state.withLock { state in unsafe state.object.map { unsafe almanac_g_object_unref(.init($0)) } } }

  /// The cause that ended the call, or `nil` if none did.
  var cause: Cause? { state.withLock(\.cause) }

  /// GLib's object, which exists once libsecret is loaded.
  var object: OpaquePointer? {
    unsafe state.withLock { state in
      if unsafe state.object == nil {
        unsafe state.object = unsafe almanac_g_cancellable_new()
        if state.cause != nil { unsafe almanac_g_cancellable_cancel(state.object) }
      }
      return unsafe state.object
    }
  }

  /// Ends the call, unless another cause has ended it.
  func cancel(_ cause: Cause) {
    state.withLock { state in
      guard state.cause == nil else { return }
      state.cause = cause
      if unsafe state.object != nil { unsafe almanac_g_cancellable_cancel(state.object) }
    }
  }

  /// Runs `body`, and ends the call after `limit`.
  func run<Output>(within limit: Duration, _ body: () throws -> Output) rethrows -> Output {
    let timer = DispatchWorkItem { self.cancel(.timeLimit) }
    let (seconds, attoseconds) = limit.components
    let time = DispatchTimeInterval.milliseconds(
      Int(clamping: seconds) &* 1_000 &+ Int(attoseconds / 1_000_000_000_000_000))
    Self.timers.asyncAfter(deadline: .now() + time, execute: timer)
    defer { timer.cancel() }
    return try body()
  }
}
