// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
public import OAuthScope
public import TokenStore

/// A request to exchange a token for another one: for another service, with fewer scopes, or to act on behalf of a user
/// ([RFC 8693](https://www.rfc-editor.org/rfc/rfc8693.html)).
///
/// ```swift
/// let exchange = TokenExchange(of: .jwt, audience: ["reports"], scopes: ["read"])
/// let tokens = exchange.tokens(for: client) { subject }.cached()
/// ```
public struct TokenExchange: Sendable, Hashable {
  /// The type of the subject token, `subject_token_type`.
  public var subjectType: TokenType
  /// The type of the actor token, `actor_token_type`.
  ///
  /// It is ignored without an actor.
  public var actorType: TokenType
  /// The type of the new token, `requested_token_type`, or `nil` to let the server decide.
  public var requestedType: TokenType?
  /// The names of the services the new token is for.
  public var audience: [String]
  /// The scopes to request.
  ///
  /// If empty, the server decides.
  public var scopes: [Scope]
  /// Further parameters of the request.
  public var parameters: AuthorizationParameters

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - subjectType: The type of the subject token. Defaults to an access token.
  ///   - actorType: The type of the actor token. Defaults to an access token.
  ///   - requestedType: The type of the new token, or `nil` to let the server decide.
  ///   - audience: The names of the services the new token is for.
  ///   - scopes: The scopes to request. If empty, the server decides.
  ///   - parameters: Further parameters of the request.
  public init(
    of subjectType: TokenType = .accessToken, actorType: TokenType = .accessToken, requestedType: TokenType? = nil,
    audience: [String] = [], scopes: [Scope] = [], parameters: AuthorizationParameters = [:]
  ) {
    self.subjectType = subjectType
    self.actorType = actorType
    self.requestedType = requestedType
    self.audience = audience
    self.scopes = scopes
    self.parameters = parameters
  }

  /// The new token and its type.
  public struct Outcome: Sendable, Hashable {
    /// The token.
    ///
    /// Its `type` is `N_A` if it is not an access token.
    public let token: AccessToken
    /// The type of the token, `issued_token_type`.
    public let issuedType: TokenType
    /// The refresh token, if the server issued one.
    public let refreshToken: Secret?
  }

  /// Returns a source that exchanges the access tokens of `subject`.
  ///
  /// - Parameters:
  ///   - client: The client for the request.
  ///   - actor: The source of actor tokens, for the party that acts for the subject, or `nil` if there is none.
  ///   - subject: The source of subject tokens.
  public func tokens(
    for client: OAuthClient, actor: (any TokenSource)? = nil, subject: some TokenSource
  ) -> ExchangedTokenSource {
    ExchangedTokenSource(
      exchange: self, client: client, actor: actor, subject: { try await subject.accessToken().value })
  }

  /// Returns a source that exchanges the tokens returned by `subject`, such as those of a platform.
  ///
  /// - Parameters:
  ///   - client: The client for the request.
  ///   - subject: Returns the subject token. Called for each exchange.
  public func tokens(
    for client: OAuthClient, subject: @concurrent @escaping @Sendable () async throws -> Secret
  ) -> ExchangedTokenSource {
    ExchangedTokenSource(exchange: self, client: client, actor: nil, subject: subject)
  }
}

extension OAuthClient {
  /// Exchanges a token ([RFC 8693 § 2](https://www.rfc-editor.org/rfc/rfc8693.html#section-2)).
  ///
  /// - Parameters:
  ///   - subject: The subject token, which identifies the party the new token is for.
  ///   - actor: The actor token, for the party that acts for the subject, or `nil` if there is none.
  ///   - exchange: The request's types, audience, scopes and parameters.
  /// - Throws: ``OAuthError``, such as with the server's `invalid_target` for an unknown service. Also `TransportError`
  ///   and `CancellationError`.
  public func exchange(
    _ subject: Secret, actor: Secret? = nil, by exchange: TokenExchange
  ) async throws -> TokenExchange.Outcome {
    var form: FormFields = [
      "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange", "subject_token": subject.reveal(),
      "subject_token_type": exchange.subjectType.rawValue,
    ]
    form["actor_token"] = actor?.reveal()
    // § 2.1: the actor token and its type must be present together.
    form["actor_token_type"] = actor.map { _ in exchange.actorType.rawValue }
    form["requested_token_type"] = exchange.requestedType?.rawValue
    for name in exchange.audience { form.append("audience", name) }
    let response = try await tokenResponse(form, scopes: exchange.scopes, parameters: exchange.parameters)
    guard let issuedType = response["issued_token_type"] else {
      throw OAuthError(
        .invalidResponse,
        "The response of the token endpoint of \(server.name) lacks the type of the issued token.")
    }
    let stored = response.stored(requestedScopes: exchange.scopes, by: self)
    return TokenExchange.Outcome(
      token: AccessToken(stored), issuedType: TokenExchange.TokenType(rawValue: issuedType),
      refreshToken: stored.refreshToken)
  }
}

extension TokenExchange {
  /// The type of a token ([RFC 8693 § 3](https://www.rfc-editor.org/rfc/rfc8693.html#section-3)).
  public struct TokenType: RawRepresentable, Sendable, Hashable {
    /// The URI as sent.
    public let rawValue: String

    /// Creates a type defined by the server.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// An access token of the same server.
    public static let accessToken = TokenType(rawValue: "urn:ietf:params:oauth:token-type:access_token")
    /// A refresh token of the same server.
    public static let refreshToken = TokenType(rawValue: "urn:ietf:params:oauth:token-type:refresh_token")
    /// An ID token.
    public static let idToken = TokenType(rawValue: "urn:ietf:params:oauth:token-type:id_token")
    /// A SAML 1.1 assertion, in Base64URL.
    public static let saml1 = TokenType(rawValue: "urn:ietf:params:oauth:token-type:saml1")
    /// A SAML 2.0 assertion, in Base64URL.
    public static let saml2 = TokenType(rawValue: "urn:ietf:params:oauth:token-type:saml2")
    /// A JSON Web Token.
    public static let jwt = TokenType(rawValue: "urn:ietf:params:oauth:token-type:jwt")
  }
}

/// A source of access tokens obtained by a ``TokenExchange``.
///
/// Every call requests an exchange. ``TokenSource/cached(clock:leeway:)`` caches the token.
public struct ExchangedTokenSource: TokenSource {
  let exchange: TokenExchange
  let client: OAuthClient
  let actor: (any TokenSource)?
  let subject: @Sendable () async throws -> Secret

  /// The presentation required by the token's type, with the client's clock.
  public var presentation: any TokenPresentation { AutomaticPresentation(clock: client.clock) }

  /// Exchanges the current tokens of the sources.
  ///
  /// - Throws: The errors of ``OAuthClient/exchange(_:actor:by:)`` and of the sources.
  public func accessToken(replacing rejected: AccessToken?) async throws -> AccessToken {
    let subject = try await subject()
    return try await client.exchange(subject, actor: try await actor?.accessToken().value, by: exchange).token
  }
}
