// SPDX-License-Identifier: Apache-2.0

public import Timekeeping
public import TokenStore

/// Keeps the token of another source until it is about to expire or was rejected.
///
/// It turns a source that requests a token each time it is asked into one that any number of callers may ask for every request:
///
/// - **Concurrent callers share one fetch.** A caller that is cancelled leaves at once; when the last one leaves, the fetch is
///   cancelled.
/// - **A failed fetch is not remembered**: the next call tries again. A token that is still good is returned in its place.
/// - **With a storage, all processes and machines that share the records share one token**: one of them fetches, with exclusive
///   access, and the new token is stored before any caller gets it.
///
/// ```swift
/// let tokens = ClientCredentials(client: client).cached()                             // in memory
/// let shared = ClientCredentials(client: client).cached(in: FileTokenStorage(), account: "reports")
/// ```
///
/// Copies share the token.
public struct CachingTokenSource: TokenSource {
  private let record: AccountRecord
  private let renewal: SourceRenewal

  /// Creates a source that keeps the token in memory.
  ///
  /// - Parameters:
  ///   - source: The source that fetches.
  ///   - clock: The clock that expiry is judged by.
  ///   - leeway: How long before its expiry a token is replaced, at most half of its lifetime. Defaults to one minute.
  public init(
    wrapping source: some TokenSource, clock: some WallClock = SystemClock(), leeway: Duration = .seconds(60)
  ) {
    // It is no account of the caller's, so that errors name none.
    self.init(source, InMemoryTokenStorage(), account: "token", name: nil, clock, leeway)
  }

  /// Creates a source that keeps the token in a storage too.
  ///
  /// - Parameters:
  ///   - source: The source that fetches.
  ///   - storage: Where the token is kept.
  ///   - account: The account in the storage, one for each client, server and set of scopes. That of a user who signed in is
  ///     refused.
  ///   - clock: The clock that expiry is judged by.
  ///   - leeway: How long before its expiry a token is replaced, at most half of its lifetime. Defaults to one minute.
  public init(
    wrapping source: some TokenSource, storage: some TokenStorage, account: String,
    clock: some WallClock = SystemClock(),
    leeway: Duration = .seconds(60)
  ) {
    self.init(source, storage, account: account, name: account, clock, leeway)
  }

  private init(
    _ source: some TokenSource, _ storage: some TokenStorage, account: String, name: String?, _ clock: some WallClock,
    _ leeway: Duration
  ) {
    record = AccountRecord(account: account, name: name, storage: storage, clock: clock, leeway: leeway)
    renewal = SourceRenewal(source: source)
  }

  /// Returns an access token, refreshing it first if it is about to expire or equals `rejected`.
  public func accessToken(replacing rejected: AccessToken?) async throws -> AccessToken {
    AccessToken(try await record.token(replacing: rejected, by: renewal))
  }
}

extension TokenSource {
  /// Returns a source that keeps this one's token in memory.
  ///
  /// See ``CachingTokenSource``.
  ///
  /// - Parameters:
  ///   - clock: The clock that expiry is judged by.
  ///   - leeway: How long before its expiry a token is replaced, at most half of its lifetime. Defaults to one minute.
  public func cached(clock: some WallClock = SystemClock(), leeway: Duration = .seconds(60)) -> CachingTokenSource {
    CachingTokenSource(wrapping: self, clock: clock, leeway: leeway)
  }

  /// Returns a source that keeps this one's token in a storage.
  ///
  /// See ``CachingTokenSource``.
  ///
  /// - Parameters:
  ///   - storage: Where the token is kept.
  ///   - account: The account in the storage, one for each client, server and set of scopes.
  ///   - clock: The clock that expiry is judged by.
  ///   - leeway: How long before its expiry a token is replaced, at most half of its lifetime. Defaults to one minute.
  public func cached(
    in storage: some TokenStorage, account: String, clock: some WallClock = SystemClock(),
    leeway: Duration = .seconds(60)
  ) -> CachingTokenSource {
    CachingTokenSource(wrapping: self, storage: storage, account: account, clock: clock, leeway: leeway)
  }
}

/// Asks another source.
private struct SourceRenewal: TokenRenewal {
  let source: any TokenSource

  var spendsStoredToken: Bool { false }

  func check(_ stored: StoredToken?) throws {
    guard stored?.refreshToken == nil, stored?.clientID == nil else {
      throw OAuthError(
        .clientMismatch,
        "The stored token is that of a user who signed in. Name another account for this source's token.")
    }
  }

  func canReplace(_ stored: StoredToken?) -> Bool { true }

  func token(inPlaceOf stored: StoredToken?, rejected: AccessToken?) async throws -> StoredToken {
    StoredToken(try await source.accessToken(replacing: rejected))
  }
}
