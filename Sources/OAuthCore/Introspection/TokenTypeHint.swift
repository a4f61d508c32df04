// SPDX-License-Identifier: Apache-2.0

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
