// SPDX-License-Identifier: Apache-2.0

import Synchronization
import TokenStore

/// One account's record in a ``SealedTokenStorage``, during exclusive access.
final class SealedTokenSlot: TokenSlot {
  private let base: any TokenSlot
  private let sealer: RecordSealer
  /// Whether this slot has opened or written the current record, which no other caller changes meanwhile.
  private let isKnown = Mutex(false)

  init(_ base: any TokenSlot, _ sealer: RecordSealer) {
    self.base = base
    self.sealer = sealer
  }

  func read() async throws -> StoredToken? { try await open()?.token }

  /// Replaces the record, if the key ring can open it, or removes it.
  @concurrent func write(_ token: StoredToken?) async throws {
    guard let token else { return try await remove() }
    let record = try sealer.seal(token)
    if !isKnown.withLock(\.self) {
      // A separate task: a write completes even if the current task is cancelled, but a read may stop.
      try await Task { try await self.checkReplaceable(bySealed: token.sealed != nil) }.value
    }
    try await base.write(record)
    isKnown.withLock { $0 = true }
  }

  func prepareToSpend(_ intent: SpendingIntent) async throws -> ContinuousClock.Instant? {
    if !isKnown.withLock(\.self) { try await checkReplaceable(bySealed: intent.writesSealed) }
    var intent = intent
    intent.writesSealed = true
    return try await base.prepareToSpend(intent)
  }

  /// Opens the record with its sealing key.
  func open() async throws -> RecordSealer.Opened? {
    isKnown.withLock { $0 = false }
    let opened = try await sealer.open { try await base.read() }
    isKnown.withLock { $0 = true }
    return opened
  }

  /// Removes the record, even if it cannot be opened.
  private func remove() async throws {
    try await base.write(nil)
    isKnown.withLock { $0 = true }
  }

  /// Checks that this storage can open the record that a write would replace.
  private func checkReplaceable(bySealed isSealed: Bool) async throws {
    do {
      _ = try await open()
    } catch let error as TokenStorageError where error.code == .corrupted {
      // The wrapped storage has set the record aside.
    } catch let error as TokenStorageError where error.sealed != nil && isSealed {
      // Another sealed storage wraps this one, and has the key of the record inside.
    }
  }
}
