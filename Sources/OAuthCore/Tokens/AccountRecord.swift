// SPDX-License-Identifier: Apache-2.0

import Support
package import Timekeeping
package import TokenStore

/// The owner of one account's record.
///
/// It performs every read, renewal, replacement and removal of the stored token.
///
/// The newest token is kept in memory too. While this token is usable, the storage is not read. The check whether an account has a record
/// takes no lock and creates no lock file.
package actor AccountRecord {
  /// The account's name in the storage.
  package nonisolated let account: String
  /// The account's name in errors, or `nil` for none.
  nonisolated let name: String?
  let storage: any TokenStorage
  let clock: any WallClock
  let leeway: Duration
  let report: @Sendable (SignInEvent) -> Void

  /// The last stored token.
  var current: StoredToken?
  /// The number of replacements and removals of the record other than renewals.
  var generation = 0
  /// The renewal shared by callers.
  var renewal: SharedTask<StoredToken>?
  /// An issued token that the storage failed to store, and the credential spent for it.
  var unsaved: (spent: Secret?, token: StoredToken)?

  /// Creates the owner of a record.
  ///
  /// The initializer reads nothing.
  ///
  /// - Parameters:
  ///   - account: The account's name in the storage.
  ///   - name: The account's name in errors, or `nil` for none.
  ///   - storage: The token storage.
  ///   - clock: The clock for expiry.
  ///   - leeway: The time before its expiry when a token is renewed, at most half of its lifetime.
  ///   - report: Called with each event, from any task.
  package init(
    account: String, name: String?, storage: some TokenStorage, clock: some WallClock = SystemClock(),
    leeway: Duration = .seconds(60),
    report: @escaping @Sendable (SignInEvent) -> Void = { _ in }
  ) {
    self.account = account
    self.name = name
    self.storage = storage
    self.clock = clock
    self.leeway = leeway
    self.report = report
  }

  /// The stored record, or `nil` if there is none.
  ///
  /// - Throws: `TokenStorageError`.
  package nonisolated var stored: StoredToken? {
    get async throws { try await storage.token(for: account)?.unsealed() }
  }

  /// The token in memory, if it is usable.
  var currentToken: StoredToken? { current.flatMap { isUsable($0, rejected: nil) ? $0 : nil } }

  /// Checks that the storage can store tokens, before a user is asked to sign in.
  ///
  /// - Throws: `TokenStorageError`, `CancellationError`.
  package nonisolated func checkWritable() async throws { try await storage.checkWritable(account) }

  /// Replaces the record with the tokens of a new sign-in, which are obtained with exclusive access.
  ///
  /// - Parameter obtain: Obtains the tokens. It is called again if the storage did not allow the request.
  /// - Returns: The tokens.
  /// - Throws: `TokenStorageError`, `CancellationError`, or the errors of `obtain`.
  @discardableResult
  package func replace(
    by obtain: @escaping @Sendable (any TokenSlot) async throws -> StoredToken
  ) async throws -> StoredToken {
    var attempts = 1
    while true {
      do {
        let token = try await storage.withExclusiveAccess(to: account) { slot in
          let token = try await obtain(slot)
          try await slot.write(token)
          await self.keep(token)
          return token
        }
        report(.granted)
        return token
      } catch  where error.isOfAnotherRenewal && attempts < 5 {
        attempts += 1
      }
    }
  }

  /// Reads the record again, since another process may have stored the tokens of a sign-in.
  ///
  /// - Parameter method: The method for checking the record.
  /// - Returns: The record, or `nil` if its access token is not usable.
  /// - Throws: `TokenStorageError`, or the errors of `method`.
  func reload(checkedBy method: some TokenRenewal) async throws -> StoredToken? {
    let began = generation
    guard let stored = try await stored else { return nil }
    try method.check(stored)
    guard isUsable(stored, rejected: nil), unsaved == nil, generation == began else {
      return nil
    }
    current = stored
    return stored
  }

  /// Adds scopes to the requested scopes of the record.
  ///
  /// - Throws: `TokenStorageError`, `CancellationError`.
  func remember(requested scopes: [Scope]) async throws {
    try await storage.withExclusiveAccess(to: account) { slot in
      guard var stored = try await slot.read()?.unsealed() else { return }
      stored.remember(requested: scopes)
      try await slot.write(stored)
    }
    current?.remember(requested: scopes)
    unsaved?.token.remember(requested: scopes)
  }

  /// Removes the record, even if it cannot be read.
  ///
  /// - Throws: `TokenStorageError`, `CancellationError`.
  package func remove() async throws {
    if try await hasRecord {
      try await storage.withExclusiveAccess(to: account) { try await $0.write(nil) }
    }
    keep(nil)
    report(.signedOut)
  }

  /// Revokes the tokens at the server, then removes the record.
  ///
  /// Without a record, it does nothing.
  ///
  /// - Parameter revoke: Revokes the passed tokens, which may be newer than the stored ones.
  /// - Throws: `TokenStorageError`, `CancellationError`, or the errors of `revoke`. The record is then kept.
  package func remove(after revoke: @escaping @Sendable (StoredToken) async throws -> Void) async throws {
    guard try await stored != nil else { return keep(nil) }
    let isRevoked = try await storage.withExclusiveAccess(to: account) { slot in
      guard let stored = try await slot.read()?.unsealed() else { return false }
      let latest = await self.unsavedToken(inPlaceOf: stored) ?? stored
      try await OAuthError.naming(account: self.name) { try await revoke(latest) }
      try await slot.write(nil)
      return true
    }
    keep(nil)
    if isRevoked { report(.revoked) }
  }
}

extension AccountRecord {
  /// Whether there is a record, even an unreadable one.
  private nonisolated var hasRecord: Bool {
    get async throws {
      do { return try await stored != nil } catch let error as TokenStorageError where error.isOfUnreadableRecord {
        return true
      }
    }
  }

  /// Updates the state after the record was replaced or removed other than by a renewal.
  private func keep(_ token: StoredToken?) {
    generation += 1
    current = token
    renewal = nil
    unsaved = nil
  }

  /// Returns the unsaved token issued in place of `stored`, if there is one.
  func unsavedToken(inPlaceOf stored: StoredToken?) -> StoredToken? {
    unsaved.flatMap { $0.spent == stored?.spentCredential ? $0.token : nil }
  }
}

extension StoredToken {
  fileprivate mutating func remember(requested scopes: [Scope]) {
    requestedScopes = (requestedScopes ?? []).appending(scopes)
  }
}
