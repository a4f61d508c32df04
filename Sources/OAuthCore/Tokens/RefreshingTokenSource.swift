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
  private var renewal: SharedTask<StoredToken>?
  /// A token that the server gave but the storage did not take, and the refresh token it cost.
  private var unsaved: (spent: Secret?, token: StoredToken)?

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - client: The client that refreshes.
  ///   - storage: Where the token is kept.
  ///   - account: The account in the storage.
  ///   - leeway: How long before its expiry a token is refreshed.
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

  public func accessToken(replacing rejected: AccessToken?) async throws -> AccessToken {
    while true {
      try Task.checkCancellation()
      if let current, isUsable(current, rejected: rejected?.value) { return AccessToken(current) }
      let token = try await ongoingRenewal(rejected: rejected?.value).value()
      // A renewal that began before the rejection was known may bring the rejected token once more.
      if token.accessToken != rejected?.value { return AccessToken(token) }
    }
  }

  /// Lets go of the token in memory, after the record was changed by other means than this source.
  func reload() {
    current = nil
    unsaved = nil
  }

  /// Returns the renewal under way, or starts one. There is no suspension between looking and starting.
  private func ongoingRenewal(rejected: Secret?) -> SharedTask<StoredToken> {
    if let renewal, !renewal.isOver { return renewal }
    let renewal = SharedTask { try await self.renew(rejected: rejected) }
    self.renewal = renewal
    return renewal
  }

  private func renew(rejected: Secret?) async throws -> StoredToken {
    // Most callers find a token that another process or an earlier run left, and need no lock.
    if unsaved == nil, let stored = try await storage.token(for: account), isUsable(stored, rejected: rejected) {
      current = stored
      return stored
    }
    let token = try await storage.withExclusiveAccess(to: account) { slot in
      try Task.checkCancellation()
      return try await shielded { try await self.renew(in: slot, rejected: rejected) }
    }
    current = token
    return token
  }

  private func renew(in slot: any TokenSlot, rejected: Secret?) async throws -> StoredToken {
    guard var stored = try await slot.read() else {
      throw OAuthError(.signInRequired, "Nobody is signed in as this account. Sign in.")
    }
    if let unsaved, unsaved.spent == stored.refreshToken {
      try await slot.write(unsaved.token)
      stored = unsaved.token
    }
    unsaved = nil
    if isUsable(stored, rejected: rejected) { return stored }
    let renewed: StoredToken
    do {
      renewed = try await client.refresh(stored)
    } catch let error as OAuthError where error.code == .signInRequired {
      // A writer that does not take part in the locking may have been faster.
      if let latest = try await slot.read(), latest != stored, isUsable(latest, rejected: rejected) { return latest }
      if stored.accessToken == rejected {
        // Neither token is good any more: whoever asks next shall not be handed this one until it expires.
        stored.expiresAt = .unixEpoch
        current = stored
        try await slot.write(stored)
      }
      report(.signInRequired)
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
    return client.clock.now + token.serverClockOffset < expiresAt - (leeway ?? self.leeway)
  }
}
