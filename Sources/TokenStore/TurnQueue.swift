import Synchronization

/// Lets one task at a time pass for each key, first come, first served.
///
/// A waiter that is cancelled leaves at once and holds up nobody.
package final class TurnQueue<Key: Hashable & Sendable>: Sendable {
  private typealias Waiter = CheckedContinuation<Void, any Error>

  private struct State {
    var lastID = 0
    /// Who waits, for each key whose turn is taken.
    var waiters: [Key: WaitingLine<Waiter>] = [:]
  }

  private let state = Mutex(State())

  package init() {}

  /// How many wait for a turn that somebody has.
  package func waiterCount(for key: Key) -> Int {
    state.withLock { $0.waiters[key]?.count ?? 0 }
  }

  /// Waits for the turn. Whoever got it must ``leave(_:)``.
  ///
  /// - Throws: `CancellationError`, and then the turn is not taken.
  package func enter(_ key: Key) async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let answer: Result<Void, any Error>? = state.withLock { state in
          // Asked under the lock: a later cancellation finds the waiter in its line.
          if Task.isCancelled { return .failure(CancellationError()) }
          guard state.waiters[key] != nil else {
            state.waiters[key] = WaitingLine()
            return .success(())
          }
          state.waiters[key]?.append(continuation, id: id)
          return nil
        }
        if let answer { continuation.resume(with: answer) }
      }
    } onCancel: {
      withdraw(id, from: key)?.resume(throwing: CancellationError())
    }
  }

  /// Ends the turn; the next in line has it.
  package func leave(_ key: Key) {
    let next: Waiter? = state.withLock { state in
      guard let next = state.waiters[key]?.removeFirst() else {
        state.waiters[key] = nil
        return nil
      }
      return next
    }
    next?.resume()
  }

  private func withdraw(_ id: Int, from key: Key) -> Waiter? {
    state.withLock { $0.waiters[key]?.remove(id) }
  }
}
