import Synchronization

/// One piece of work that any number of tasks wait for.
///
/// A waiter that is cancelled leaves at once, without disturbing the work or the other waiters. When the last one has left,
/// the work itself is cancelled: nobody wants it any more. Work that must not stop half-way shields itself with
/// ``shielded(_:)``.
final class SharedTask<Value: Sendable>: Sendable {
  private enum State {
    case running(waiters: [Int: CheckedContinuation<Value, any Error>], work: Task<Void, Never>?)
    case finished(Result<Value, any Error>)
  }

  private let state = Mutex((nextID: 0, phase: State.running(waiters: [:], work: nil)))

  /// Starts the work.
  init(_ operation: @escaping @Sendable () async throws -> Value) {
    let work = Task {
      do { finish(.success(try await operation())) } catch { finish(.failure(error)) }
    }
    state.withLock { state in
      if case .running(let waiters, _) = state.phase { state.phase = .running(waiters: waiters, work: work) }
    }
  }

  /// Waits for the work's outcome.
  ///
  /// - Throws: What the work threw; `CancellationError` when the current task is cancelled.
  func value() async throws -> Value {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result: Result<Value, any Error>? = state.withLock { state in
          switch state.phase {
          case .finished(let result): return result
          case .running(var waiters, let work):
            waiters[id] = continuation
            state.phase = .running(waiters: waiters, work: work)
            return nil
          }
        }
        if let result { continuation.resume(with: result) }
        // A cancellation that came before the waiter was entered found nobody to wake.
        if Task.isCancelled { leave(id) }
      }
    } onCancel: {
      leave(id)
    }
  }

  private func leave(_ id: Int) {
    let (waiter, abandoned) = state.withLock { state in
      guard case .running(var waiters, let work) = state.phase, let waiter = waiters.removeValue(forKey: id) else {
        return (CheckedContinuation<Value, any Error>?.none, Task<Void, Never>?.none)
      }
      state.phase = .running(waiters: waiters, work: work)
      return (waiter, waiters.isEmpty ? work : nil)
    }
    abandoned?.cancel()
    waiter?.resume(throwing: CancellationError())
  }

  private func finish(_ result: Result<Value, any Error>) {
    let waiters: [CheckedContinuation<Value, any Error>] = state.withLock { state in
      guard case .running(let waiters, _) = state.phase else { return [] }
      state.phase = .finished(result)
      return Array(waiters.values)
    }
    for waiter in waiters { waiter.resume(with: result) }
  }

  /// Whether the work has ended, or nobody waits for it any more.
  var isOver: Bool {
    state.withLock { state in
      switch state.phase {
      case .finished: true
      case .running(_, let work): work?.isCancelled ?? false
      }
    }
  }
}

/// Runs `operation` to its end even if the current task is cancelled.
func shielded<Value: Sendable>(_ operation: @escaping @Sendable () async throws -> Value) async throws -> Value {
  try await Task { try await operation() }.value
}
