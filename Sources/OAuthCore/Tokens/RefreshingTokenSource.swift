// SPDX-License-Identifier: Apache-2.0

import Timekeeping
public import TokenStore

/// Returns the access token of one stored account, and refreshes it when it is about to expire or was rejected.
///
/// - **One refresh at a time** for one account, across tasks, and across processes and machines as far as the storage
///   reaches: the process that gets exclusive access reads the record again before it spends the refresh token.
/// - **The new token is stored before any caller gets it.** If the storage fails then, the token is kept in memory and
///   stored by the next call.
/// - **A caller that is cancelled** leaves at once; the refresh continues for the others, and once it was sent, to its end.
/// - **A failed refresh is not remembered**: the next call tries again. Only the server's refusal of the refresh token
///   requires a new sign-in; the record is never removed.
///
/// Copies share the token in memory.
public struct RefreshingTokenSource: TokenSource {
  /// The owner of the record.
  let record: AccountRecord
  private let renewal: RefreshTokenRenewal

  /// The account in the storage.
  public var account: String { record.account }

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - client: The client that refreshes.
  ///   - storage: Where the token is kept.
  ///   - account: The account in the storage.
  ///   - name: The account's name in errors. Defaults to `account`.
  ///   - leeway: How long before its expiry a token is refreshed, at most half of its lifetime. Defaults to one minute.
  ///   - report: Called with what happens, for logs and displays. Calls may come from any task.
  public init(
    client: OAuthClient, storage: some TokenStorage, account: String, name: String? = nil,
    leeway: Duration = .seconds(60),
    report: @escaping @Sendable (SignInEvent) -> Void = { _ in }
  ) {
    self.init(
      client: client, storage: storage, account: account, name: name, leeway: leeway, resources: [], report: report)
  }

  /// - Parameter resources: The services that a token must be for; empty to use a token for any.
  init(
    client: OAuthClient, storage: some TokenStorage, account: String, name: String?, leeway: Duration = .seconds(60),
    resources: [String], report: @escaping @Sendable (SignInEvent) -> Void
  ) {
    record = AccountRecord(
      account: account, name: name ?? account, storage: storage, clock: client.clock, leeway: leeway, report: report)
    renewal = RefreshTokenRenewal(client: client, resources: resources)
  }

  /// Returns the whole record with a current access token.
  func currentRecord() async throws -> StoredToken { try await record.token(replacing: nil, by: renewal) }

  /// Returns the whole record as it is stored now; `nil` if its access token cannot be used.
  func reloadedRecord() async throws -> StoredToken? { try await record.reload(checkedBy: renewal) }

  /// Returns an access token, refreshing it first if it is about to expire or equals `rejected`.
  public func accessToken(replacing rejected: AccessToken?) async throws -> AccessToken {
    AccessToken(try await record.token(replacing: rejected, by: renewal))
  }
}

/// Spends the refresh token of the record ([RFC 6749 § 6](https://www.rfc-editor.org/rfc/rfc6749.html#section-6)).
private struct RefreshTokenRenewal: TokenRenewal {
  let client: OAuthClient
  let resources: [String]

  var spendsStoredToken: Bool { true }

  func check(_ stored: StoredToken?) throws {
    let stored = try required(stored)
    try client.checkOwner(of: stored)
    try checkResources(of: stored)
    try client.checkProofKey(of: stored)
  }

  func canReplace(_ stored: StoredToken?) -> Bool {
    stored?.refreshToken != nil && client.provider.quirks.supportsRefresh
  }

  func token(inPlaceOf stored: StoredToken?, rejected: AccessToken?) async throws -> StoredToken {
    // ``check(_:)`` has passed the record that was read under the lock.
    let stored = try required(stored)
    return try await client.refresh(stored, spending: client.refreshToken(of: stored))
  }

  /// Makes sure that a token is for the services that it will be sent to: a resource that names the server of another one must not
  /// obtain the other's token.
  private func checkResources(of stored: StoredToken) throws {
    guard resources.allSatisfy(stored.resources.contains) else {
      throw OAuthError(
        .resourceMismatch,
        "The stored token is not for \(OAuthError.printable(resources.joined(separator: " "), limit: 200)). Name another account, or sign in again."
      )
    }
  }

  private func required(_ stored: StoredToken?) throws -> StoredToken {
    guard let stored else { throw OAuthError(.signInRequired, "No token is stored. Sign in.") }
    return stored
  }
}
