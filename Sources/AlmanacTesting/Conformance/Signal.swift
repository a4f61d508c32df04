// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// An event that happens once and that any number of tasks can wait for, cancelled or not.
final class Signal: Sendable {
  private enum State {
    case ahead([CheckedContinuation<Void, Never>])
    case past
  }

  private let state = Mutex(State.ahead([]))

  func send() {
    let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      guard case .ahead(let waiters) = state else { return [] }
      state = .past
      return waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  func wait() async {
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
