// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A gate at which callers wait until the test opens it.
package final class AsyncGate: Sendable {
  private typealias Waiter = CheckedContinuation<Void, Never>

  private struct State {
    var isOpen = false
    var arrivals = 0
    var waiting: [Waiter] = []
    var watching: [(count: Int, waiter: Waiter)] = []

    /// Removes the callers that need not wait any longer.
    mutating func takeReady() -> [Waiter] {
      let ready = watching.filter { $0.count <= arrivals }.map(\.waiter) + (isOpen ? waiting : [])
      watching.removeAll { $0.count <= arrivals }
      if isOpen { waiting = [] }
      return ready
    }
  }

  private let state = Mutex(State())

  package init() {}

  /// Waits until the gate is open.
  package func pass() async throws {
    await withCheckedContinuation { waiter in
      change { state in
        state.arrivals += 1
        state.waiting.append(waiter)
      }
    }
  }

  /// Waits until `pass()` has been called `count` times.
  package func waitForArrival(count: Int = 1) async {
    await withCheckedContinuation { waiter in change { $0.watching.append((count, waiter)) } }
  }

  /// Opens the gate permanently.
  package func open() async { change { $0.isOpen = true } }

  private func change(_ body: (inout State) -> Void) {
    let ready = state.withLock { state in
      body(&state)
      return state.takeReady()
    }
    for waiter in ready { waiter.resume() }
  }
}
