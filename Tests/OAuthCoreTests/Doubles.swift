// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Synchronization
import TestSupport
import TokenStore

/// A storage that notes how it is used.
final class CountingStorage: TokenStorage {
  enum Use: Hashable { case read, lock, lockedRead, write, check }

  private let base: any TokenStorage
  private let noted = Mutex<[Use]>([])

  init(_ base: some TokenStorage) { self.base = base }

  /// The uses, in order.
  var uses: [Use] { noted.withLock { $0 } }

  private struct Slot: TokenSlot {
    let base: any TokenSlot
    let storage: CountingStorage
    func read() async throws -> StoredToken? {
      storage.note(.lockedRead)
      return try await base.read()
    }
    func write(_ token: StoredToken?) async throws {
      storage.note(.write)
      try await base.write(token)
    }
  }

  private func note(_ use: Use) { noted.withLock { $0.append(use) } }

  func checkWritable(_ account: String) async throws {
    note(.check)
    try await base.checkWritable(account)
  }

  func token(for account: String) async throws -> StoredToken? {
    note(.read)
    return try await base.token(for: account)
  }

  func accounts() async throws -> [String] { try await base.accounts() }

  func withExclusiveAccess<Result: Sendable>(
    to account: String, _ body: @Sendable (any TokenSlot) async throws -> Result
  ) async throws -> Result {
    note(.lock)
    return try await base.withExclusiveAccess(to: account) { try await body(Slot(base: $0, storage: self)) }
  }
}

/// A storage whose first write fails as a full disk would.
struct FailingOnceStorage: TokenStorage {
  private let base: InMemoryTokenStorage
  private let failure = Failure()

  private final class Failure: Sendable {
    private let isDue = Mutex(true)
    func takeOnce() -> Bool {
      isDue.withLock { due in
        defer { due = false }; return due
      }
    }
  }

  private struct Slot: TokenSlot {
    let base: any TokenSlot
    let failure: Failure
    func read() async throws -> StoredToken? { try await base.read() }
    func write(_ token: StoredToken?) async throws {
      if failure.takeOnce() { throw TokenStorageError(.unavailable, "The disk is full.") }
      try await base.write(token)
    }
  }

  init(_ base: InMemoryTokenStorage) { self.base = base }

  func token(for account: String) async throws -> StoredToken? { try await base.token(for: account) }

  func accounts() async throws -> [String] { try await base.accounts() }

  func withExclusiveAccess<Result: Sendable>(
    to account: String, _ body: @Sendable (any TokenSlot) async throws -> Result
  ) async throws -> Result {
    try await base.withExclusiveAccess(to: account) { try await body(Slot(base: $0, failure: failure)) }
  }
}

/// A storage to which another process has exclusive access for longer than the storage waits.
struct BusyStorage: TokenStorage {
  let token: StoredToken

  func token(for account: String) async throws -> StoredToken? { token }

  func accounts() async throws -> [String] { [] }

  func withExclusiveAccess<Result: Sendable>(
    to account: String, _ body: @Sendable (any TokenSlot) async throws -> Result
  ) async throws -> Result {
    throw TokenStorageError(.busy, "Another process has exclusive access.")
  }
}

/// A storage whose first plain read has found the record, but is slow to say so.
struct SlowReadingStorage: TokenStorage {
  let gate = AsyncGate()
  private let base: InMemoryTokenStorage
  private let isFirst = Once()

  private final class Once: Sendable {
    private let isDue = Mutex(true)
    func take() -> Bool {
      isDue.withLock { due in
        defer { due = false }; return due
      }
    }
  }

  init(_ base: InMemoryTokenStorage) { self.base = base }

  func token(for account: String) async throws -> StoredToken? {
    let token = try await base.token(for: account)
    if isFirst.take() { try await gate.pass() }
    return token
  }

  func accounts() async throws -> [String] { try await base.accounts() }

  func withExclusiveAccess<Result: Sendable>(
    to account: String, _ body: @Sendable (any TokenSlot) async throws -> Result
  ) async throws -> Result {
    try await base.withExclusiveAccess(to: account, body)
  }
}

extension InMemoryTokenStorage {
  /// A storage whose record another process changes without taking the lock.
  actor Intruder: TokenStorage {
    private let base: InMemoryTokenStorage
    private var replacement: StoredToken?

    private struct Slot: TokenSlot {
      let base: any TokenSlot
      let intruder: Intruder
      func read() async throws -> StoredToken? {
        if let replacement = await intruder.replacement { return replacement }
        return try await base.read()
      }
      func write(_ token: StoredToken?) async throws { try await base.write(token) }
    }

    init(_ base: InMemoryTokenStorage) { self.base = base }

    func replace(with token: StoredToken) { replacement = token }

    func token(for account: String) async throws -> StoredToken? { try await base.token(for: account) }

    func accounts() async throws -> [String] { try await base.accounts() }

    nonisolated func withExclusiveAccess<Result: Sendable>(
      to account: String, _ body: @Sendable (any TokenSlot) async throws -> Result
    ) async throws -> Result {
      try await base.withExclusiveAccess(to: account) { try await body(Slot(base: $0, intruder: self)) }
    }
  }
}
