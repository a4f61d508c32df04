// SPDX-License-Identifier: Apache-2.0

import Support
import Synchronization

/// The issued tokens that the store failed to store, which are written again until the store responds.
///
/// The storage keeps them, because its callers may be short-lived: a server can create a token source for each of its requests.
final class UnwrittenTokens: Sendable {
  private struct Entry {
    let record: [UInt8]
    let isSealed: Bool
    let claim: LeaseRules.Claim
    /// The lease and its renewal, kept until the token is written.
    var lease: (number: Int64, renewal: Task<Void, Never>)?
  }

  private static let firstPause = Duration.milliseconds(200)
  private static let longestPause = Duration.seconds(5)

  private let rows: any LeasedRows
  private let rules: LeaseRules
  private let clock: any LeaseClock
  private let entries = Mutex<[[UInt8]: Entry]>([:])
  private let locks = KeyedLock<[UInt8]>()

  init(rows: any LeasedRows, rules: LeaseRules, clock: any LeaseClock) {
    self.rows = rows
    self.rules = rules
    self.clock = clock
  }

  func contains(_ account: String) -> Bool { entries.withLock { $0[Array(account.utf8)] != nil } }

  /// Keeps a record, and writes it again in the background.
  func keep(_ record: [UInt8], of account: String, _ claim: LeaseRules.Claim, isSealed: Bool) {
    entries.withLock { $0[Array(account.utf8)] = Entry(record: record, isSealed: isSealed, claim: claim) }
    Task { [self] in
      var pause = Self.firstPause
      while contains(account) {
        try await clock.sleep(until: clock.now + pause)
        try? await write(account)
        pause = min(pause * 2, Self.longestPause)
      }
    }
  }

  /// Keeps a lease and its renewal until the account's token is written.
  ///
  /// - Returns: Whether the token is still unwritten.
  func keep(_ lease: Int64, renewedBy renewal: Task<Void, Never>, of account: String) -> Bool {
    entries.withLock { entries in
      guard entries[Array(account.utf8)] != nil else { return false }
      entries[Array(account.utf8)]?.lease = (lease, renewal)
      return true
    }
  }

  /// Writes the token of an account, if there is one.
  ///
  /// - Throws: ``TokenStorageError`` if the store still fails.
  func write(_ account: String) async throws {
    let key = Array(account.utf8)
    guard contains(account) else { return }
    try await locks.withLock(for: key) {
      guard let entry = entries.withLock({ $0[key] }) else { return }
      do {
        let row = try await rows.knownRead(account)
        // The first attempt may have succeeded.
        if row.record != entry.record {
          _ = try await rows.write(
            entry.record, of: account, to: row, claim: entry.claim, canReplaceSealed: entry.isSealed, rules: rules)
        }
      } catch let error as TokenStorageError where error.code == .superseded {
        // The store has a newer token.
      }
      let lease = entries.withLock { $0.removeValue(forKey: key)?.lease }
      lease?.renewal.cancel()
      if let lease { try? await rows.release(account, lease: lease.number) }
    }
  }

  /// Writes all tokens.
  ///
  /// - Throws: The first error, after all of them were attempted.
  func writeAll() async throws {
    var first: (any Error)?
    for key in entries.withLock({ Array($0.keys) }) {
      do { try await write(String(decoding: key, as: UTF8.self)) } catch { first = first ?? error }
    }
    if let first { throw first }
  }
}
