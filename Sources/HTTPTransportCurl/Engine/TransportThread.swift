// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Support
import Synchronization

/// A transport's thread, to which other threads submit commands about transfers.
///
/// The thread starts with the first exchange.
final class TransportThread: Sendable {
  enum Command {
    case start(Exchange)
    case end(Exchange)
    case goOn(Exchange)
  }

  private enum Phase {
    case notStarted
    case running(WakePipe)
    case ended
  }

  private struct State {
    var phase = Phase.notStarted
    var commands: [Command] = []
    var isAsleep = false
    var isStopping = false
  }

  private let state = Mutex(State())
}

// MARK: Any thread

extension TransportThread {
  /// Whether the thread has been started.
  ///
  /// It can have ended since.
  var isStarted: Bool {
    state.withLock { if case .notStarted = $0.phase { false } else { true } }
  }

  /// Starts the thread by `begin`, unless it is running.
  ///
  /// - Parameter begin: A closure that returns the pipe for waking the thread.
  /// - Throws: `TransportError` if the process has no memory, threads or descriptors left.
  func start(_ begin: () throws(TransportError) -> WakePipe) throws(TransportError) {
    try state.withLock { state throws(TransportError) in
      guard case .notStarted = state.phase else { return }
      state.phase = .running(try begin())
    }
  }

  /// Adds a command, and wakes the thread if it is asleep.
  func submit(_ command: Command) {
    let (isRunning, sleeper) = state.withLock { state -> (Bool, WakePipe?) in
      guard case .running(let pipe) = state.phase else { return (false, nil) }
      state.commands.append(command)
      defer { state.isAsleep = false }
      return (true, state.isAsleep ? pipe : nil)
    }
    sleeper?.wake()
    // A thread that has ended has taken all earlier commands.
    if !isRunning, case .start(let exchange) = command { exchange.stop() }
  }

  /// Ends the thread and its transfers.
  func stop() {
    let pipe = state.withLock { state -> WakePipe? in
      state.isStopping = true
      guard case .running(let pipe) = state.phase else {
        state.phase = .ended
        return nil
      }
      return pipe
    }
    pipe?.wake()
  }
}

// MARK: The thread itself

extension TransportThread {
  /// Moves the pending commands to `commands`, which is empty.
  ///
  /// - Returns: Whether the thread should continue.
  func take(_ commands: inout [Command]) -> Bool {
    state.withLock { state in
      swap(&state.commands, &commands)
      return !state.isStopping
    }
  }

  /// Records that the thread is about to sleep.
  ///
  /// - Returns: Whether the thread may sleep, because there is no command.
  func beginSleep() -> Bool {
    state.withLock { state in
      state.isAsleep = state.commands.isEmpty && !state.isStopping
      return state.isAsleep
    }
  }

  func endSleep() {
    state.withLock { $0.isAsleep = false }
  }

  /// Records that the thread ends.
  ///
  /// - Parameter rest: The commands taken by the thread and not carried out.
  /// - Returns: The exchanges whose transfers have not been started.
  func end(_ rest: [Command]) -> [Exchange] {
    let commands = state.withLock { state in
      state.phase = .ended
      defer { state.commands = [] }
      return rest + state.commands
    }
    return commands.compactMap { if case .start(let exchange) = $0 { exchange } else { nil } }
  }
}

/// A variable for use by one thread at a time.
///
/// Swift checks each change of a class's property for simultaneous access. A request has twenty such checks, which take a
/// twentieth of its processor time. This type omits the check. Use it for values whose methods do not access the same variable
/// again.
///
/// Not sendable, so the compiler verifies that its owner's thread alone uses it. `@safe` because the pointer is
/// valid from `init` to `deinit`.
@safe
struct ThreadOwned<Value>: ~Copyable {
  private let pointer: UnsafeMutablePointer<Value>

  init(_ value: Value) {
    unsafe pointer = .allocate(capacity: 1)
    unsafe pointer.initialize(to: value)
  }

  deinit {
    unsafe pointer.deinitialize(count: 1)
    unsafe pointer.deallocate()
  }

  @inline(__always)
  var value: Value {
    _read { yield unsafe pointer.pointee }
    nonmutating _modify { yield unsafe &pointer.pointee }
  }
}
