// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// One piece of work that any number of tasks wait for.
///
/// Whoever wants the outcome takes a seat, and then waits in it. A waiter that is cancelled leaves at once, without
/// disturbing the work or the other waiters. When the last one has left, the work is cancelled: nobody wants it any more, and
/// nobody is let in again.
package final class SharedTask<Value: Sendable>: Sendable {
  private enum Waiter {
    case coming
    case waiting(CheckedContinuation<Value, any Error>)
  }

  private struct State {
    var lastID = 0
    var waiters: [Int: Waiter] = [0: .coming]
    var result: Result<Value, any Error>?
    var isAbandoned = false
    var work: Task<Void, Never>?
  }

  /// The right to wait for the outcome.
  ///
  /// Whoever has one has to wait with it.
  package struct Seat {
    fileprivate let task: SharedTask
    fileprivate let id: Int

    /// Waits for the work's outcome.
    ///
    /// - Throws: What the work threw; `CancellationError` when the current task is cancelled.
    package func value() async throws -> Value { try await task.value(id) }
  }

  private let state = Mutex(State())

  /// Takes a seat at `current`, or starts new work there if it has ended or was abandoned.
  package static func seat(
    at current: inout SharedTask?, else operation: @escaping @Sendable () async throws -> Value
  ) -> Seat {
    if let seat = current?.join() { return seat }
    let task = SharedTask(operation)
    current = task
    return Seat(task: task, id: 0)
  }

  private init(_ operation: @escaping @Sendable () async throws -> Value) {
    let work = Task {
      do { finish(.success(try await operation())) } catch { finish(.failure(error)) }
    }
    state.withLock { if $0.result == nil { $0.work = work } }
  }

  private func join() -> Seat? {
    state.withLock { state in
      guard state.result == nil, !state.isAbandoned else { return nil }
      state.lastID += 1
      state.waiters[state.lastID] = .coming
      return Seat(task: self, id: state.lastID)
    }
  }

  private func value(_ id: Int) async throws -> Value {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome: Result<Value, any Error>? = state.withLock { state in
          // Whoever was cancelled on the way here has left already.
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
      state.waiters = state.waiters.filter { if case .coming = $0.value { true } else { false } }
      return waiters
    }
    for waiter in waiters { waiter.resume(with: result) }
  }
}

/// Runs `operation` to its end even if the current task is cancelled, which then leaves at once.
func shielded<Value: Sendable>(_ operation: @escaping @Sendable () async throws -> Value) async throws -> Value {
  try Task.checkCancellation()
  var none: SharedTask<Value>?
  return try await SharedTask.seat(at: &none) { try await Task { try await operation() }.value }.value()
}
