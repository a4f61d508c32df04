// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A limited number of turns, which tasks take one after the other.
///
/// Turns go to the waiters in the order in which they came, except that a group that has had a turn goes before groups that have
/// not. The tests of a serialized suite ask for a turn when the test before them is over. At the end of the line, each of them
/// would wait for all other tests.
package final class Turns: Sendable {
  private struct Waiter {
    let id: Int
    let group: String
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var free: Int
    var nextID = 0
    var waiters: [Waiter] = []
    var begun: Set<String> = []

    /// Takes a turn for a group, if one is free.
    mutating func take(for group: String) -> Bool {
      guard free > 0 else { return false }
      free -= 1
      begun.insert(group)
      return true
    }

    /// Removes the waiter whose turn it is.
    mutating func next() -> Waiter? {
      guard let index = waiters.firstIndex(where: { begun.contains($0.group) }) ?? waiters.indices.first else {
        return nil
      }
      begun.insert(waiters[index].group)
      return waiters.remove(at: index)
    }
  }

  private let state: Mutex<State>

  /// Creates turns.
  ///
  /// - Parameter count: The number of tasks that have a turn at a time.
  package init(count: Int) { state = Mutex(State(free: count)) }

  /// Waits for a turn and performs `body` in it.
  ///
  /// - Throws: The error of `body`; `CancellationError` if the task is cancelled before its turn, without waiting for it.
  package func take<Result>(in group: String, _ body: () async throws -> Result) async throws -> Result {
    try await begin(group)
    defer { end() }
    return try await body()
  }

  private func begin(_ group: String) async throws {
    try Task.checkCancellation()
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isFree = state.withLock { state in
          if state.take(for: group) { return true }
          state.waiters.append(Waiter(id: id, group: group, continuation: continuation))
          return false
        }
        if isFree { return continuation.resume() }
        // The handler may have run before the waiter was there.
        if Task.isCancelled { leave(id) }
      }
    } onCancel: {
      leave(id)
    }
  }

  private func leave(_ id: Int) {
    let waiter = state.withLock { state in
      state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
    }
    waiter?.continuation.resume(throwing: CancellationError())
  }

  /// Passes the turn on.
  private func end() {
    let next = state.withLock { state in
      let next = state.next()
      if next == nil { state.free += 1 }
      return next
    }
    next?.continuation.resume()
  }
}
