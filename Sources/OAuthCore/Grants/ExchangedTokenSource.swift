// SPDX-License-Identifier: Apache-2.0

import TokenStore

/// Returns access tokens that are exchanged for other ones, as a ``TokenExchange`` says.
///
/// It exchanges each time it is asked; ``TokenSource/cached(clock:leeway:)`` keeps the token.
public struct ExchangedTokenSource: TokenSource {
  let exchange: TokenExchange
  let client: OAuthClient
  let actor: (any TokenSource)?
  let subject: @Sendable () async throws -> Secret

  /// Exchanges the tokens as they are now.
  ///
  /// - Throws: What ``OAuthClient/exchange(_:actor:by:)`` and the sources of the tokens throw.
  public func accessToken(replacing rejected: AccessToken?) async throws -> AccessToken {
    let subject = try await subject()
    return try await client.exchange(subject, actor: try await actor?.accessToken().value, by: exchange).token
  }
}
