// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A place where callers wait until the test lets them through.
package final class AsyncGate: Sendable {
  private struct State {
    var isOpen = false
    var hasArrival = false
    var waiting: [CheckedContinuation<Void, Never>] = []
    var watching: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  package init() {}

  package func pass() async throws {
    await withCheckedContinuation { continuation in
      let (isOpen, watching) = state.withLock { state in
        state.hasArrival = true
        if !state.isOpen { state.waiting.append(continuation) }
        defer { state.watching = [] }
        return (state.isOpen, state.watching)
      }
      watching.forEach { $0.resume() }
      if isOpen { continuation.resume() }
    }
  }

  package func waitForArrival() async {
    await withCheckedContinuation { continuation in
      let hasArrival = state.withLock { state in
        if !state.hasArrival { state.watching.append(continuation) }
        return state.hasArrival
      }
      if hasArrival { continuation.resume() }
    }
  }

  package func open() async {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    waiting.forEach { $0.resume() }
  }
}
