// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Timekeeping
public import TokenStore

/// A token source that returns the access token of one stored account and refreshes it.
///
/// The token is refreshed when it is about to expire or was rejected:
///
/// - **One refresh at a time** takes place for an account, across all tasks, processes and machines that share the
///   storage. The process with exclusive access reads the record again before it sends the refresh token.
/// - **The new token is stored before any caller receives it.** If the storage fails, the token is kept in memory, and the next call
///   stores it.
/// - **A cancelled caller returns immediately.** The refresh continues for the other callers. A sent refresh is always
///   completed.
/// - **Failures are not cached.** The next call tries again. A failed refresh requires a new sign-in only if the server rejects the refresh
///   token. The record is never removed.
///
/// Copies share the token in memory.
public struct RefreshingTokenSource: TokenSource {
  /// The owner of the record.
  let record: AccountRecord
  private let renewal: RefreshTokenRenewal

  /// The account's name in the storage.
  public var account: String { record.account }

  /// The presentation required by the token's type, with the client's clock.
  ///
  /// Copies share the servers' nonces.
  public let presentation: any TokenPresentation

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - client: The client for refresh requests.
  ///   - storage: The token storage.
  ///   - account: The account's name in the storage.
  ///   - name: The account's name in errors. Defaults to `account`.
  ///   - leeway: The time before its expiry when a token is refreshed, at most half of its lifetime. Defaults to one minute.
  ///   - report: Called with each event, for logs and displays, from any task.
  public init(
    client: OAuthClient, storage: some TokenStorage, account: String, name: String? = nil,
    leeway: Duration = .seconds(60),
    report: @escaping @Sendable (SignInEvent) -> Void = { _ in }
  ) {
    self.init(
      client: client, storage: storage, account: account, name: name, leeway: leeway, resources: [], report: report)
  }

  /// Creates a source that checks the resources of the stored token.
  ///
  /// - Parameter resources: The resources that the token must be for, or empty for no check.
  init(
    client: OAuthClient, storage: some TokenStorage, account: String, name: String?, leeway: Duration = .seconds(60),
    resources: [String], report: @escaping @Sendable (SignInEvent) -> Void
  ) {
    record = AccountRecord(
      account: account, name: name ?? account, storage: storage, clock: client.clock, leeway: leeway, report: report)
    renewal = RefreshTokenRenewal(client: client, resources: resources)
    presentation = AutomaticPresentation(clock: client.clock)
  }

  /// Returns the whole record with a current access token.
  func currentRecord() async throws -> StoredToken { try await record.token(replacing: nil, by: renewal) }

  /// Reads the whole record again, and returns `nil` if its access token is not usable.
  func reloadedRecord() async throws -> StoredToken? { try await record.reload(checkedBy: renewal) }

  /// Returns an access token, refreshing it first if it is about to expire or equals `rejected`.
  public func accessToken(replacing rejected: AccessToken?) async throws -> AccessToken {
    AccessToken(try await record.token(replacing: rejected, by: renewal))
  }
}

/// A renewal by the refresh token of the record ([RFC 6749 § 6](https://www.rfc-editor.org/rfc/rfc6749.html#section-6)).
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

  func token(
    inPlaceOf stored: StoredToken?, rejected: AccessToken?, in slot: any TokenSlot
  ) async throws -> StoredToken {
    // ``check(_:)`` has accepted the record that was read under the lock.
    let stored = try required(stored)
    let refreshToken = try client.refreshToken(of: stored)
    return try await client.refresh(stored, spending: refreshToken) { request in
      try await slot.prepare(&request, spending: refreshToken)
    }
  }

  /// Checks that a token is for the resources it will be sent to.
  ///
  /// A resource that names another resource's authorization server must not obtain the other resource's token.
  private func checkResources(of stored: StoredToken) throws {
    guard resources.allSatisfy(stored.resources.contains) else {
      throw OAuthError(
        .resourceMismatch,
        "The stored token is not for \(OAuthError.printable(resources.joined(separator: " "), limit: 200)). Use another account name, or sign in again."
      )
    }
  }

  private func required(_ stored: StoredToken?) throws -> StoredToken {
    guard let stored else { throw OAuthError(.signInRequired, "No token is stored. Sign in.") }
    return stored
  }
}
