// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A task whose outcome any number of other tasks can await.
///
/// A caller joins the work, and then waits for its outcome. A cancelled waiter returns immediately, without an effect on the
/// work or the other waiters. When the last waiter is cancelled, the work is cancelled, and no further caller joins it.
package final class SharedTask<Value: Sendable>: Sendable {
  private typealias Wait = SingleWait<Value>

  private struct State {
    var lastID = 0
    /// The waits of the callers that have joined and not left.
    var waits: [Int: Wait] = [:]
    var result: Result<Value, any Error>?
    var isAbandoned = false
    var work: Task<Void, Never>?
  }

  /// The participation of one caller in the work.
  ///
  /// The work continues as long as one caller participates. Every joining caller must wait.
  package struct Waiter {
    fileprivate let task: SharedTask
    fileprivate let id: Int
    fileprivate let wait: SingleWait<Value>

    /// Waits for the work's outcome.
    ///
    /// - Throws: Any error of the work, or `CancellationError` if the current task is cancelled.
    package func value() async throws -> Value {
      do {
        return try await wait.value()
      } catch {
        task.leave(id)
        throw error
      }
    }
  }

  private let state = Mutex(State())

  /// Joins the work at `current`, or starts new work there if it has ended or was abandoned.
  package static func join(
    _ current: inout SharedTask?, orStart operation: @escaping @Sendable () async throws -> Value
  ) -> Waiter {
    if let waiter = current?.join() { return waiter }
    let task = SharedTask()
    current = task
    let waiter = Waiter(task: task, id: 0, wait: Wait())
    task.start(operation, for: waiter)
    return waiter
  }

  private init() {}

  private func start(_ operation: @escaping @Sendable () async throws -> Value, for first: Waiter) {
    state.withLock { $0.waits[first.id] = first.wait }
    let work = Task {
      do { finish(.success(try await operation())) } catch { finish(.failure(error)) }
    }
    state.withLock { if $0.result == nil { $0.work = work } }
  }

  private func join() -> Waiter? {
    state.withLock { state in
      guard state.result == nil, !state.isAbandoned else { return nil }
      state.lastID += 1
      let wait = Wait()
      state.waits[state.lastID] = wait
      return Waiter(task: self, id: state.lastID, wait: wait)
    }
  }

  private func leave(_ id: Int) {
    let abandoned: Task<Void, Never>? = state.withLock { state in
      guard state.waits.removeValue(forKey: id) != nil, state.result == nil, state.waits.isEmpty else { return nil }
      state.isAbandoned = true
      return state.work
    }
    abandoned?.cancel()
  }

  private func finish(_ result: Result<Value, any Error>) {
    let waits = state.withLock { state in
      state.result = result
      state.work = nil
      defer { state.waits = [:] }
      return state.waits.values
    }
    for wait in waits { wait.end(result) }
  }
}

/// Runs `operation` to its end.
///
/// If the current task is cancelled, only its wait ends.
package func shielded<Value: Sendable>(_ operation: @escaping @Sendable () async throws -> Value) async throws -> Value
{
  try Task.checkCancellation()
  var none: SharedTask<Value>?
  return try await SharedTask.join(&none) { try await Task { try await operation() }.value }.value()
}
