// SPDX-License-Identifier: Apache-2.0

import Support
import Synchronization

/// An asynchronous lock for each key: one task at a time has the lock of a key, and waiters get it in the order they came in.
///
/// It is for those who write a ``TokenStorage`` whose records no other process sees. It blocks no thread, and a waiter that is
/// cancelled leaves at once and delays no other.
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
  /// It is not reentrant: a `body` that requests the lock of the same key waits for ever. Keys that are not equal do not affect
  /// each other.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - isolation: The actor that `body` runs on; the caller's by default.
  ///   - body: What to do.
  /// - Returns: What `body` returns.
  /// - Throws: `CancellationError`, promptly and without calling `body`, if the current task is cancelled before it has the
  ///   lock; what `body` throws.
  public func withLock<Result: Sendable>(
    for key: Key, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async throws -> Result {
    try await lock(key)
    defer { unlock(key) }
    return try await body()
  }

  /// The number of tasks that wait for the lock of `key`.
  package func waiterCount(for key: Key) -> Int {
    state.withLock { $0.waiters[key]?.count ?? 0 }
  }

  /// Waits for the lock of `key`, which the caller must ``unlock(_:)``.
  ///
  /// - Throws: `CancellationError`, and then the lock is not held.
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

  /// Gives the lock of `key` to the task that has waited longest.
  package func unlock(_ key: Key) {
    state.withLock { state in
      // One that was cancelled meanwhile does not take it.
      while let next = state.waiters[key]?.removeFirst() {
        if next.end(.success(())) { return }
      }
      state.waiters[key] = nil
    }
  }
}

/// Elements in the order of their arrival, any of which may leave.
///
/// - Complexity: O(1) amortised for every change. The memory is proportional to ``count``.
package struct WaitingLine<Element> {
  private var elements: [Int: Element] = [:]
  /// The identifiers in their order, those that left included.
  private var order: [Int] = []
  private var start = 0

  package init() {}

  package var count: Int { elements.count }

  /// The number of places kept, those of elements that left included.
  package var placeCount: Int { order.count }

  /// Adds an element to the end.
  ///
  /// The identifier must not be one that was used before.
  package mutating func append(_ element: Element, id: Int) {
    elements[id] = element
    order.append(id)
  }

  /// Removes the element that has been there longest.
  package mutating func removeFirst() -> Element? {
    while start < order.count {
      start += 1
      if let element = elements.removeValue(forKey: order[start - 1]) {
        trim()
        return element
      }
    }
    return nil
  }

  /// Removes an element; `nil` if it is not there.
  package mutating func remove(_ id: Int) -> Element? {
    guard let element = elements.removeValue(forKey: id) else { return nil }
    trim()
    return element
  }

  /// Gives up the places of those that left when they are most.
  private mutating func trim() {
    guard order.count > 2 * elements.count + 16 else { return }
    order = order[start...].filter { elements[$0] != nil }
    start = 0
  }
}
