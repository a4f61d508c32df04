// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
public import PlatformFoundation
import Support
import TokenStore

extension OAuthClient {
  /// Returns whether the server still knows the client.
  ///
  /// Some servers delete dynamically registered clients. An authorization endpoint responds to an unknown client with a
  /// page for the user. The token endpoint responds with an error code
  /// ([RFC 6749 § 5.2](https://www.rfc-editor.org/rfc/rfc6749.html#section-5.2)). This method therefore sends a token
  /// request with a random code. If the server knows the client, it rejects the code.
  ///
  /// Call this method before a page is shown to the user. If the client is unknown, register a new one with ``ClientRegistrar``.
  ///
  /// - Parameter redirectURI: A redirect URI of the client.
  /// - Returns: `false` if the server rejects the client, or `true` for any other response.
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/serverUnavailable``, the errors of the client authentication,
  ///   `TransportError`, or `CancellationError`.
  public func isKnownToServer(redirectURI: URL) async throws -> Bool {
    do {
      _ = try await post(
        [
          "grant_type": "authorization_code", "code": randomToken(), "redirect_uri": redirectURI.absoluteString,
          "code_verifier": randomToken(),
        ], to: server.tokenEndpoint)
      return true
    } catch let error as OAuthError where error.code != .serverUnavailable {
      return !error.refusesClient
    }
  }
}

extension OAuthError {
  /// Whether the server rejected the client rather than the grant or the request.
  package var refusesClient: Bool {
    code == .requestRejected && serverCode.map(ServerErrorCode.refusedClients.contains) == true
  }
}
