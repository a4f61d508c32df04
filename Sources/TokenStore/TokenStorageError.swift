// SPDX-License-Identifier: Apache-2.0

public import PlatformFoundation

/// An error of reading or writing a token.
public struct TokenStorageError: Error, Sendable, CustomStringConvertible {
  /// The kind of fault.
  ///
  /// Future releases may add codes: keep a `default` in a `switch`.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The code's name.
    public let description: String

    /// The record is damaged.
    ///
    /// The record was set aside, or the caller with exclusive access will do so. The account is then empty.
    public static let corrupted = Code(description: "corrupted")
    /// The storage cannot be reached, denies access, or is full.
    ///
    /// Nothing was changed, unless ``TokenStorageError/message`` states otherwise.
    public static let unavailable = Code(description: "unavailable")
    /// The record was written by a newer release, in a format unknown to this one.
    ///
    /// The storage changed nothing. Update the program.
    public static let newerFormat = Code(description: "newerFormat")
    /// Another process had exclusive access for longer than the storage's wait limit.
    ///
    /// Nothing was read or written.
    public static let busy = Code(description: "busy")
    /// Another caller has replaced the record since it was read, or has obtained exclusive access.
    ///
    /// Nothing was written, and the credential must not be sent. Read the record again: it may be newer.
    public static let superseded = Code(description: "superseded")
    /// The storage is not safe to use: other users could read or redirect it.
    ///
    /// Nothing was read or written.
    public static let insecure = Code(description: "insecure")
    /// The account's name cannot be stored, such as the empty string.
    public static let invalidAccount = Code(description: "invalidAccount")
    /// The record is sealed, and this storage has no key for it.
    ///
    /// The storage changed nothing. Read the record through `SealedTokenStorage` (module TokenStoreSealed).
    public static let sealed = Code(description: "sealed")
    /// The record is sealed with a key missing from the key ring.
    ///
    /// The storage changed nothing. Add the key.
    public static let unknownKey = Code(description: "unknownKey")
    /// The record is sealed with another key than the one with its identifier in the key ring.
    ///
    /// The storage changed nothing. Add the original key, and give the other one its own identifier.
    public static let wrongKey = Code(description: "wrongKey")
    /// The sealed record was changed after it was sealed, or belongs to another account or store.
    ///
    /// The storage changed nothing.
    public static let tampered = Code(description: "tampered")
    /// The sealed record is incomplete, or its checksum differs.
    ///
    /// The storage changed nothing. In contrast to ``corrupted``, the record was not set aside.
    public static let damagedSeal = Code(description: "damagedSeal")
    /// The record is in plain text, and the storage accepts only sealed records.
    ///
    /// The storage changed nothing.
    public static let notSealed = Code(description: "notSealed")
    /// The sealing keys are missing, or cannot be read as keys.
    public static let invalidKeys = Code(description: "invalidKeys")
    /// The tables of the database are missing, or lack a column that a newer release added.
    ///
    /// Nothing was read or written. Create them with `PostgreSQLTokenStorage.migrateSchema()`.
    public static let schemaMissing = Code(description: "schemaMissing")
    /// There is no keyring: its library, the session bus or its service is missing.
    ///
    /// Nothing was read or written.
    public static let keyringMissing = Code(description: "keyringMissing")
    /// The keyring is locked, or was locked during the access.
    ///
    /// Unlock the keyring and try again. A removal may have removed some of several items of the account.
    public static let keyringLocked = Code(description: "keyringLocked")
    /// The user dismissed the keyring's prompt, which unlocks the keyring or removes an item.
    ///
    /// Nothing was changed.
    public static let promptDismissed = Code(description: "promptDismissed")
    /// The keyring is locked, and there is no display for its prompt.
    ///
    /// Nothing was changed.
    public static let promptUnavailable = Code(description: "promptUnavailable")
  }

  /// The kind of fault.
  public let code: Code
  /// A message that states the failure, its location and its remedy, never a token.
  public let message: String
  /// The sealed form of the unreadable record, for the holder of its key.
  package private(set) var sealed: String?

  /// Creates an error.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The ``message``.
  public var description: String { message }
}

extension TokenStorageError {
  /// The error of reading a sealed record without its key.
  package init(sealed: String) {
    self.init(
      .sealed,
      "The record is sealed. Read it through SealedTokenStorage, with the key ring of the program that sealed it.")
    self.sealed = sealed
  }

  /// Whether the error concerns an existing but unreadable record.
  package var isOfUnreadableRecord: Bool {
    [.corrupted, .newerFormat, .sealed, .unknownKey, .wrongKey, .tampered, .damagedSeal, .notSealed].contains(code)
  }

  /// Whether the keyring itself is inaccessible, so that every record fails in the same way.
  package var isOfKeyring: Bool {
    [.keyringMissing, .keyringLocked, .promptDismissed, .promptUnavailable].contains(code)
  }

  /// Returns the error with the location of the record, which was left unchanged.
  package func located(at location: String) -> TokenStorageError {
    var error = TokenStorageError(code, "\(location) was not changed: \(message)")
    error.sealed = sealed
    return error
  }

  package static let superseded = TokenStorageError(
    .superseded,
    "Another caller has replaced the record or obtained exclusive access since it was read. Read the record again.")

  static let slotEnded = TokenStorageError(
    .unavailable, "The slot was used after its exclusive access had ended. Read and write before the body returns.")

  package static let emptyAccount = TokenStorageError(.invalidAccount, "The account's name is empty. Use another name.")
}

extension TokenStorageError: LocalizedError {
  /// The ``message``.
  public var errorDescription: String? { message }
}
