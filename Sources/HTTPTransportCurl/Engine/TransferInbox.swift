// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What tasks want of the transport's thread.
final class TransferInbox: Sendable {
  enum Command {
    case start(Exchange)
    case end(Exchange)
    case goOn(Exchange)
    case stop
  }

  private struct State {
    var commands: [Command] = []
    var isAsleep = false
  }

  private let state = Mutex(State())
  private let pipe: WakePipe

  init(pipe: WakePipe) { self.pipe = pipe }

  /// Adds a command, and wakes the thread if it sleeps.
  func submit(_ command: Command) {
    let wasAsleep = state.withLock { state in
      state.commands.append(command)
      defer { state.isAsleep = false }
      return state.isAsleep
    }
    if wasAsleep { pipe.wake() }
  }

  /// Moves the commands to `commands`.
  func take(into commands: inout [Command]) {
    state.withLock { swap(&$0.commands, &commands) }
  }

  /// Notes that the thread is about to sleep.
  ///
  /// - Returns: Whether it may: there is nothing to do.
  func beginSleep() -> Bool {
    state.withLock { state in
      state.isAsleep = state.commands.isEmpty
      return state.isAsleep
    }
  }

  func endSleep() { state.withLock { $0.isAsleep = false } }
}
