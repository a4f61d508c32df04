// SPDX-License-Identifier: Apache-2.0

extension Provider {
  /// A server's deviations from the specification.
  ///
  /// The default values are those of a server without deviations.
  public struct Quirks: Sendable, Hashable {
    /// The separator of scopes in an authorization request.
    ///
    /// Defaults to a space ([RFC 6749 § 3.3](https://www.rfc-editor.org/rfc/rfc6749.html#section-3.3)).
    public var scopeSeparator = " "
    /// A separator of scopes in token responses, in addition to the space of the specification.
    ///
    /// Defaults to `nil`.
    public var grantedScopeSeparator: String?
    /// Whether token responses are forms with another `Content-Type`.
    ///
    /// Defaults to `false`. A response with the `Content-Type` `application/x-www-form-urlencoded` is always decoded as a form.
    public var sendsTokensAsForm = false
    /// Whether the client identifier and secret are form-encoded before they are sent as Basic credentials
    /// ([RFC 6749 § 2.3.1](https://www.rfc-editor.org/rfc/rfc6749.html#section-2.3.1)).
    ///
    /// Defaults to `true`. It applies if the library chooses the client authentication, as with
    /// ``ClientAuthentication/clientSecret(_:)``.
    public var formEncodesBasicCredentials = true
    /// The audience of the clients' assertions.
    ///
    /// Defaults to the issuer. It applies if the client authentication does not set an audience.
    public var assertionAudience = AssertionAudience.issuer
    /// Whether the server supports the refresh token grant.
    ///
    /// Defaults to `true`. If `false`, the client sends no refresh request, and an expired access token requires a new sign-in.
    public var supportsRefresh = true
    /// The server's names for bearer tokens other than `Bearer`, in lower case.
    ///
    /// Defaults to an empty set. A token with such a type is stored and presented as a bearer token.
    public var bearerTokenTypes: Set<String> = []
    /// The members of error responses that contain the error, if not `error` and `error_description`.
    ///
    /// Defaults to `nil`. Errors conforming to the specification are always decoded.
    public var errorMembers: ErrorMembers?
    /// The server's codes for a refresh token that it no longer accepts, in addition to `invalid_grant`.
    ///
    /// Defaults to an empty set. For a code that the server also sends for other failures, an element can be the beginning of the
    /// error's description instead.
    public var refusedGrantErrors: Set<String> = []
    /// The server's codes for a temporary failure, in addition to `temporarily_unavailable` and `server_error`.
    ///
    /// Defaults to an empty set. The status of such a response can be any, including 200.
    public var transientErrors: Set<String> = []
    /// Whether the server compares the code verifier with the challenge
    /// ([RFC 7636](https://www.rfc-editor.org/rfc/rfc7636.html)).
    ///
    /// Defaults to `true`. Challenge and verifier are always sent. If `false`, only the client's credentials protect an
    /// intercepted code. A client without credentials is then rejected before a page is shown.
    public var checksPKCE = true
    /// Whether the server accepts the user's identifier, `sub`, as a login hint.
    ///
    /// Defaults to `false`: the hint is the user's e-mail address, if the ID token has one.
    public var acceptsSubjectAsLoginHint = false

    /// The name of the scope parameter in both requests of the device grant, for a server that differs from the
    /// specification.
    ///
    /// Defaults to `nil`: only the first request has the scopes, as `scope`
    /// ([RFC 8628 § 3.1](https://www.rfc-editor.org/rfc/rfc8628.html#section-3.1)).
    public var deviceScopeParameter: String?

    /// Creates the quirks of a server conforming to the specification.
    public init() {}

    /// The paths of the code and the description in a server's error responses, as member names from the outermost one.
    ///
    /// A path cannot name an element of an array.
    public struct ErrorMembers: Sendable, Hashable {
      /// The path of the code.
      ///
      /// The code may be a number.
      public var code: [String]
      /// The path of the description for developers.
      public var description: [String]

      /// Creates a value from two paths.
      public init(code: [String], description: [String]) {
        self.code = code
        self.description = description
      }
    }
  }
}
