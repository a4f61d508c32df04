// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The steps of a check: its calls, and the awaited events.
///
/// A check that makes progress is not stalled, however slow the machine is. The open steps show what a stalled check
/// waits for.
package final class Progress: Sendable {
  /// The progress of the current task's check.
  @TaskLocal static var current: Progress?

  private struct State {
    var count = 0
    var open: [Int: @Sendable () -> String] = [:]
  }

  private let state = Mutex(State())

  /// The number of started steps plus the number of finished steps.
  var count: Int { state.withLock { $0.count } }

  /// The open steps.
  var waits: String {
    let open = state.withLock { state in state.open.sorted { $0.key < $1.key }.map(\.value) }
    guard !open.isEmpty else { return "a call that the check made, or its end" }
    return open.prefix(5).map { $0() }.joined(separator: ", ") + (open.count > 5 ? ", …" : "")
  }

  /// Performs `body` as a step of the current check, if there is one.
  ///
  /// - Parameter what: The event that ends the step.
  package static func step<Result>(
    _ what: @escaping @Sendable () -> String, _ body: () async throws -> Result
  ) async rethrows -> Result {
    guard let current else { return try await body() }
    let number = current.state.withLock { state in
      state.count += 1
      state.open[state.count] = what
      return state.count
    }
    defer {
      current.state.withLock { state in
        state.count += 1
        state.open[number] = nil
      }
    }
    return try await body()
  }
}

/// A one-time event that any number of tasks can wait for, cancelled or not.
package final class Signal: Sendable {
  private enum State {
    case ahead([CheckedContinuation<Void, Never>])
    case past
  }

  private let state = Mutex(State.ahead([]))

  package init() {}

  package func send() {
    let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      guard case .ahead(let waiters) = state else { return [] }
      state = .past
      return waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  package func wait() async {
    await withCheckedContinuation { continuation in
      let isPast = state.withLock { state in
        guard case .ahead(let waiters) = state else { return true }
        state = .ahead(waiters + [continuation])
        return false
      }
      if isPast { continuation.resume() }
    }
  }
}
