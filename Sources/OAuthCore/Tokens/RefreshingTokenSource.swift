// SPDX-License-Identifier: Apache-2.0

import Timekeeping
public import TokenStore

/// Gives the access token of one stored account and refreshes it when it is about to expire or was rejected.
///
/// - **One refresh at a time** for one account, across tasks, and across processes and machines as far as the storage
///   reaches: whoever gets exclusive access reads the record again before it spends the refresh token.
/// - **The new token is stored before anybody is handed it.** If the storage fails then, the token is kept in memory and
///   stored by the next call.
/// - **A caller that is cancelled** leaves at once; the refresh goes on for the others, and once it was sent, to its end.
/// - **A failed refresh is not remembered**: the next call tries again. Only the server's refusal of the refresh token
///   asks for a new sign-in; the record is never removed.
public actor RefreshingTokenSource: TokenSource {
  /// The account in the storage.
  public nonisolated let account: String
  private let client: OAuthClient
  private let storage: any TokenStorage
  private let leeway: Duration
  private let report: @Sendable (AuthorizationEvent) -> Void

  private var current: StoredToken?
  /// How often the record was changed by other means than this source.
  private var generation = 0
  private var renewal: SharedTask<StoredToken>?
  /// A token that the server gave but the storage did not take, and the refresh token it cost.
  private var unsaved: (spent: Secret?, token: StoredToken)?

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - client: The client that refreshes.
  ///   - storage: Where the token is kept.
  ///   - account: The account in the storage.
  ///   - leeway: How long before its expiry a token is refreshed, at most half of its lifetime. Defaults to one minute.
  ///   - report: Called with what happens, for logs and displays. Calls may come from any task.
  public init(
    client: OAuthClient, storage: some TokenStorage, account: String, leeway: Duration = .seconds(60),
    report: @escaping @Sendable (AuthorizationEvent) -> Void = { _ in }
  ) {
    self.client = client
    self.storage = storage
    self.account = account
    self.leeway = leeway
    self.report = report
  }

  /// Returns an access token, refreshing it first if it is about to expire or equals `rejected`.
  public func accessToken(replacing rejected: AccessToken?) async throws -> AccessToken {
    var isLast = false
    while true {
      try Task.checkCancellation()
      if let current, isUsable(current, rejected: rejected?.value) { return AccessToken(current) }
      let seat = SharedTask.seat(at: &renewal) { try await self.renew(rejected: rejected?.value) }
      let token = try await seat.value()
      // A renewal that began before the rejection was known may bring the rejected token; what the next one brings is what
      // there is.
      if isLast || token.accessToken != rejected?.value { return AccessToken(token) }
      isLast = true
    }
  }

  /// Lets go of the token in memory, after the record was changed by other means than this source.
  func reload() {
    generation += 1
    current = nil
    renewal = nil
  }

  /// Returns the stored access token if it is good without a refresh.
  func storedAccessToken() async throws -> AccessToken? {
    guard let stored = try await storage.token(for: account) else { return nil }
    try client.checkIssuer(of: stored)
    return isUsable(stored, rejected: nil) ? AccessToken(stored) : nil
  }

  /// Returns the token that the server gave in place of `stored` but the storage did not take, if there is one.
  func unsavedToken(replacing stored: StoredToken) -> StoredToken? {
    unsaved.flatMap { $0.spent == stored.refreshToken ? $0.token : nil }
  }

  private func renew(rejected: Secret?) async throws -> StoredToken {
    let began = generation
    let token = try await storedOrRenewed(rejected: rejected)
    // A record that was replaced or removed meanwhile must not come back from memory.
    if generation == began { current = token }
    return token
  }

  private func storedOrRenewed(rejected: Secret?) async throws -> StoredToken {
    // Most callers find a token that another process or an earlier run left, and need no lock.
    if unsaved == nil, let stored = try await storage.token(for: account) {
      try client.checkIssuer(of: stored)
      if isUsable(stored, rejected: rejected) { return stored }
    }
    do {
      return try await storage.withExclusiveAccess(to: account) { slot in
        try Task.checkCancellation()
        // A task of its own, since a refresh that was sent must be stored even if nobody waits any more; access stays
        // exclusive until it is.
        return try await Task { try await self.renew(in: slot, rejected: rejected) }.value
      }
    } catch let error as TokenStorageError where error.code == .busy {
      // Whoever should refresh is stopped, but the token may still be good for the rest of the leeway.
      guard let stored = try await storage.token(for: account), isUsable(stored, rejected: rejected, leeway: .zero)
      else {
        throw error
      }
      try client.checkIssuer(of: stored)
      return stored
    }
  }

  private func renew(in slot: any TokenSlot, rejected: Secret?) async throws -> StoredToken {
    guard var stored = try await slot.read() else {
      throw OAuthError(.signInRequired, "Nobody is signed in as this account. Sign in.")
    }
    try client.checkIssuer(of: stored)
    if let unsaved = unsavedToken(replacing: stored) {
      try await slot.write(unsaved)
      stored = unsaved
    }
    unsaved = nil
    let canRefresh = stored.refreshToken != nil && client.provider.quirks.supportsRefresh
    // One rejection does not prove that a token is worthless: without a refresh token it stays until it expires.
    if !canRefresh, stored.accessToken == rejected, isUsable(stored, rejected: nil, leeway: .zero) {
      throw OAuthError(
        .signInRequired,
        "The server rejected the access token, and there is no refresh token. If it rejects other requests too, sign in again."
      )
    }
    // Without a refresh token there is nothing to gain from the leeway.
    let leeway = canRefresh ? leeway : .zero
    if isUsable(stored, rejected: rejected, leeway: leeway) { return stored }
    let renewed: StoredToken
    do {
      renewed = try await client.refresh(stored)
    } catch let error as OAuthError where error.code == .signInRequired {
      // A writer that does not take part in the locking may have been faster.
      if let latest = try await slot.read(), latest != stored, isUsable(latest, rejected: rejected) { return latest }
      report(.signInRequired)
      if stored.accessToken == rejected {
        // Neither token is good any more: whoever asks next shall not be handed this one until it expires.
        stored.expiresAt = .unixEpoch
        current = stored
        try? await slot.write(stored)
      }
      throw error
    } catch {
      // The server cannot be asked now, but the token may still be good for the rest of the leeway.
      if isUsable(stored, rejected: rejected, leeway: .zero) { return stored }
      throw error
    }
    unsaved = (stored.refreshToken, renewed)
    try await slot.write(renewed)
    unsaved = nil
    report(.refreshed)
    return renewed
  }

  private func isUsable(_ token: StoredToken, rejected: Secret?, leeway: Duration? = nil) -> Bool {
    guard token.accessToken != rejected else { return false }
    guard let expiresAt = token.expiresAt else { return true }
    var leeway = leeway ?? self.leeway
    // Or a token that lives no longer than the leeway would be refreshed at every call.
    if let issuedAt = token.issuedAt { leeway = min(leeway, max(.zero, expiresAt - issuedAt) / 2) }
    return client.clock.now + token.serverClockOffset < expiresAt - leeway
  }
}
