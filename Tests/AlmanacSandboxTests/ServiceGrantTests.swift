// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import Foundation
import HTTPTransport
import OAuthCore
import OAuthJOSE
import Testing
import TokenStore

@Suite struct ServiceGrantTests {
  /// The refusals are in `token.txt`.
  @Test func everyGrantOfAServiceLeadsToAToken() async throws {
    let key = try SigningKey.generate(.es256)
    let keys = JWKSet([key.publicJWK])
    let harness = try SandboxHarness {
      $0.clients.append(
        .init(id: "service", name: "Service", redirectURIs: [], authentication: .privateKeyJWT(keys)))
      $0.assertionIssuers = ["reports": keys]
      $0.exchangeAudiences = ["backend"]
    }
    let client = try OAuthClient(
      provider: harness.sandbox.provider(at: URL(literal: "https://sandbox.example/")),
      registration: ClientRegistration(clientID: "service", authentication: .privateKeyJWT(key)),
      transport: harness.transport, clock: harness.clock)
    let own = try await ClientCredentials(client: client, scopes: [Scope(SandboxHarness.calendarScope)]).accessToken()
    #expect(try await harness.isGood(own.value.reveal()))
    let asserted = JWTBearer(client: client, issuer: "reports", subject: "ada", key: key) {
      $0.audience = .tokenEndpoint
      $0.claims = ["scope": "profile"]
    }
    #expect(try await asserted.accessToken().scopes == ["profile"])
    let subject = Secret(try await harness.accessToken(scope: "email profile"))
    let exchanged = try await client.exchange(subject, by: TokenExchange(audience: ["backend"], scopes: ["email"]))
    #expect(exchanged.token.scopes == ["email"] && exchanged.issuedType == .accessToken)
  }
}
