// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
public import TokenStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension OAuthClient {
  /// Revokes the authorization behind stored tokens ([RFC 7009](https://www.rfc-editor.org/rfc/rfc7009.html)).
  ///
  /// The refresh token is revoked first, since that ends the whole authorization, then the access token, which some servers
  /// would otherwise accept until it expires. A token that the server no longer knows counts as revoked. The call can be
  /// repeated after an error.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/unsupported`` if the server has no revocation endpoint,
  ///   ``OAuthError/Code/issuerMismatch`` if another server gave the tokens, ``OAuthError/Code/clientMismatch`` if they are
  ///   another client's, ``OAuthError/Code/serverUnavailable`` if the server failed for the moment; `TransportError`;
  ///   `CancellationError`.
  public func revoke(_ token: StoredToken) async throws { try await revoke(token, within: nil) }

  /// Revokes stored tokens as ``revoke(_:)`` does.
  ///
  /// - Parameter limit: How long each request may take; `nil` for the transport's own limit.
  func revoke(_ token: StoredToken, within limit: Duration?) async throws {
    guard let endpoint = server.revocationEndpoint else {
      throw OAuthError(
        .unsupported,
        "\(server.name) has no revocation endpoint. Remove the stored token and the access it gave by hand.")
    }
    try checkOwner(of: token)
    if let refreshToken = token.refreshToken {
      try await revoke(refreshToken, hint: "refresh_token", at: endpoint, ignoring: ["invalid_token"], limit)
    }
    // RFC 7009 § 2.2.1: a server may revoke refresh tokens alone.
    let ignored = token.refreshToken == nil ? ["invalid_token"] : ["invalid_token", "unsupported_token_type"]
    try await revoke(token.accessToken, hint: "access_token", at: endpoint, ignoring: ignored, limit)
  }

  private func revoke(
    _ token: Secret, hint: String, at endpoint: URL, ignoring codes: [String], _ limit: Duration?
  ) async throws {
    do {
      _ = try await post(["token": token.reveal(), "token_type_hint": hint], to: endpoint, within: limit)
    } catch let error as OAuthError where error.code == .requestRejected && codes.contains(error.serverCode ?? "") {
      // RFC 7009 § 2.2 responds with 200 for an unknown token; Google responds with 400 and invalid_token.
    }
  }
}

/// What kind of token the server is to look for first
/// ([RFC 7009 § 2.1](https://www.rfc-editor.org/rfc/rfc7009.html#section-2.1)).
public struct TokenTypeHint: RawRepresentable, Sendable, Hashable {
  /// The hint as sent.
  public let rawValue: String

  /// Creates a hint of the server's own.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// An access token.
  public static let accessToken = TokenTypeHint(rawValue: "access_token")
  /// A refresh token.
  public static let refreshToken = TokenTypeHint(rawValue: "refresh_token")
}
