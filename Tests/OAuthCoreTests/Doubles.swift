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
    to account: String, _ body: @concurrent @Sendable (any TokenSlot) async throws -> Result
  ) async throws -> Result {
    note(.lock)
    return try await base.withExclusiveAccess(to: account) { try await body(Slot(base: $0, storage: self)) }
  }
}

/// A storage that calls functions of a test in place of its own.
struct HookedStorage: TokenStorage {
  let base: any TokenStorage
  /// Reads the record without exclusive access.
  var read: (@Sendable () async throws -> StoredToken?)?
  /// Called before exclusive access is requested.
  var willLock: @Sendable () throws -> Void = {}
  /// A record that another process stored without exclusive access.
  var intruded: @Sendable () -> StoredToken? = { nil }
  /// Called before a record is written.
  var willWrite: @Sendable () throws -> Void = {}

  private struct Slot: TokenSlot {
    let base: any TokenSlot
    let storage: HookedStorage
    func read() async throws -> StoredToken? {
      if let token = storage.intruded() { return token }
      return try await base.read()
    }
    func write(_ token: StoredToken?) async throws {
      try storage.willWrite()
      try await base.write(token)
    }
  }

  func token(for account: String) async throws -> StoredToken? {
    if let read { return try await read() }
    return try await base.token(for: account)
  }

  func accounts() async throws -> [String] { try await base.accounts() }

  func withExclusiveAccess<Result: Sendable>(
    to account: String, _ body: @concurrent @Sendable (any TokenSlot) async throws -> Result
  ) async throws -> Result {
    try willLock()
    return try await base.withExclusiveAccess(to: account) { try await body(Slot(base: $0, storage: self)) }
  }
}

extension HookedStorage {
  /// A storage whose first write fails as a full disk would.
  static func failingOnce(_ base: InMemoryTokenStorage) -> HookedStorage {
    let isDue = Once()
    return HookedStorage(
      base: base, willWrite: { if isDue.take() { throw TokenStorageError(.unavailable, "The disk is full.") } })
  }

  /// A storage to which another process has exclusive access for longer than the storage waits.
  static func busy(holding token: StoredToken) -> HookedStorage {
    HookedStorage(
      base: InMemoryTokenStorage(), read: { token },
      willLock: { throw TokenStorageError(.busy, "Another process has exclusive access.") })
  }

  /// A storage whose first plain read has found the record, but waits for a gate to return it.
  static func reading(_ base: InMemoryTokenStorage, behind gate: AsyncGate) -> HookedStorage {
    let isDue = Once()
    return HookedStorage(
      base: base,
      read: {
        let token = try await base.token(for: "me")
        if isDue.take() { try await gate.pass() }
        return token
      })
  }

  private final class Once: Sendable {
    private let isDue = Mutex(true)
    func take() -> Bool { isDue.withLock { exchange(&$0, with: false) } }
  }
}

private func exchange<Value>(_ value: inout Value, with new: Value) -> Value {
  defer { value = new }
  return value
}
