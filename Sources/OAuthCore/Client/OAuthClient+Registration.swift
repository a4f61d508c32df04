// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import Support
import TokenStore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension OAuthClient {
  /// Requests whether the server still knows the client: servers delete clients that registered themselves.
  ///
  /// An authorization endpoint responds to an unknown client with a page, which no program reads. The token endpoint has an error for
  /// it ([RFC 6749 § 5.2](https://www.rfc-editor.org/rfc/rfc6749.html#section-5.2)). This method exchanges a code that no server has
  /// issued: a server that knows the client refuses the code.
  ///
  /// Call it before a page is shown to the user. If the client is unknown, register a new one with ``ClientRegistrar``.
  ///
  /// - Parameter redirectURI: A redirect URI of the client.
  /// - Returns: `false` if the server refuses the client; `true` for any other response.
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/serverUnavailable``; what the client authentication throws; `TransportError`;
  ///   `CancellationError`.
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
  /// Whether the server refused the client, not the grant or the request.
  ///
  /// Some servers say `unauthorized_client` of a client that they do not know.
  package var refusesClient: Bool {
    code == .requestRejected && (serverCode == "invalid_client" || serverCode == "unauthorized_client")
  }
}
