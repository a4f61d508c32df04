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
    /// Other names than `Bearer` that the server has for the type of its bearer tokens, in lower case.
    ///
    /// Defaults to none. A token of such a type is stored, and presented, as a bearer token.
    public var bearerTokenTypes: Set<String> = []
    /// Where the server's errors say what is wrong, if not in `error` and `error_description`.
    ///
    /// Defaults to `nil`. Errors in the form of the specification are read in any case.
    public var errorMembers: ErrorMembers?
    /// The server's own codes for a refresh token that it no longer accepts, beside `invalid_grant`.
    ///
    /// Defaults to none.
    public var refusedGrantErrors: Set<String> = []
    /// Whether the server compares the code verifier with the challenge
    /// ([RFC 7636](https://www.rfc-editor.org/rfc/rfc7636.html)).
    ///
    /// Defaults to `true`. Challenge and verifier are sent in any case. If it is `false`, nothing but the client's credentials
    /// protects a code that is intercepted, so that a client without credentials is refused before the user is asked.
    public var checksPKCE = true
    /// Whether the server accepts the user's identifier, `sub`, as a login hint.
    ///
    /// Defaults to `false`: the hint is the user's e-mail address, if the ID token has one.
    public var acceptsSubjectAsLoginHint = false
    /// A fragment that the server adds to the redirect URI, and that is no part of its response.
    ///
    /// Defaults to none. A callback with another fragment is refused.
    public var callbackFragment: String?

    /// Creates the values of a server that follows the specification.
    public init() {}

    /// Where the errors of a server say what is wrong: the names of the members that lead there, from the outside in.
    public struct ErrorMembers: Sendable, Hashable {
      /// Where the code is, which may be a number.
      public var code: [String]
      /// Where the description for developers is.
      public var description: [String]

      /// Creates the places.
      public init(code: [String], description: [String]) {
        self.code = code
        self.description = description
      }
    }
  }
}
