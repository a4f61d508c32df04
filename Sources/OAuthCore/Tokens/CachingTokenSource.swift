// SPDX-License-Identifier: Apache-2.0

import Support
public import Timekeeping
public import TokenStore

/// A token source that caches the token of another source until it is about to expire or was rejected.
///
/// Use it for a source that requests a token at every call:
///
/// - **Concurrent callers share one fetch.** A cancelled caller returns immediately. When the last caller is cancelled, the fetch is
///   cancelled too.
/// - **Failures are not cached.** The next call tries again. A token that is still valid is returned instead of the
///   error.
/// - **A storage shares the token** with all processes and machines using it. One of them fetches with exclusive
///   access, and stores the new token before any caller receives it. The storage reserves space for the token before it
///   is fetched.
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

  /// The presentation of the cached source.
  public let presentation: any TokenPresentation

  /// Creates a source that caches the token in memory.
  ///
  /// - Parameters:
  ///   - source: The source of tokens.
  ///   - clock: The clock for expiry.
  ///   - leeway: The time before its expiry when a token is replaced, at most half of its lifetime. Defaults to one minute.
  public init(
    wrapping source: some TokenSource, clock: some WallClock = SystemClock(), leeway: Duration = .seconds(60)
  ) {
    // The caller has not named this account, so errors do not name it either.
    self.init(source, InMemoryTokenStorage(), account: "token", name: nil, clock, leeway)
  }

  /// Creates a source that caches the token in memory and in a storage.
  ///
  /// - Parameters:
  ///   - source: The source of tokens.
  ///   - storage: The token storage.
  ///   - account: The account's name in the storage, one for each client, server and set of scopes. If the record belongs to a user's
  ///     sign-in, calls throw ``OAuthError`` with code ``OAuthError/Code/clientMismatch``.
  ///   - clock: The clock for expiry.
  ///   - leeway: The time before its expiry when a token is replaced, at most half of its lifetime. Defaults to one minute.
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
    presentation = source.presentation
  }

  /// Returns an access token, refreshing it first if it is about to expire or equals `rejected`.
  public func accessToken(replacing rejected: AccessToken?) async throws -> AccessToken {
    AccessToken(try await record.token(replacing: rejected, by: renewal))
  }
}

extension TokenSource {
  /// Returns a source that caches this source's token in memory.
  ///
  /// See ``CachingTokenSource``.
  ///
  /// - Parameters:
  ///   - clock: The clock for expiry.
  ///   - leeway: The time before its expiry when a token is replaced, at most half of its lifetime. Defaults to one minute.
  public func cached(clock: some WallClock = SystemClock(), leeway: Duration = .seconds(60)) -> CachingTokenSource {
    CachingTokenSource(wrapping: self, clock: clock, leeway: leeway)
  }

  /// Returns a source that caches this source's token in memory and in a storage.
  ///
  /// See ``CachingTokenSource``.
  ///
  /// - Parameters:
  ///   - storage: The token storage.
  ///   - account: The account's name in the storage, one for each client, server and set of scopes.
  ///   - clock: The clock for expiry.
  ///   - leeway: The time before its expiry when a token is replaced, at most half of its lifetime. Defaults to one minute.
  public func cached(
    in storage: some TokenStorage, account: String, clock: some WallClock = SystemClock(),
    leeway: Duration = .seconds(60)
  ) -> CachingTokenSource {
    CachingTokenSource(wrapping: self, storage: storage, account: account, clock: clock, leeway: leeway)
  }
}

/// A renewal that requests a token from another source.
private struct SourceRenewal: TokenRenewal {
  let source: any TokenSource

  var spendsStoredToken: Bool { false }

  func check(_ stored: StoredToken?) throws {
    guard stored?.refreshToken == nil, stored?.clientID == nil else {
      throw OAuthError(
        .clientMismatch,
        "The stored token belongs to a user's sign-in. Use another account name for this token source.")
    }
  }

  func canReplace(_ stored: StoredToken?) -> Bool { true }

  func token(
    inPlaceOf stored: StoredToken?, rejected: AccessToken?, in slot: any TokenSlot
  ) async throws -> StoredToken {
    // The source may spend an assertion or another server's token that can be used only once.
    _ = try await slot.prepareToSpend(SpendingIntent(Secret(randomToken()), requestLimit: .seconds(30)))
    return StoredToken(try await source.accessToken(replacing: rejected))
  }
}
