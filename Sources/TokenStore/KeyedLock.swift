// SPDX-License-Identifier: Apache-2.0

import Support
import Synchronization

/// An asynchronous lock for each key: one task at a time holds the lock of a key, and waiters are served in order of arrival.
///
/// Use it to write a ``TokenStorage`` whose records no other process sees. It blocks no thread. A cancelled waiter leaves
/// immediately and delays no other.
///
/// ```swift
/// let locks = KeyedLock<String>()
/// try await locks.withLock(for: account) { try await table.replace(account, with: token) }
/// ```
public final class KeyedLock<Key: Hashable & Sendable>: Sendable {
  private typealias Waiter = SingleWait<Void>

  private struct State {
    var lastID = 0
    /// The waiters of each key whose lock is held.
    var waiters: [Key: WaitingLine<Waiter>] = [:]
  }

  private let state = Mutex(State())

  /// Creates a lock that no task holds, for any key.
  public init() {}

  /// Runs `body` while no other task has the lock of `key`.
  ///
  /// The lock is not reentrant: a `body` that requests the lock of the same key waits for ever. Different keys do not
  /// affect each other.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - body: The closure to run while the lock is held.
  /// - Returns: The result of `body`.
  /// - Throws: `CancellationError`, promptly and without calling `body`, if the current task is cancelled before it has
  ///   the lock. Also any error of `body`.
  @concurrent public func withLock<Result: Sendable>(
    for key: Key, _ body: @concurrent () async throws -> Result
  ) async throws -> Result {
    try await whileHolding(key) { try await body() }
  }

  /// Runs `body` on the caller's actor while no other task has the lock of `key`.
  ///
  /// - Throws: `CancellationError`, without calling `body`. Also any error of `body`.
  package func whileHolding<Result: Sendable>(_ key: Key, _ body: () async throws -> Result) async throws -> Result {
    try await lock(key)
    defer { unlock(key) }
    return try await body()
  }

  /// The number of tasks that wait for the lock of `key`.
  package func waiterCount(for key: Key) -> Int {
    state.withLock { $0.waiters[key]?.count ?? 0 }
  }

  /// Waits for the lock of `key`, which the caller must release with ``unlock(_:)``.
  ///
  /// - Throws: `CancellationError`. The lock is then not held.
  package func lock(_ key: Key) async throws {
    try Task.checkCancellation()
    let waiter = Waiter()
    let id: Int? = state.withLock { state in
      guard state.waiters[key] != nil else {
        state.waiters[key] = WaitingLine()
        return nil
      }
      state.lastID += 1
      state.waiters[key]?.append(waiter, id: state.lastID)
      return state.lastID
    }
    guard let id else { return }
    do {
      try await waiter.value()
    } catch {
      state.withLock { _ = $0.waiters[key]?.remove(id) }
      throw error
    }
  }

  /// Passes the lock of `key` to the longest waiting task.
  package func unlock(_ key: Key) {
    state.withLock { state in
      // A waiter that was cancelled meanwhile does not take the lock.
      while let next = state.waiters[key]?.removeFirst() {
        if next.end(.success(())) { return }
      }
      state.waiters[key] = nil
    }
  }
}
