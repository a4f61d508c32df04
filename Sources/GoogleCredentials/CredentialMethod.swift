// SPDX-License-Identifier: Apache-2.0

import OAuthCore

/// How the tokens of one kind of credential are obtained.
///
/// Each call obtains a new one; ``GoogleCredential`` keeps them.
protocol CredentialMethod: Sendable {
  var kind: GoogleCredential.Kind { get }

  /// The account's e-mail address, where it is known without a request.
  var principal: String? { get }

  /// Returns the project that the credential belongs to.
  func projectID() async throws -> String?

  func accessToken(scopes: [String]) async throws -> AccessToken

  /// Returns what fetches ID tokens.
  ///
  /// - Throws: ``GoogleCredentialError`` with code ``GoogleCredentialError/Code/unsupported``.
  func idTokens(for audience: String) throws -> FetchedTokens
}

/// A source that fetches a token each time it is asked.
struct FetchedTokens: TokenSource {
  private let fetch: @Sendable () async throws -> AccessToken

  init(_ fetch: @escaping @Sendable () async throws -> AccessToken) { self.fetch = fetch }

  func accessToken(replacing rejected: AccessToken?) async throws -> AccessToken { try await fetch() }

  func cached(by environment: CredentialEnvironment) -> CachingTokenSource {
    // The metadata server hands the same token out until it has four minutes left, so that asking earlier gains nothing.
    cached(clock: environment.clock, leeway: .seconds(225))
  }
}
