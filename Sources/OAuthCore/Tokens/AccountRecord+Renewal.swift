// SPDX-License-Identifier: Apache-2.0

import Support
import Timekeeping
import TokenStore

extension AccountRecord {
  /// Returns the token in memory, else the stored one, else a new one.
  ///
  /// - Parameters:
  ///   - rejected: A token that a server refused, so that it is not returned again.
  ///   - method: How a new token is obtained.
  /// - Throws: ``OAuthError``, `TransportError`, `TokenStorageError`; `CancellationError`, promptly, when the current task is
  ///   cancelled.
  func token(replacing rejected: AccessToken?, by method: some TokenRenewal) async throws -> StoredToken {
    var isLast = false
    while true {
      try Task.checkCancellation()
      if let current, isUsable(current, rejected: rejected) { return current }
      let waiter = SharedTask.join(&renewal) {
        try await OAuthError.naming(account: self.name) { try await self.renew(rejected: rejected, by: method) }
      }
      let token = try await waiter.value()
      // A renewal that began before the rejection was known may bring the rejected token; what the next one brings is final.
      if isLast || token.accessToken != rejected?.value { return token }
      isLast = true
    }
  }

  /// Whether `token` can be used now, with `leeway` to spare, at most half of the token's lifetime.
  func isUsable(_ token: StoredToken, rejected: AccessToken?, leeway: Duration? = nil) -> Bool {
    guard token.accessToken != rejected?.value else { return false }
    guard let expiresAt = token.expiresAt else { return true }
    var leeway = leeway ?? self.leeway
    // Or a token that lives no longer than the leeway would be renewed at every call.
    if let issuedAt = token.issuedAt { leeway = min(leeway, max(.zero, expiresAt - issuedAt) / 2) }
    return clock.now + token.serverClockOffset < expiresAt - leeway
  }

  private func renew(rejected: AccessToken?, by method: some TokenRenewal) async throws -> StoredToken {
    let began = generation
    let token = try await storedOrRenewed(rejected: rejected, by: method)
    // A record that was replaced or removed meanwhile must not come back from memory.
    if generation == began { current = token }
    return token
  }

  private func storedOrRenewed(rejected: AccessToken?, by method: some TokenRenewal) async throws -> StoredToken {
    // The first callers find a token that another process or an earlier run left, and need no lock. Once the token in memory is
    // of no use, the read under the lock is the only one.
    if current == nil, unsaved == nil {
      let stored = try await stored
      try method.check(stored)
      if let stored, isUsable(stored, rejected: rejected) { return stored }
    }
    do {
      return try await storage.withExclusiveAccess(to: account) { slot in
        try Task.checkCancellation()
        guard method.spendsStoredToken else { return try await self.renew(in: slot, rejected: rejected, by: method) }
        // A task of its own, since what was spent must be replaced even if no caller waits any more; access stays exclusive
        // until it is.
        return try await Task { try await self.renew(in: slot, rejected: rejected, by: method) }.value
      }
    } catch let error as TokenStorageError where error.code == .busy {
      // The process that should renew is stopped, but the token may still be good for the rest of the leeway.
      guard let stored = try await stored, isUsable(stored, rejected: rejected, leeway: .zero) else { throw error }
      try method.check(stored)
      return stored
    }
  }

  private func renew(
    in slot: any TokenSlot, rejected: AccessToken?, by method: some TokenRenewal
  ) async throws -> StoredToken {
    var stored = try await slot.read()
    try method.check(stored)
    if let unsaved = unsavedToken(inPlaceOf: stored) {
      try await slot.write(unsaved)
      stored = unsaved
    }
    unsaved = nil
    let canReplace = method.canReplace(stored)
    if let stored {
      // One rejection does not prove that a token is worthless: one that cannot be replaced stays until it expires.
      if !canReplace, stored.accessToken == rejected?.value, isUsable(stored, rejected: nil, leeway: .zero) {
        throw OAuthError(
          .signInRequired,
          "The server rejected the access token, and there is no refresh token. If it rejects other requests too, sign in again."
        )
      }
      // Where nothing can replace the token, the leeway gains nothing.
      if isUsable(stored, rejected: rejected, leeway: canReplace ? leeway : .zero) { return stored }
    }
    let renewed: StoredToken
    do {
      renewed = try await method.token(inPlaceOf: stored, rejected: rejected)
    } catch {
      return try await recover(from: error, in: slot, stored: stored, rejected: rejected)
    }
    unsaved = (stored?.spentCredential, renewed)
    try await slot.write(renewed)
    unsaved = nil
    report(.refreshed)
    return renewed
  }

  /// Returns a token that is usable though the renewal failed.
  ///
  /// - Throws: `error` if there is none.
  private func recover(
    from error: any Error, in slot: any TokenSlot, stored: StoredToken?, rejected: AccessToken?
  ) async throws -> StoredToken {
    guard var stored else { throw error }
    guard let refusal = error as? OAuthError, refusal.code == .signInRequired else {
      // The server cannot be asked now, but the token may still be good for the rest of the leeway.
      if isUsable(stored, rejected: rejected, leeway: .zero) { return stored }
      throw error
    }
    // A writer that does not take part in the locking may have been faster.
    if let latest = try await slot.read(), latest != stored, isUsable(latest, rejected: rejected) { return latest }
    report(.signInRequired)
    if stored.accessToken == rejected?.value {
      // Neither token is good any more: the next caller must not get this one until it expires.
      stored.expiresAt = .unixEpoch
      current = stored
      try? await slot.write(stored)
    }
    throw error
  }
}

/// How a ``AccountRecord`` obtains a token when the stored one is of no use any more.
protocol TokenRenewal: Sendable {
  /// Whether a renewal spends what is stored, so that once it is sent it is carried through and its outcome stored, even if no
  /// caller waits any more.
  var spendsStoredToken: Bool { get }

  /// Checks that `stored` may be used and spent here; for `nil`, that a token can be obtained without a record.
  ///
  /// It is called once for every record that is read, and for no other.
  ///
  /// - Throws: ``OAuthError``.
  func check(_ stored: StoredToken?) throws

  /// Whether a token can be obtained in place of `stored`.
  func canReplace(_ stored: StoredToken?) -> Bool

  /// Obtains a token from the server.
  ///
  /// - Parameters:
  ///   - stored: What is stored now.
  ///   - rejected: A token that a server refused.
  /// - Returns: What to store in its place.
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/signInRequired`` if the server refuses `stored`; any other error for
  ///   a fault that may pass.
  func token(inPlaceOf stored: StoredToken?, rejected: AccessToken?) async throws -> StoredToken
}
