// SPDX-License-Identifier: Apache-2.0

import OAuthJOSE
package import TokenStore

/// The sealing and opening of one account's records.
package struct RecordSealer: Sendable {
  private let account: String
  private let store: String
  private let keys: SealingKeyRing
  private let plainRecords: SealedTokenStorage.PlainRecords

  /// An opened record.
  package struct Opened {
    package let token: StoredToken
    /// Whether the record is sealed with the key for new records.
    let isCurrent: Bool
  }

  package init(account: String, store: String, keys: SealingKeyRing, plainRecords: SealedTokenStorage.PlainRecords) {
    self.account = account
    self.store = store
    self.keys = keys
    self.plainRecords = plainRecords
  }

  /// Returns the token of a record of the wrapped storage.
  ///
  /// - Parameter read: Reads the record.
  /// - Throws: `TokenStorageError`, or the errors of `read`.
  @concurrent func open(_ read: () async throws -> StoredToken?) async throws -> Opened? {
    let found: StoredToken?
    do {
      found = try await read()
    } catch let error as TokenStorageError {
      // Most storages throw for a sealed record. The error then contains its sealed form.
      guard let sealed = error.sealed else { throw error }
      return try open(sealed)
    }
    guard let found else { return nil }
    if let sealed = found.sealed { return try open(sealed) }
    guard plainRecords == .accepted else {
      throw failure(
        .notSealed,
        """
        is not sealed. If it dates from before the program sealed its records, seal it: call reseal() with plainRecords: .accepted. \
        Otherwise, another program wrote it: remove it and sign in again.
        """)
    }
    return Opened(token: found, isCurrent: false)
  }

  /// Returns the record to write for `token`.
  package func seal(_ token: StoredToken) throws -> StoredToken {
    var plaintext = TokenRecord.encode(token)
    defer { plaintext.wipe() }
    let key = keys.sealingKey
    let nonce = randomBytes(XAES256GCM.nonceSize)
    let message = try key.cipher.seal(plaintext, nonce: nonce, authenticating: associatedData(key))
    return StoredToken(sealed: SealedForm(key: key, nonce: nonce, message: message).text)
  }

  /// Opens the sealed form of a record.
  ///
  /// - Throws: `TokenStorageError` with the code of the fault.
  package func open(_ sealed: String) throws -> Opened {
    guard let form = SealedForm(sealed) else {
      throw failure(.damagedSeal, "is damaged. Restore it from a backup, or remove it and sign in again.")
    }
    guard let key = keys.key(form.identifier) else {
      throw failure(
        .unknownKey, "is sealed with the key \(form.identifier), which is not in the key ring. Add this key.")
    }
    guard key.fingerprint == form.fingerprint else {
      throw failure(
        .wrongKey,
        """
        is sealed with another key than the one called \(key.identifier) in the key ring. Add the original key under this name, and \
        the other one under its own.
        """)
    }
    let data = associatedData(key)
    guard var plaintext = try key.cipher.open(form.message, nonce: form.nonce, authenticating: data) else {
      throw failure(
        .tampered,
        """
        was changed after it was sealed, or belongs to another account, or to another store than \(store.debugDescription). Compare \
        the name of the store, restore the record from a backup, or remove it and sign in again.
        """)
    }
    defer { plaintext.wipe() }
    switch try TokenRecord.decode(plaintext, at: "The sealed record") {
    case .token(let token): return Opened(token: token, isCurrent: key.identifier == keys.sealingKey.identifier)
    case .sealed(let error): throw error
    // Only another program with the key can have sealed this.
    case .nothing, .damaged: throw failure(.damagedSeal, "was sealed by another program, in another format.")
    }
  }

  /// The associated data of a record, which binds it to its place.
  ///
  /// These fields, each with its length in 8 bytes before it: a label, the version of the record, the key's identifier, the store and the
  /// account.
  private func associatedData(_ key: SealingKey) -> [UInt8] {
    let fields: [[UInt8]] = [
      Array("almanac sealed record".utf8), [UInt8(StoredToken.sealedVersion)], Array(key.identifier.utf8),
      Array(store.utf8), Array(account.utf8),
    ]
    return fields.flatMap { bytes(of: $0.count) + $0 }
  }

  /// Returns a length in 8 bytes, the most significant first.
  private func bytes(of count: Int) -> [UInt8] {
    stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: count >> $0) }
  }

  private func failure(_ code: TokenStorageError.Code, _ text: String) -> TokenStorageError {
    TokenStorageError(code, "The record of the account \(account.debugDescription) \(text)")
  }
}
