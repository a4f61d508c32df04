// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthFixtures
import OAuthJOSE
import Testing
import Timekeeping
import TokenStore

/// Client credentials, JWT bearer and token exchange.
@Suite struct ServiceGrantTests {
  private let clock = ManualClock()
  private let key: SigningKey

  init() throws { key = try SigningKey.generate(.es256) }

  private static let token = Fixtures.json(#"{"access_token":"a","token_type":"Bearer","expires_in":3600}"#)

  private func client(_ transport: StubTransport) throws -> OAuthClient {
    try Fixtures.client(transport, authentication: .clientSecretPost(Secret("s3cret")), clock: clock)
  }

  /// The form that a source sends, without the client's credentials.
  private func form(
    of source: (OAuthClient) -> some TokenSource, response: HTTPResponse = token
  ) async throws -> [String: String] {
    let transport = StubTransport(response)
    _ = try await source(try client(transport)).accessToken()
    let form = try #require(transport.requests.first).form
    #expect(form["client_id"] == "app" && form["client_secret"] == "s3cret")
    #expect(transport.requests.first?.url.absoluteString == "https://login.example/token")
    return Dictionary(uniqueKeysWithValues: form.filter { !$0.name.hasPrefix("client") }.map { ($0.name, $0.value) })
  }

  // MARK: - Client credentials (RFC 6749 § 4.4)

  @Test func clientCredentialsAreRequested() async throws {
    #expect(try await form { ClientCredentials(client: $0) } == ["grant_type": "client_credentials"])
    let full = try await form { ClientCredentials(client: $0, scopes: ["a", "b"], parameters: ["audience": "api"]) }
    #expect(full == ["grant_type": "client_credentials", "scope": "a b", "audience": "api"])
  }

  @Test func scopesAreThoseGrantedElseThoseAskedFor() async throws {
    let transport = StubTransport(Self.token, Fixtures.json(#"{"access_token":"a","scope":"a"}"#))
    let source = ClientCredentials(client: try client(transport), scopes: ["a", "b"])
    #expect(try await source.accessToken().scopes == ["a", "b"])
    #expect(try await source.accessToken().scopes == ["a"])
  }

  @Test(arguments: ["grant_type", "client_id", "client_secret", "scope"])
  func parametersReplaceNothing(_ name: String) async throws {
    var parameters: AuthorizationParameters = [:]
    parameters[name] = "x"
    let transport = StubTransport()
    let source = ClientCredentials(client: try client(transport), parameters: parameters)
    await expectError(.invalidConfiguration) { try await source.accessToken() }
    #expect(transport.requests.isEmpty)
  }

  // MARK: - JWT bearer (RFC 7523 § 2.1)

  @Test func assertionIsSignedForTheServer() async throws {
    let form = try await form {
      JWTBearer(client: $0, issuer: "reports", subject: "ada", key: key, scopes: ["read"]) {
        $0.claims = ["department": "x", "iss": "forged"]
      }
    }
    #expect(form["grant_type"] == "urn:ietf:params:oauth:grant-type:jwt-bearer" && form["scope"] == "read")
    let jws = try JWS(compact: try #require(form["assertion"]))
    #expect(jws.header.keyID == key.publicJWK.keyID && jws.header.type == "JWT")
    let payload = try jws.payload(verifiedWith: key.publicJWK, allowing: [.es256])
    #expect(
      try Fixtures.claims(payload)
        == #"{"aud":"https://login.example","department":"x","exp":1767225900,"iat":1767225600,"iss":"reports","sub":"ada"}"#
    )
  }

  @Test func assertionIsMadeForEachRequest() async throws {
    let transport = StubTransport { _ in Self.token }
    let source = JWTBearer(client: try client(transport), issuer: "i", subject: "s", key: key) {
      $0.audience = .tokenEndpoint
    }
    _ = try await source.accessToken()
    clock.advance(by: .seconds(60))
    _ = try await source.accessToken()
    let payloads = try transport.requests.map { request in
      try JWS(compact: request.form["assertion"] ?? "").payload(verifiedWith: key.publicJWK, allowing: [.es256])
    }
    let claims = try payloads.map { try JSONSerialization.jsonObject(with: Data($0)) as? [String: AnyHashable] }
    #expect(claims[0]?["jti"] != claims[1]?["jti"] && claims[0]?["exp"] != claims[1]?["exp"])
    #expect(claims[0]?["aud"] == AnyHashable("https://login.example/token"))
  }

  // MARK: - Token exchange (RFC 8693)

  private static let exchanged = Fixtures.json(
    """
    {"access_token":"new","issued_token_type":"urn:ietf:params:oauth:token-type:access_token","token_type":"Bearer",
     "expires_in":60}
    """)

  /// RFC 8693 appendix A.1.
  @Test func exchangeIsThatOfTheSpecification() async throws {
    let form = try await form(
      of: {
        TokenExchange(parameters: ["resource": "https://backend.example.com/api"]).tokens(for: $0) {
          Secret("accVkjcJyb4BWCxGsndESCJQbdFMogUC5PbRDqceLTC")
        }
      }, response: Self.exchanged)
    #expect(
      form == [
        "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange",
        "resource": "https://backend.example.com/api",
        "subject_token": "accVkjcJyb4BWCxGsndESCJQbdFMogUC5PbRDqceLTC",
        "subject_token_type": "urn:ietf:params:oauth:token-type:access_token",
      ])
  }

  @Test func everyParameterOfAnExchangeIsSent() async throws {
    let transport = StubTransport(Self.exchanged)
    let outcome = try await client(transport).exchange(
      Secret("subject"), actor: Secret("actor"),
      by: TokenExchange(
        of: .idToken, actorType: .jwt, requestedType: .accessToken, audience: ["one", "two"], scopes: ["read"]))
    let form = try #require(transport.requests.first).form
    #expect(form.values(for: "audience") == ["one", "two"])
    #expect(form["subject_token_type"] == "urn:ietf:params:oauth:token-type:id_token")
    #expect(form["actor_token"] == "actor" && form["actor_token_type"] == "urn:ietf:params:oauth:token-type:jwt")
    #expect(form["requested_token_type"] == "urn:ietf:params:oauth:token-type:access_token")
    #expect(form["scope"] == "read")
    #expect(outcome.token.value == Secret("new") && outcome.issuedType == .accessToken && outcome.refreshToken == nil)
  }

  @Test func tokenThatIsNoAccessTokenIsNotPresented() async throws {
    let response = Fixtures.json(
      #"{"access_token":"jwt","issued_token_type":"urn:ietf:params:oauth:token-type:jwt","token_type":"N_A"}"#)
    let transport = StubTransport(response)
    let tokens = TokenExchange(requestedType: .jwt).tokens(for: try client(transport)) { Secret("subject") }
    let api = StubTransport(HTTPResponse(status: 200)).authorized(by: tokens, for: [Origin("https://api.example")!])
    await expectError(.unsupportedTokenType) {
      try await api.send(HTTPRequest(.get, URL(literal: "https://api.example/")))
    }
  }

  @Test func sourcesCompose() async throws {
    let transport = StubTransport { request in
      request.form["grant_type"] == "client_credentials"
        ? Fixtures.json(#"{"access_token":"own","expires_in":3600}"#) : Self.exchanged
    }
    let client = try client(transport)
    let own = ClientCredentials(client: client).cached(clock: clock)
    let tokens = TokenExchange().tokens(for: client, actor: own, subject: own).cached(clock: clock)
    #expect(try await tokens.accessToken().value == Secret("new"))
    clock.advance(by: .seconds(60))
    _ = try await tokens.accessToken()
    #expect(transport.requests.compactMap { $0.form["subject_token"] } == ["own", "own"])
    #expect(transport.requests.compactMap { $0.form["actor_token"] } == ["own", "own"])
    #expect(transport.requests.count == 3)
  }
}
