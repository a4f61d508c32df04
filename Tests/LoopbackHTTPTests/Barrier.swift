// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Holds everyone who arrives until `count` have arrived.
final class Barrier: Sendable {
  private struct State {
    var missing: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>

  init(count: Int) { state = Mutex(State(missing: count)) }

  func arrive() async {
    await withCheckedContinuation { continuation in
      let released = state.withLock { state in
        state.missing -= 1
        state.waiting.append(continuation)
        guard state.missing <= 0 else { return [CheckedContinuation<Void, Never>]() }
        defer { state.waiting = [] }
        return state.waiting
      }
      for continuation in released { continuation.resume() }
    }
  }
}
