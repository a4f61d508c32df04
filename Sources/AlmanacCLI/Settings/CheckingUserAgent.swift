// SPDX-License-Identifier: Apache-2.0

import OAuthCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A user agent that requests whether the server still knows the client, before it shows a page.
///
/// A server shows an error page for a client that it has forgotten, and no callback ever comes.
struct CheckingUserAgent: UserAgent {
  let base: any UserAgent
  let client: OAuthClient

  func authorize(_ begin: AuthorizationStart) async throws -> AuthorizationResponse {
    try await base.authorize { redirectURI in
      guard try await client.isKnownToServer(redirectURI: redirectURI) else {
        throw OAuthError(
          .requestRejected,
          "\(client.server.name) does not know the client that was registered for this account.",
          serverCode: "invalid_client")
      }
      return try await begin(redirectURI)
    }
  }
}
