// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import Foundation
import HTTPTransport
import OAuthCore
import OAuthJOSE
import Testing
import Timekeeping
import TokenStore

@Suite struct ServiceGrantTests {
  private let harness: SandboxHarness
  private let client: OAuthClient
  private let key: SigningKey

  init() throws {
    let key = try SigningKey.generate(.es256)
    let keys = JWKSet([key.publicJWK])
    self.key = key
    harness = try SandboxHarness {
      $0.clients = [
        .native, .init(id: "service", name: "Service", redirectURIs: [], authentication: .privateKeyJWT(keys)),
      ]
      $0.assertionIssuers = ["reports": keys]
      $0.exchangeAudiences = ["backend"]
    }
    client = try OAuthClient(
      provider: harness.sandbox.provider(at: URL(literal: "https://sandbox.example/")),
      registration: ClientRegistration(clientID: "service", authentication: .privateKeyJWT(key)),
      transport: harness.transport, clock: harness.clock)
  }

  private func refusal(_ source: some TokenSource) async -> String? {
    await #expect(throws: OAuthError.self) { try await source.accessToken() }?.serverCode
  }

  @Test func clientGetsATokenOfItsOwn() async throws {
    let token = try await ClientCredentials(client: client, scopes: [Scope(SandboxHarness.calendarScope)]).accessToken()
    #expect(try await harness.isGood(token.value.reveal()))
    #expect(await refusal(ClientCredentials(client: client, scopes: ["openid"])) == "invalid_scope")
    #expect(await refusal(ClientCredentials(client: client)) == "invalid_scope")
    let anonymous = try await harness.post(
      "/token", ["grant_type": "client_credentials", "client_id": "almanac", "scope": "email"])
    #expect(anonymous["error"] == "unauthorized_client")
  }

  @Test func assertionOfAKnownIssuerGetsAToken() async throws {
    let good = JWTBearer(client: client, issuer: "reports", subject: "ada", key: key, scopes: ["email"])
    #expect(try await good.accessToken().scopes == ["email"])
    let scoped = JWTBearer(client: client, issuer: "reports", subject: "ada", key: key) {
      $0.audience = .tokenEndpoint
      $0.claims = ["scope": "profile"]
    }
    #expect(try await scoped.accessToken().scopes == ["profile"])
    let bad = [
      JWTBearer(client: client, issuer: "stranger", subject: "ada", key: key, scopes: ["email"]),
      JWTBearer(client: client, issuer: "reports", subject: "ada", key: try .generate(.es256), scopes: ["email"]),
      JWTBearer(client: client, issuer: "reports", subject: "ada", key: key, scopes: ["email"]) {
        $0.audience = .custom("x")
      },
      JWTBearer(client: client, issuer: "reports", subject: "ada", key: key, scopes: ["email"]) {
        $0.lifetime = .seconds(-1)
      },
    ]
    for source in bad { #expect(await refusal(source) == "invalid_grant") }
  }

  @Test func tokenIsExchangedForANarrowerOne() async throws {
    let subject = Secret(try await harness.accessToken(scope: "email profile"))
    let outcome = try await client.exchange(subject, by: TokenExchange(audience: ["backend"], scopes: ["email"]))
    #expect(outcome.token.scopes == ["email"] && outcome.issuedType == .accessToken)
    let whole = try await client.exchange(
      subject, actor: outcome.token.value, by: TokenExchange(requestedType: .accessToken))
    #expect(whole.token.scopes == ["email", "profile"])
    let bad: [(Secret, Secret?, TokenExchange, String)] = [
      (subject, nil, TokenExchange(audience: ["other"]), "invalid_target"),
      (subject, nil, TokenExchange(scopes: ["openid"]), "invalid_scope"),
      (subject, nil, TokenExchange(of: .saml2), "invalid_request"),
      (subject, nil, TokenExchange(requestedType: .refreshToken), "invalid_request"),
      (Secret("forged"), nil, TokenExchange(), "invalid_request"),
      (subject, Secret("forged"), TokenExchange(), "invalid_request"),
    ]
    for (token, actor, exchange, code) in bad {
      let error = await #expect(throws: OAuthError.self) {
        try await client.exchange(token, actor: actor, by: exchange)
      }
      #expect(error?.serverCode == code)
    }
  }
}
