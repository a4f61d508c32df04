// SPDX-License-Identifier: Apache-2.0

import Synchronization
package import Timekeeping

/// The end of a request's time limit, which includes redirects and the body.
package final class Deadline: Sendable {
  private struct State {
    var isOver = false
    var handler: (@Sendable () -> Void)?
    var timer: Task<Void, Never>?
  }

  /// The time limit.
  let limit: Duration
  private let state = Mutex(State())

  /// Whether the deadline has passed.
  package var isOver: Bool { state.withLock { $0.isOver } }

  package init(after limit: Duration, clock: any WallClock) {
    self.limit = limit
    let timer = Task { [weak self] in
      guard (try? await clock.sleep(for: limit)) != nil else { return }
      self?.expire()
    }
    state.withLock { $0.timer = timer }
  }

  deinit { state.withLock { $0.timer }?.cancel() }

  /// Calls `handler` at the deadline, or now if the deadline has passed, and replaces any earlier handler.
  func whenOver(_ handler: @escaping @Sendable () -> Void) {
    let isOver = state.withLock { state in
      state.handler = handler
      return state.isOver
    }
    if isOver { handler() }
  }

  private func expire() {
    let handler = state.withLock { state in
      state.isOver = true
      return state.handler
    }
    handler?()
  }
}
