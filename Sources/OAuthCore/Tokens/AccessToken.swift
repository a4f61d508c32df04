// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
public import OAuthScope
public import Timekeeping
public import TokenStore

/// An access token with its type, scopes and expiry.
///
/// A ``TokenPresentation`` presents it in a request, as its ``type`` requires.
public struct AccessToken: Sendable, Hashable {
  /// The token.
  public let value: Secret
  /// The token's type, which determines its presentation, such as `Bearer`
  /// ([RFC 6749 § 7.1](https://www.rfc-editor.org/rfc/rfc6749.html#section-7.1)).
  ///
  /// It is case-insensitive.
  public let type: String
  /// The granted scopes.
  public let scopes: [Scope]
  /// The expiry by the server's clock, or `nil` if the server omitted it.
  public let expiresAt: Timestamp?
  /// The time of issue by the server's clock, or `nil` if unknown.
  public let issuedAt: Timestamp?
  /// The offset of the server's clock from this machine's at the time of issue.
  ///
  /// It is positive if the server's clock was ahead.
  public let serverClockOffset: Duration
  /// The key bound to a token of type `DPoP`, or `nil` for other types.
  public let proofKey: ProofKey?

  /// Creates an access token.
  ///
  /// - Parameters:
  ///   - value: The token.
  ///   - type: The token's type. Defaults to `Bearer`.
  ///   - scopes: The granted scopes.
  ///   - expiresAt: The expiry by the server's clock, or `nil` if unknown.
  ///   - issuedAt: The time of issue by the server's clock, or `nil` if unknown.
  ///   - serverClockOffset: The offset of the server's clock from this machine's, positive if the server's was ahead.
  ///     Defaults to zero.
  ///   - proofKey: The key bound to the token, or `nil` for none.
  public init(
    _ value: Secret, type: String = "Bearer", scopes: [Scope] = [], expiresAt: Timestamp? = nil,
    issuedAt: Timestamp? = nil, serverClockOffset: Duration = .zero, proofKey: ProofKey? = nil
  ) {
    self.value = value
    self.type = type
    self.scopes = scopes
    self.expiresAt = expiresAt
    self.issuedAt = issuedAt
    self.serverClockOffset = serverClockOffset
    self.proofKey = proofKey
  }
}

extension AccessToken {
  init(_ stored: StoredToken) {
    self.init(
      stored.accessToken, type: stored.tokenType, scopes: stored.scopes, expiresAt: stored.expiresAt,
      issuedAt: stored.issuedAt, serverClockOffset: stored.serverClockOffset, proofKey: stored.proofKey)
  }
}

extension StoredToken {
  /// Creates the record of an access token without a refresh token.
  init(_ token: AccessToken) {
    self.init(accessToken: token.value, expiresAt: token.expiresAt, scopes: token.scopes) {
      $0.tokenType = token.type
      $0.issuedAt = token.issuedAt
      $0.serverClockOffset = token.serverClockOffset
      $0.proofKey = token.proofKey
    }
  }
}

extension AccessToken {
  /// Whether the token is bound to a key, by its case-insensitive type (RFC 9449 § 5).
  var isBound: Bool { type.isBoundTokenType }
}

extension String {
  /// Whether this is the type of key-bound tokens.
  var isBoundTokenType: Bool { utf8.count == 4 && lowercasedASCII == "dpop" }
}
