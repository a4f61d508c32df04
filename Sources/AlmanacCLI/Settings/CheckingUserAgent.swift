// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import OAuthCore
import PlatformFoundation

/// A user agent that checks whether the server accepts the client before it shows the page.
///
/// For an unknown client, a server shows an error page and never calls back.
struct CheckingUserAgent: UserAgent {
  let base: any UserAgent
  let client: OAuthClient
  /// Whether the command registered the client.
  ///
  /// The user can then not have mistyped the identifier.
  let isRegistered: Bool

  func authorize(_ begin: SignInStart) async throws -> AuthorizationResponse {
    try await base.authorize { redirectURI in
      guard try await isAccepted(redirectURI) else {
        throw OAuthError(
          .requestRejected,
          isRegistered
            ? "\(client.server.name) does not know the client that was registered for this account."
            : "\(client.server.name) does not know the client, or does not accept its credentials. Check --client-id, the client's secret, key or certificate, and --client-auth.",
          serverCode: "invalid_client")
      }
      return try await begin(redirectURI)
    }
  }

  private func isAccepted(_ redirectURI: URL) async throws -> Bool {
    do {
      return try await client.isKnownToServer(redirectURI: redirectURI)
    } catch let error as OAuthError where !isRegistered && error.code == .serverUnavailable {
      return true
    } catch let error as TransportError where !isRegistered && error.code != .tls {
      // The check failed, so the page is shown.
      return true
    }
  }
}
