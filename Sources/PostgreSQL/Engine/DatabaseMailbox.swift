// SPDX-License-Identifier: Apache-2.0

import Support
import Synchronization

/// The commands for the loop of a client, with a pipe for ending the loop's wait.
///
/// The loop's thread starts with the first command.
final class DatabaseMailbox: Sendable {
  enum Command: Sendable {
    case start(DatabaseRequest)
    /// Ends a request whose caller no longer waits.
    case cancel(request: Int)
    /// Closes the connection kept by a caller.
    case discard(checkout: Int)
    case connected(attempt: Int, Result<Session, PostgreSQLError>)
    case stop
  }

  private enum Phase {
    case notStarted
    case running(WakePipe)
    case ended
  }

  private struct State {
    var phase = Phase.notStarted
    var commands: [Command] = []
    /// Whether the loop's thread waits, or is about to.
    var isLoopWaiting = false
  }

  private let state = Mutex(State())
  private let lastID = Atomic(0)

  /// Returns a number that is used once.
  func nextID() -> Int { lastID.add(1, ordering: .relaxed).newValue }

  /// Adds a command, and starts the loop's thread unless it runs.
  ///
  /// - Returns: Whether the loop will see the command, or `false` if the loop has ended.
  /// - Throws: ``PostgreSQLError`` if the process has no threads or descriptors left.
  func post(_ command: Command, startingWith configuration: PostgreSQLConfiguration) throws(PostgreSQLError) -> Bool {
    let addition = try state.withLock { state throws(PostgreSQLError) in
      if case .notStarted = state.phase { state.phase = .running(try start(configuration)) }
      return Self.add(command, &state)
    }
    return addition.wake()
  }

  /// Adds a command if the loop runs.
  ///
  /// - Returns: Whether the loop will see the command.
  @discardableResult
  func post(_ command: Command) -> Bool {
    let addition = state.withLock { state in
      if case .notStarted = state.phase, case .stop = command { state.phase = .ended }
      return Self.add(command, &state)
    }
    return addition.wake()
  }

  /// The result of adding a command.
  private enum Addition {
    case added(waking: WakePipe?)
    case refused

    /// Wakes the loop's thread, without the lock, for which the thread would wait.
    func wake() -> Bool {
      guard case .added(let pipe) = self else { return false }
      pipe?.wake()
      return true
    }
  }

  private static func add(_ command: Command, _ state: inout State) -> Addition {
    guard case .running(let pipe) = state.phase else { return .refused }
    state.commands.append(command)
    defer { state.isLoopWaiting = false }
    return .added(waking: state.isLoopWaiting ? pipe : nil)
  }

  private func start(_ configuration: PostgreSQLConfiguration) throws(PostgreSQLError) -> WakePipe {
    guard let pipe = WakePipe(), let readiness = ReadinessSet(),
      readiness.add(pipe.readEnd, .reading, id: DatabaseLoop.wakeID)
    else { throw Self.exhausted }
    let isStarted = DetachedThread.start {
      DatabaseLoop(configuration: configuration, mailbox: self, pipe: pipe, readiness: readiness).run()
    }
    guard isStarted else { throw Self.exhausted }
    return pipe
  }

  private static let exhausted = PostgreSQLError(
    .unreachable, "The database's thread could not be started. Raise the process's limits for threads and open files.",
    isRetryable: true)

  /// Notes that the loop is about to wait, so the next command wakes it.
  ///
  /// - Returns: Whether there are no commands. Otherwise, the loop must not wait.
  func beginWait() -> Bool {
    state.withLock { state in
      state.isLoopWaiting = state.commands.isEmpty
      return state.isLoopWaiting
    }
  }

  /// Notes that the loop does not wait, and removes and returns the commands.
  func take() -> [Command] {
    state.withLock { state in
      state.isLoopWaiting = false
      defer { state.commands = [] }
      return state.commands
    }
  }

  /// Notes that the loop ends.
  ///
  /// - Returns: The commands not seen by it.
  func end() -> [Command] {
    state.withLock { state in
      state.phase = .ended
      defer { state.commands = [] }
      return state.commands
    }
  }
}
