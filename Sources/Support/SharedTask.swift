// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// One piece of work whose outcome any number of tasks wait for.
///
/// A caller joins the work, and then waits for its outcome. A waiter that is cancelled leaves at once, without disturbing the
/// work or the other waiters. When the last waiter has left, the work is cancelled, and no caller joins it any more.
package final class SharedTask<Value: Sendable>: Sendable {
  private enum WaiterState {
    /// Joined, and about to wait.
    case joined
    case waiting(CheckedContinuation<Value, any Error>)
  }

  private struct State {
    var lastID = 0
    var waiters: [Int: WaiterState] = [0: .joined]
    var result: Result<Value, any Error>?
    var isAbandoned = false
    var work: Task<Void, Never>?
  }

  /// A caller's part in the work, which continues as long as there is one.
  ///
  /// A caller that joined has to wait.
  package struct Waiter {
    fileprivate let task: SharedTask
    fileprivate let id: Int

    /// Waits for the work's outcome.
    ///
    /// - Throws: What the work threw; `CancellationError` when the current task is cancelled.
    package func value() async throws -> Value { try await task.value(id) }
  }

  private let state = Mutex(State())

  /// Joins the work at `current`, or starts new work there if it has ended or was abandoned.
  package static func join(
    _ current: inout SharedTask?, orStart operation: @escaping @Sendable () async throws -> Value
  ) -> Waiter {
    if let waiter = current?.join() { return waiter }
    let task = SharedTask(operation)
    current = task
    return Waiter(task: task, id: 0)
  }

  private init(_ operation: @escaping @Sendable () async throws -> Value) {
    let work = Task {
      do { finish(.success(try await operation())) } catch { finish(.failure(error)) }
    }
    state.withLock { if $0.result == nil { $0.work = work } }
  }

  private func join() -> Waiter? {
    state.withLock { state in
      guard state.result == nil, !state.isAbandoned else { return nil }
      state.lastID += 1
      state.waiters[state.lastID] = .joined
      return Waiter(task: self, id: state.lastID)
    }
  }

  private func value(_ id: Int) async throws -> Value {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome: Result<Value, any Error>? = state.withLock { state in
          // A waiter that was cancelled before it came here has left already.
          guard state.waiters[id] != nil else { return .failure(CancellationError()) }
          if let result = state.result {
            state.waiters[id] = nil
            return result
          }
          state.waiters[id] = .waiting(continuation)
          return nil
        }
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      leave(id)
    }
  }

  private func leave(_ id: Int) {
    let (waiter, abandoned) = state.withLock { state in
      let waiter = state.waiters.removeValue(forKey: id)
      guard waiter != nil, state.result == nil, state.waiters.isEmpty else { return (waiter, Task<Void, Never>?.none) }
      state.isAbandoned = true
      return (waiter, state.work)
    }
    abandoned?.cancel()
    if case .waiting(let continuation) = waiter { continuation.resume(throwing: CancellationError()) }
  }

  private func finish(_ result: Result<Value, any Error>) {
    let waiters = state.withLock { state in
      state.result = result
      state.work = nil
      let waiters = state.waiters.values.compactMap { waiter in
        if case .waiting(let continuation) = waiter { continuation } else { nil }
      }
      state.waiters = state.waiters.filter { if case .joined = $0.value { true } else { false } }
      return waiters
    }
    for waiter in waiters { waiter.resume(with: result) }
  }
}

/// Runs `operation` to its end even if the current task is cancelled, which then leaves at once.
package func shielded<Value: Sendable>(_ operation: @escaping @Sendable () async throws -> Value) async throws -> Value
{
  try Task.checkCancellation()
  var none: SharedTask<Value>?
  return try await SharedTask.join(&none) { try await Task { try await operation() }.value }.value()
}
