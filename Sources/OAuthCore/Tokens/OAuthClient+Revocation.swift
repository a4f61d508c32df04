// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import PlatformFoundation
public import TokenStore

extension OAuthClient {
  /// Revokes the authorization behind stored tokens ([RFC 7009](https://www.rfc-editor.org/rfc/rfc7009.html)).
  ///
  /// The refresh token is revoked first, which ends the whole authorization. The access token is revoked next, since some servers would
  /// otherwise accept it until it expires. An unknown token counts as revoked. The call can be repeated after an error.
  ///
  /// - Throws: `TransportError`, `CancellationError`, or ``OAuthError``, such as with one of these codes:
  ///   - ``OAuthError/Code/unsupported``: The server has no revocation endpoint.
  ///   - ``OAuthError/Code/issuerMismatch``: Another server issued the tokens.
  ///   - ``OAuthError/Code/clientMismatch``: The tokens were issued to another client.
  ///   - ``OAuthError/Code/serverUnavailable``: The server is temporarily unavailable.
  public func revoke(_ token: StoredToken) async throws { try await revoke(token, within: nil) }

  /// Tries to revoke issued but unstored tokens.
  ///
  /// The caller throws the original error, so this method throws none. The timeout of each request is ten seconds.
  func revokeUnstored(_ token: StoredToken) async { try? await revoke(token, within: .seconds(10)) }

  /// Revokes stored tokens like ``revoke(_:)``.
  ///
  /// - Parameter limit: The timeout of each request, or `nil` for the transport's.
  private func revoke(_ token: StoredToken, within limit: Duration?) async throws {
    guard let endpoint = server.revocationEndpoint else {
      throw OAuthError(
        .unsupported,
        "\(server.name) has no revocation endpoint. Remove the stored token, and revoke the access in the user's account settings."
      )
    }
    try checkOwner(of: token)
    if let refreshToken = token.refreshToken {
      try await revoke(
        refreshToken, hint: "refresh_token", at: endpoint, ignoring: ServerErrorCode.unknownTokens, limit)
    }
    // RFC 7009 § 2.2.1: a server may support only the revocation of refresh tokens.
    let ignored = ServerErrorCode.unknownTokens.union(token.refreshToken == nil ? [] : ["unsupported_token_type"])
    try await revoke(token.accessToken, hint: "access_token", at: endpoint, ignoring: ignored, limit)
  }

  private func revoke(
    _ token: Secret, hint: String, at endpoint: URL, ignoring codes: Set<String>, _ limit: Duration?
  ) async throws {
    do {
      _ = try await post(["token": token.reveal(), "token_type_hint": hint], to: endpoint, within: limit)
    } catch let error as OAuthError where error.code == .requestRejected && codes.contains(error.serverCode ?? "") {
      // The token is not valid, as requested.
    }
  }
}

/// A hint about the type of a token, for the server's lookup
/// ([RFC 7009 § 2.1](https://www.rfc-editor.org/rfc/rfc7009.html#section-2.1)).
public struct TokenTypeHint: RawRepresentable, Sendable, Hashable {
  /// The hint as sent.
  public let rawValue: String

  /// Creates a hint defined by the server.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// An access token.
  public static let accessToken = TokenTypeHint(rawValue: "access_token")
  /// A refresh token.
  public static let refreshToken = TokenTypeHint(rawValue: "refresh_token")
}
