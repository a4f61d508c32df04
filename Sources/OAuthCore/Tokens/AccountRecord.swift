// SPDX-License-Identifier: Apache-2.0

import Support
package import Timekeeping
package import TokenStore

/// The owner of one account's record: every read, renewal, replacement and removal of a stored token goes through it, and
/// nothing else in the package asks the storage for it.
///
/// The newest token is kept in memory too, so that a caller that finds it usable reads nothing. An account without a record is
/// recognised by a plain read: no lock is taken, and so no lock file made, to learn that there is none.
package actor AccountRecord {
  /// The account in the storage.
  package nonisolated let account: String
  /// The account's name in errors; `nil` for none.
  nonisolated let name: String?
  let storage: any TokenStorage
  let clock: any WallClock
  let leeway: Duration
  let report: @Sendable (SignInEvent) -> Void

  /// The token that was stored last.
  var current: StoredToken?
  /// How often the record was replaced or removed by other means than a renewal.
  var generation = 0
  /// The renewal that callers share.
  var renewal: SharedTask<StoredToken>?
  /// A token that the server gave but the storage did not take, and the credential that was spent for it.
  var unsaved: (spent: Secret?, token: StoredToken)?

  /// Creates the owner of a record.
  ///
  /// Nothing is read yet.
  ///
  /// - Parameters:
  ///   - account: The account in the storage.
  ///   - name: The account's name in errors; `nil` for errors that name none.
  ///   - storage: Where the record is.
  ///   - clock: The clock that expiry is judged by.
  ///   - leeway: How long before its expiry a token is renewed, at most half of its lifetime.
  ///   - report: Called with what happens. Calls may come from any task.
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

  /// The record as it is stored; `nil` if there is none.
  ///
  /// - Throws: `TokenStorageError`.
  package nonisolated var stored: StoredToken? {
    get async throws { try await storage.token(for: account) }
  }

  /// The token in memory, if it is usable.
  var currentToken: StoredToken? { current.flatMap { isUsable($0, rejected: nil) ? $0 : nil } }

  /// Checks whether tokens could be stored, before a user is asked to sign in.
  ///
  /// - Throws: `TokenStorageError`, `CancellationError`.
  package nonisolated func checkWritable() async throws { try await storage.checkWritable(account) }

  /// Stores the tokens of a new sign-in in place of what is stored.
  ///
  /// - Throws: `TokenStorageError`, `CancellationError`.
  package func replace(with token: StoredToken) async throws {
    try await storage.withExclusiveAccess(to: account) { slot in
      try await slot.write(token)
      await self.keep(token)
    }
    report(.granted)
  }

  /// Reads the record again, in which another process may have stored the tokens of a sign-in.
  ///
  /// - Parameter method: Checks the record.
  /// - Returns: The record, or `nil` if its access token cannot be used.
  /// - Throws: `TokenStorageError`; what `method` throws.
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

  /// Adds scopes to those that the record says were requested.
  ///
  /// - Throws: `TokenStorageError`, `CancellationError`.
  func remember(requested scopes: [String]) async throws {
    try await storage.withExclusiveAccess(to: account) { slot in
      guard var stored = try await slot.read() else { return }
      stored.remember(requested: scopes)
      try await slot.write(stored)
    }
    current?.remember(requested: scopes)
    unsaved?.token.remember(requested: scopes)
  }

  /// Removes the record, also one that is damaged.
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
  /// Without a record it does nothing.
  ///
  /// - Parameter revoke: Revokes the tokens that it is given, which may be newer than those stored.
  /// - Throws: `TokenStorageError`, `CancellationError`; what `revoke` throws, and then the record is kept.
  package func remove(after revoke: @escaping @Sendable (StoredToken) async throws -> Void) async throws {
    guard try await stored != nil else { return keep(nil) }
    let isRevoked = try await storage.withExclusiveAccess(to: account) { slot in
      guard let stored = try await slot.read() else { return false }
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
  /// Whether there is a record, which may be damaged.
  private nonisolated var hasRecord: Bool {
    get async throws {
      do { return try await stored != nil } catch let error as TokenStorageError where error.code == .corrupted {
        return true
      }
    }
  }

  /// Takes note that the record was replaced or removed by other means than a renewal.
  private func keep(_ token: StoredToken?) {
    generation += 1
    current = token
    renewal = nil
    unsaved = nil
  }

  /// Returns the token that the server gave in place of `stored` but the storage did not take, if there is one.
  func unsavedToken(inPlaceOf stored: StoredToken?) -> StoredToken? {
    unsaved.flatMap { $0.spent == stored?.spentCredential ? $0.token : nil }
  }
}

extension StoredToken {
  /// What a renewal replaces: the refresh token, or the access token where there is no other.
  var spentCredential: Secret? { refreshToken ?? accessToken }

  fileprivate mutating func remember(requested scopes: [String]) {
    requestedScopes = (requestedScopes ?? []).appending(scopes)
  }
}
