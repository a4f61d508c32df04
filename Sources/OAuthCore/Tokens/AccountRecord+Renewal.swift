// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Support
import Timekeeping
import TokenStore

extension AccountRecord {
  /// Returns the token in memory, else the stored one, else a new one.
  ///
  /// - Parameters:
  ///   - rejected: A token rejected by a server, which is not returned again.
  ///   - method: The method for obtaining a new token.
  /// - Throws: ``OAuthError``, `TransportError`, `TokenStorageError`, and `CancellationError`, immediately, when the
  ///   current task is cancelled.
  func token(replacing rejected: AccessToken?, by method: some TokenRenewal) async throws -> StoredToken {
    var isLast = false
    while true {
      try Task.checkCancellation()
      if let current, isUsable(current, rejected: rejected) { return current }
      let waiter = SharedTask.join(&renewal) {
        try await OAuthError.naming(account: self.name) { try await self.renew(rejected: rejected, by: method) }
      }
      let token = try await waiter.value()
      // A renewal that began before the rejection may return the rejected token. The result of the next one is final.
      if isLast || token.accessToken != rejected?.value { return token }
      isLast = true
    }
  }

  /// Returns whether `token` is valid for longer than `leeway`, which is limited to half of the token's lifetime.
  func isUsable(_ token: StoredToken, rejected: AccessToken?, leeway: Duration? = nil) -> Bool {
    guard token.accessToken != rejected?.value else { return false }
    guard let expiresAt = token.expiresAt else { return true }
    var leeway = leeway ?? self.leeway
    // Without the limit, a token whose lifetime is shorter than the leeway would be renewed at every call.
    if let issuedAt = token.issuedAt { leeway = min(leeway, max(.zero, expiresAt - issuedAt) / 2) }
    return clock.now + token.serverClockOffset < expiresAt - leeway
  }

  private func renew(rejected: AccessToken?, by method: some TokenRenewal) async throws -> StoredToken {
    let began = generation
    let token = try await storedOrRenewed(rejected: rejected, by: method)
    // If the record was replaced or removed during the renewal, the token must not return from memory.
    if generation == began { current = token }
    return token
  }

  private func storedOrRenewed(rejected: AccessToken?, by method: some TokenRenewal) async throws -> StoredToken {
    // The first callers can use a token that another process or an earlier run stored; this read needs no lock. After the token in memory
    // has expired, the record is read only under the lock.
    if current == nil, unsaved == nil {
      let stored = try await stored
      try method.check(stored)
      if let stored, isUsable(stored, rejected: rejected) { return stored }
    }
    do {
      return try await renewWithExclusiveAccess(rejected: rejected, by: method)
    } catch let error as TokenStorageError where error.code == .busy {
      // Another process holds the lock without renewing, but the token may still be valid for the rest of the leeway.
      guard let stored = try await stored, isUsable(stored, rejected: rejected, leeway: .zero) else { throw error }
      try method.check(stored)
      return stored
    }
  }

  /// Renews the record with exclusive access, and begins again if another machine has obtained the access in the meantime.
  private func renewWithExclusiveAccess(rejected: AccessToken?, by method: some TokenRenewal) async throws
    -> StoredToken
  {
    var attempts = 1
    while true {
      do {
        return try await storage.withExclusiveAccess(to: account) { slot in
          try Task.checkCancellation()
          guard method.spendsStoredToken else { return try await self.renew(in: slot, rejected: rejected, by: method) }
          // A separate task, since a spent refresh token must be replaced even if no caller waits any more. Access stays exclusive
          // until the new token is stored.
          return try await Task { try await self.renew(in: slot, rejected: rejected, by: method) }.value
        }
      } catch  where error.isOfAnotherRenewal && attempts < 5 {
        attempts += 1
      }
    }
  }

  private func renew(
    in slot: any TokenSlot, rejected: AccessToken?, by method: some TokenRenewal
  ) async throws -> StoredToken {
    var stored = try await slot.read()?.unsealed()
    try method.check(stored)
    if let unsaved = unsavedToken(inPlaceOf: stored) {
      try await slot.write(unsaved)
      stored = unsaved
    }
    unsaved = nil
    let canReplace = method.canReplace(stored)
    if let stored {
      // One rejection does not prove that a token is invalid. A token that cannot be replaced is kept until it expires.
      if !canReplace, stored.accessToken == rejected?.value, isUsable(stored, rejected: nil, leeway: .zero) {
        throw OAuthError(
          .signInRequired,
          "The server rejected the access token, and there is no refresh token. If it rejects other requests too, sign in again."
        )
      }
      // If the token cannot be replaced, the leeway has no effect.
      if isUsable(stored, rejected: rejected, leeway: canReplace ? leeway : .zero) { return stored }
    }
    let renewed: StoredToken
    do {
      renewed = try await method.token(inPlaceOf: stored, rejected: rejected, in: slot)
    } catch  where error.isOfAnotherRenewal {
      throw error
    } catch {
      return try await recover(from: error, in: slot, stored: stored, rejected: rejected)
    }
    unsaved = (stored?.spentCredential, renewed)
    do {
      try await slot.write(renewed)
    } catch let error as TokenStorageError where error.code == .superseded {
      // Another machine has renewed the record or signed in, and the storage has its token.
      unsaved = nil
      guard let latest = try await slot.read()?.unsealed(), isUsable(latest, rejected: rejected) else { throw error }
      try method.check(latest)
      return latest
    }
    unsaved = nil
    report(.refreshed)
    return renewed
  }

  /// Returns a token that is still usable after a failed renewal.
  ///
  /// - Throws: `error` if there is none.
  private func recover(
    from error: any Error, in slot: any TokenSlot, stored: StoredToken?, rejected: AccessToken?
  ) async throws -> StoredToken {
    guard var stored else { throw error }
    guard let refusal = error as? OAuthError, refusal.code == .signInRequired else {
      // The server is unavailable, but the token may still be valid for the rest of the leeway.
      if isUsable(stored, rejected: rejected, leeway: .zero) { return stored }
      throw error
    }
    // A writer without the lock, or a machine that held the lock before, may have stored a newer token.
    let latest = try await slot.read()?.unsealed()
    if let latest, latest != stored {
      if isUsable(latest, rejected: rejected) { return latest }
      if latest.spentCredential != stored.spentCredential { throw TokenStorageError.superseded }
    }
    report(.signInRequired)
    if latest == nil {
      // Another machine has signed out. A write would bring the record back.
      current = nil
    } else if stored.accessToken == rejected?.value {
      // Neither token is valid any more. The next caller must not receive this one, even if it has not expired.
      stored.expiresAt = .unixEpoch
      current = stored
      try? await slot.write(stored)
    }
    throw error
  }
}

/// A method by which an ``AccountRecord`` obtains a token when the stored one is not usable.
protocol TokenRenewal: Sendable {
  /// Whether a renewal spends the stored refresh token.
  ///
  /// If `true`, a sent renewal is completed and its result stored, even if no caller waits any more.
  var spendsStoredToken: Bool { get }

  /// Checks that `stored` can be used and refreshed.
  ///
  /// For `nil`, checks that a token can be obtained without a record.
  ///
  /// It is called exactly once for every record read.
  ///
  /// - Throws: ``OAuthError``.
  func check(_ stored: StoredToken?) throws

  /// Returns whether a token can be obtained in place of `stored`.
  func canReplace(_ stored: StoredToken?) -> Bool

  /// Obtains a token from the server.
  ///
  /// - Parameters:
  ///   - stored: The stored record.
  ///   - rejected: A token rejected by a server.
  ///   - slot: The slot of the record, which must allow each request that spends the record's credential.
  /// - Returns: The record to store in its place.
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/signInRequired`` if the server rejects `stored`, or any other
  ///   error for a transient failure.
  func token(
    inPlaceOf stored: StoredToken?, rejected: AccessToken?, in slot: any TokenSlot
  ) async throws -> StoredToken
}

extension TokenSlot {
  /// The time limit of a request that spends a credential while another machine may wait for it.
  private static var requestLimit: Duration { .seconds(30) }

  /// Prepares the storage for a request that spends a credential, and limits the request's time as the storage
  /// requires.
  ///
  /// Call it as late as possible. During a pause of this machine after the call, another machine could send the credential.
  func prepare(_ request: inout HTTPRequest, spending credential: Secret) async throws {
    let intent = SpendingIntent(credential, requestLimit: Self.requestLimit)
    guard let deadline = try await prepareToSpend(intent) else { return }
    request.timeout = Self.requestLimit
    request.sendingDeadline = deadline
    try request.checkSendingDeadline()
  }
}

extension Error {
  /// Whether the credential was not sent because another machine may have spent it or may now spend it.
  var isOfAnotherRenewal: Bool {
    switch self {
    case let error as TokenStorageError: error.code == .superseded
    case let error as TransportError: error.code == .sendingDeadlinePassed
    default: false
    }
  }
}
