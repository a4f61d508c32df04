// SPDX-License-Identifier: Apache-2.0

extension Provider {
  /// Where a server differs from the specification.
  ///
  /// The default values are those of a server that does not.
  public struct Quirks: Sendable, Hashable {
    /// The text between the scopes of an authorization request.
    ///
    /// Defaults to a space ([RFC 6749 § 3.3](https://www.rfc-editor.org/rfc/rfc6749.html#section-3.3)).
    public var scopeSeparator = " "
    /// The text between the scopes of a token response, beside the space of the specification.
    ///
    /// Defaults to none.
    public var grantedScopeSeparator: String?
    /// Whether token responses are forms that do not say so.
    ///
    /// Defaults to `false`. A response whose `Content-Type` is `application/x-www-form-urlencoded` is read as a form in
    /// any case.
    public var sendsTokensAsForm = false
    /// Whether identifier and secret are form-encoded before they are sent as Basic credentials
    /// ([RFC 6749 § 2.3.1](https://www.rfc-editor.org/rfc/rfc6749.html#section-2.3.1)).
    ///
    /// Defaults to `true`. It counts where the library chooses the client authentication, as with
    /// ``ClientAuthentication/clientSecret(_:)``.
    public var formEncodesBasicCredentials = true
    /// What names the server in the assertions that clients sign.
    ///
    /// Defaults to the issuer. It counts where a client authentication leaves it open.
    public var assertionAudience = AssertionAudience.issuer
    /// Whether the server exchanges refresh tokens.
    ///
    /// Defaults to `true`. If it is `false`, no refresh is sent, and an access token that has expired requires a new
    /// sign-in.
    public var supportsRefresh = true

    /// Creates the values of a server that follows the specification.
    public init() {}
  }
}
