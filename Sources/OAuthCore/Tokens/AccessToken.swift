// SPDX-License-Identifier: Apache-2.0

public import Timekeeping
public import TokenStore

/// An access token and what its server said of it.
///
/// A ``TokenPresentation`` presents it in a request, as its ``type`` requires.
public struct AccessToken: Sendable, Hashable {
  /// The token.
  public let value: Secret
  /// How the token is presented ([RFC 6749 § 7.1](https://www.rfc-editor.org/rfc/rfc6749.html#section-7.1)), such as `Bearer`,
  /// in upper or lower case.
  public let type: String
  /// The scopes that were granted.
  public let scopes: [String]
  /// When it expires by the server's clock; `nil` if the server did not say.
  public let expiresAt: Timestamp?
  /// When it was issued by the server's clock; `nil` if that is not known.
  public let issuedAt: Timestamp?
  /// How far the server's clock was ahead of this machine's when the token was issued.
  public let serverClockOffset: Duration
  /// The key that the token is bound to, for one of type `DPoP`; `nil` for any other.
  public let proofKey: ProofKey?

  /// Creates an access token.
  ///
  /// - Parameters:
  ///   - value: The token.
  ///   - type: How it is presented. Defaults to `Bearer`.
  ///   - scopes: The scopes that were granted.
  ///   - expiresAt: When it expires by the server's clock; `nil` if the server did not say.
  ///   - issuedAt: When it was issued by the server's clock; `nil` if that is not known.
  ///   - serverClockOffset: How far the server's clock was ahead of this machine's. Defaults to zero.
  ///   - proofKey: The key that the token is bound to; `nil` for none.
  public init(
    _ value: Secret, type: String = "Bearer", scopes: [String] = [], expiresAt: Timestamp? = nil,
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
  /// The record of an access token that comes without a refresh token.
  init(_ token: AccessToken) {
    self.init(
      accessToken: token.value, tokenType: token.type, expiresAt: token.expiresAt, issuedAt: token.issuedAt,
      serverClockOffset: token.serverClockOffset, scopes: token.scopes)
    proofKey = token.proofKey
  }
}
