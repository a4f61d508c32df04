// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
public import TokenStore

/// A request to exchange one token for another: for another service, with fewer scopes, or to act on behalf of a user
/// ([RFC 8693](https://www.rfc-editor.org/rfc/rfc8693.html)).
///
/// ```swift
/// let exchange = TokenExchange(of: .jwt, audience: ["reports"], scopes: ["read"])
/// let tokens = exchange.tokens(for: client) { subject }.cached()
/// ```
public struct TokenExchange: Sendable, Hashable {
  /// What kind of token is handed in.
  public var subjectType: TokenType
  /// What kind of token the actor's is; it counts where there is an actor.
  public var actorType: TokenType
  /// What kind of token is wanted; `nil` leaves it to the server.
  public var requestedType: TokenType?
  /// The names of the services that the new token is for.
  public var audience: [String]
  /// The scopes to ask for.
  ///
  /// Empty leaves them to the server.
  public var scopes: [String]
  /// Further parameters of the request.
  public var parameters: AuthorizationParameters

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - subjectType: What kind of token is handed in. Defaults to an access token.
  ///   - actorType: What kind of token the actor's is. Defaults to an access token.
  ///   - requestedType: What kind of token is wanted; `nil` leaves it to the server.
  ///   - audience: The names of the services that the new token is for.
  ///   - scopes: The scopes to ask for. Empty leaves them to the server.
  ///   - parameters: Further parameters of the request.
  public init(
    of subjectType: TokenType = .accessToken, actorType: TokenType = .accessToken, requestedType: TokenType? = nil,
    audience: [String] = [], scopes: [String] = [], parameters: AuthorizationParameters = [:]
  ) {
    self.subjectType = subjectType
    self.actorType = actorType
    self.requestedType = requestedType
    self.audience = audience
    self.scopes = scopes
    self.parameters = parameters
  }

  /// A new token, and what it is.
  public struct Outcome: Sendable, Hashable {
    /// The token; its `type` is `N_A` if it is no access token.
    public let token: AccessToken
    /// What kind of token it is.
    public let issuedType: TokenType
    /// A refresh token that came with it.
    public let refreshToken: Secret?
  }

  /// Returns a source whose access tokens are exchanged for those of `subject`.
  ///
  /// - Parameters:
  ///   - client: The client that exchanges.
  ///   - actor: The tokens of the party that acts for the subject; `nil` if there is none.
  ///   - subject: The tokens to hand in.
  public func tokens(
    for client: OAuthClient, actor: (any TokenSource)? = nil, subject: some TokenSource
  ) -> ExchangedTokenSource {
    ExchangedTokenSource(
      exchange: self, client: client, actor: actor, subject: { try await subject.accessToken().value })
  }

  /// Returns a source whose access tokens are exchanged for what `subject` returns, such as the token of a platform.
  ///
  /// - Parameters:
  ///   - client: The client that exchanges.
  ///   - subject: Returns the token to hand in. It is called for each exchange.
  public func tokens(
    for client: OAuthClient, subject: @escaping @Sendable () async throws -> Secret
  ) -> ExchangedTokenSource {
    ExchangedTokenSource(exchange: self, client: client, actor: nil, subject: subject)
  }
}

extension OAuthClient {
  /// Exchanges a token ([RFC 8693 § 2](https://www.rfc-editor.org/rfc/rfc8693.html#section-2)).
  ///
  /// - Parameters:
  ///   - subject: The token that says for whom the new one is.
  ///   - actor: The token of the party that acts for the subject; `nil` if there is none.
  ///   - exchange: What is wanted.
  /// - Throws: ``OAuthError``, with the server's `invalid_target` if it does not know the service; `TransportError`;
  ///   `CancellationError`.
  public func exchange(
    _ subject: Secret, actor: Secret? = nil, by exchange: TokenExchange
  ) async throws -> TokenExchange.Outcome {
    var form: FormFields = [
      "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange", "subject_token": subject.reveal(),
      "subject_token_type": exchange.subjectType.rawValue,
    ]
    form["actor_token"] = actor?.reveal()
    // § 2.1: the one must not be there without the other.
    form["actor_token_type"] = actor.map { _ in exchange.actorType.rawValue }
    form["requested_token_type"] = exchange.requestedType?.rawValue
    for name in exchange.audience { form.append("audience", name) }
    let response = try await tokenResponse(form, scopes: exchange.scopes, parameters: exchange.parameters)
    guard let issuedType = response["issued_token_type"] else {
      throw OAuthError(
        .invalidResponse,
        "The response of the token endpoint of \(server.name) does not say what type of token it issued.")
    }
    let stored = response.stored(requestedScopes: exchange.scopes, by: self)
    return TokenExchange.Outcome(
      token: AccessToken(stored), issuedType: TokenExchange.TokenType(rawValue: issuedType),
      refreshToken: stored.refreshToken)
  }
}

extension TokenExchange {
  /// What kind of token it is ([RFC 8693 § 3](https://www.rfc-editor.org/rfc/rfc8693.html#section-3)).
  public struct TokenType: RawRepresentable, Sendable, Hashable {
    /// The URI as sent.
    public let rawValue: String

    /// Creates a type of the server's own.
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

/// Returns access tokens that are exchanged for other ones, as a ``TokenExchange`` says.
///
/// It exchanges each time it is asked; ``TokenSource/cached(clock:leeway:)`` keeps the token.
public struct ExchangedTokenSource: TokenSource {
  let exchange: TokenExchange
  let client: OAuthClient
  let actor: (any TokenSource)?
  let subject: @Sendable () async throws -> Secret

  /// Exchanges the tokens as they are now.
  ///
  /// - Throws: What ``OAuthClient/exchange(_:actor:by:)`` and the sources of the tokens throw.
  public func accessToken(replacing rejected: AccessToken?) async throws -> AccessToken {
    let subject = try await subject()
    return try await client.exchange(subject, actor: try await actor?.accessToken().value, by: exchange).token
  }
}
