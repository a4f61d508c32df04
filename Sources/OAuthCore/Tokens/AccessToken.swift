// SPDX-License-Identifier: Apache-2.0

public import Timekeeping
public import TokenStore

/// An access token, ready to be presented as a bearer token ([RFC 6750](https://www.rfc-editor.org/rfc/rfc6750.html)).
public struct AccessToken: Sendable, Hashable {
  /// The token.
  public let value: Secret
  /// The scopes that were granted.
  public let scopes: [String]
  /// When it expires by the server's clock; `nil` if the server did not say.
  public let expiresAt: Timestamp?

  /// Creates an access token.
  public init(_ value: Secret, scopes: [String] = [], expiresAt: Timestamp? = nil) {
    self.value = value
    self.scopes = scopes
    self.expiresAt = expiresAt
  }

  init(_ stored: StoredToken) {
    self.init(stored.accessToken, scopes: stored.scopes, expiresAt: stored.expiresAt)
  }
}
