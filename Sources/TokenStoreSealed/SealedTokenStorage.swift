// SPDX-License-Identifier: Apache-2.0

public import TokenStore

/// A token storage that seals the records of another storage with XAES-256-GCM ([C2SP](https://c2sp.org/XAES-256-GCM)).
///
/// ```swift
/// let keys = try SealingKeyRing(environment: "ALMANAC_SEALING_KEYS")
/// let storage = SealedTokenStorage(wrapping: FileTokenStorage(), keys: keys, store: "tokens.example.com")
/// ```
///
/// - **A record in the wrapped storage** has a format version and a sealed text, whose key identifier is in plain text.
///   Everything else, including the expiry, is encrypted. The wrapped storage has the account's name in plain text.
/// - **A record is bound to its place**: the account, the store, the key and the format version are authenticated with it. A copy in
///   another account or store does not open. A storage that returns an older record of the same account is not detected.
/// - **A reader without the key**, such as the wrapped storage itself, throws `TokenStorageError` with code `sealed`, and does not
///   replace the record.
/// - **A record that cannot be opened** is reported and never replaced: a write throws the same error as a read. The codes are
///   `unknownKey`, `wrongKey`, `tampered`, `damagedSeal` and `notSealed`. Only a removal, `write(nil)`, discards it. To remove the
///   record of an account, call `OAuthAccount.signOut()`, which does not revoke the tokens.
///
/// Exclusive access is the wrapped storage's, and covers the same tasks, processes and machines. Any number of values may wrap the same
/// records.
public struct SealedTokenStorage: TokenStorage {
  private let base: any TokenStorage
  private let keys: any SealingKeys
  private let store: String
  private let plainRecords: PlainRecords

  /// The treatment of records in plain text.
  public enum PlainRecords: Sendable {
    /// A record in plain text is an error, with code `notSealed`.
    case refused
    /// A record in plain text is read, and sealed by the next write or by ``SealedTokenStorage/reseal()``.
    ///
    /// While this is set, a program with write access to the wrapped storage can replace a sealed record with a record
    /// of its own.
    case accepted
  }

  /// Creates a storage.
  ///
  /// - Parameters:
  ///   - base: The storage of the sealed records.
  ///   - keys: The keys. The first one seals, and all of them open.
  ///   - store: The name of the store, such as its host, unique among the stores with the same keys. It must not change:
  ///     records open only under the name they were sealed with.
  ///   - plainRecords: The treatment of records in plain text. Pass `.accepted` to introduce sealing, until ``reseal()`` has sealed
  ///     all records. Defaults to `.refused`.
  public init(
    wrapping base: some TokenStorage, keys: some SealingKeys, store: String, plainRecords: PlainRecords = .refused
  ) {
    self.base = base
    self.keys = keys
    self.store = store
    self.plainRecords = plainRecords
  }

  /// Opens the record of `account`, without waiting for a caller with exclusive access.
  ///
  /// - Throws: `TokenStorageError`, or the errors of `SealingKeys.keyRing()`.
  public func token(for account: String) async throws -> StoredToken? {
    try await sealer(for: account).open { try await base.token(for: account) }?.token
  }

  /// Runs `body` with exclusive access to `account` in the wrapped storage.
  ///
  /// The keys are obtained before the access. A write therefore does not depend on the source of the keys, and a
  /// rotated token is not lost if the source becomes unavailable.
  ///
  /// - Throws: `CancellationError` if the task is cancelled while it waits. Also `TokenStorageError`, the errors of
  ///   `SealingKeys.keyRing()`, and any error of `body`.
  public func withExclusiveAccess<Result: Sendable>(
    to account: String, _ body: @concurrent @Sendable (any TokenSlot) async throws -> Result
  ) async throws -> Result {
    try await withSlot(of: account, sealer(for: account)) { try await body($0) }
  }

  /// Checks that the wrapped storage could write, and that the current record can be opened.
  ///
  /// - Throws: `TokenStorageError`, as a write would, `CancellationError`, or the errors of `SealingKeys.keyRing()`.
  public func checkWritable(_ account: String) async throws {
    let sealer = try await sealer(for: account)
    do {
      try await base.checkWritable(account)
    } catch let error as TokenStorageError where error.sealed != nil {
      // The holder of the key can replace this record.
    }
    do {
      _ = try await sealer.open { try await base.token(for: account) }
    } catch let error as TokenStorageError where error.code == .corrupted {
      // The record is set aside, so the next write finds nothing in its place.
    }
  }

  /// Returns the accounts with a record in the wrapped storage, including records that cannot be opened.
  ///
  /// - Throws: `TokenStorageError`.
  public func accounts() async throws -> [String] { try await base.accounts() }
}

extension SealedTokenStorage {
  /// Seals every record with the first key, including records in plain text if they are accepted.
  ///
  /// Other tasks, processes and machines can use the records meanwhile: each record is replaced under exclusive access
  /// to its account. A record sealed with the first key is opened, to check it, and not written. An interrupted call
  /// loses nothing. Call the method again to seal the remaining records.
  ///
  /// Records that cannot be opened or written are reported, and left unchanged. If the storage becomes unavailable, all remaining
  /// records are reported.
  ///
  /// - Returns: The numbers of records, and the failures.
  /// - Throws: `CancellationError` between two records, or while the call waits for exclusive access. Also the errors
  ///   of `SealingKeys.keyRing()`, and `TokenStorageError` if the accounts cannot be listed or the keyring is missing or locked.
  ///   Records that were sealed before stay sealed.
  public func reseal() async throws -> ResealReport {
    let ring = try await keys.keyRing()
    var report = ResealReport()
    for account in try await base.accounts() {
      try Task.checkCancellation()
      do {
        if try await reseal(account, sealer(for: account, ring)) {
          report.resealed += 1
        } else {
          report.unchanged += 1
        }
      } catch let error as TokenStorageError where !error.isOfKeyring {
        report.failures.append(ResealReport.Failure(account: account, error: error))
      }
    }
    return report
  }

  /// Seals the record of `account` with the first key.
  ///
  /// - Returns: Whether the record was written.
  private func reseal(_ account: String, _ sealer: RecordSealer) async throws -> Bool {
    // Most records of a resumed call need no exclusive access.
    if try await sealer.open({ try await base.token(for: account) })?.isCurrent ?? true { return false }
    return try await withSlot(of: account, sealer) { slot in
      guard let record = try await slot.open(), !record.isCurrent else { return false }
      try await slot.write(record.token)
      return true
    }
  }

  private func withSlot<Result: Sendable>(
    of account: String, _ sealer: RecordSealer, _ body: @Sendable (SealedTokenSlot) async throws -> Result
  ) async throws -> Result {
    try await base.withExclusiveAccess(to: account) { try await body(SealedTokenSlot($0, sealer)) }
  }

  private func sealer(for account: String) async throws -> RecordSealer {
    sealer(for: account, try await keys.keyRing())
  }

  private func sealer(for account: String, _ ring: SealingKeyRing) -> RecordSealer {
    RecordSealer(account: account, store: store, keys: ring, plainRecords: plainRecords)
  }
}

extension SealedTokenStorage: CustomStringConvertible {
  /// The type's name, without accounts, tokens or keys.
  public var description: String { "SealedTokenStorage" }
}
