// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthFixtures
import Testing
import Timekeeping
import TokenStore

/// The successful responses that the specifications print, and what is read from them.
@Suite struct GoldenResponseTests {
  private let clock = ManualClock()

  private func client(_ response: HTTPResponse) throws -> OAuthClient {
    try Fixtures.client(StubTransport(response), clock: clock)
  }

  private func signIn(_ body: String) async throws -> StoredToken {
    let client = try client(Fixtures.json(body))
    let pending = try await client.beginAuthorization(scopes: ["asked"], redirectURI: Fixtures.redirect)
    return try await client.completeAuthorization(pending, callback: Fixtures.callback(pending, "code=c&state=STATE"))
  }

  /// RFC 6749 § 5.1, with a member that is not known.
  @Test func accessTokenResponse() async throws {
    let token = try await signIn(
      """
      {"access_token":"2YotnFZFEjr1zCsicMWpAA","token_type":"example","expires_in":3600,
       "refresh_token":"tGzv3JOkF0XG5Qx2TlKWIA","example_parameter":"example_value"}
      """)
    #expect(token.accessToken == Secret("2YotnFZFEjr1zCsicMWpAA") && token.tokenType == "example")
    #expect(token.refreshToken == Secret("tGzv3JOkF0XG5Qx2TlKWIA"))
    #expect(token.expiresAt == clock.now + .seconds(3600))
    #expect(token.scopes == ["asked"], "§ 5.1: a response without a scope grants what was asked for")
    #expect(token.issuer == "https://login.example" && token.clientID == "app" && token.idToken == nil)
  }

  /// RFC 6749 § 4.4.3.
  @Test func clientCredentialsResponse() async throws {
    let response = Fixtures.json(
      """
      {"access_token":"2YotnFZFEjr1zCsicMWpAA","token_type":"example","expires_in":3600,
       "example_parameter":"example_value"}
      """)
    let token = try await ClientCredentials(client: client(response), scopes: ["a"]).accessToken()
    #expect(token.value == Secret("2YotnFZFEjr1zCsicMWpAA") && token.scopes == ["a"])
    #expect(token.expiresAt == clock.now + .seconds(3600))
  }

  /// RFC 6749 § 6: only what is there replaces what is stored.
  @Test func refreshResponse() async throws {
    let token = try await client(Fixtures.json(#"{"access_token":"new","token_type":"Bearer"}"#))
      .refresh(Fixtures.expired(clock))
    #expect(token.accessToken == Secret("new") && token.refreshToken == Secret("refresh-1"))
    #expect(token.scopes == ["read"] && token.expiresAt == nil)
  }

  /// RFC 8693 § 2.3.
  @Test func exchangeResponse() async throws {
    let response = Fixtures.json(
      """
      {"access_token":"eyJhbGciOiJFUzI1NiIsImtpZCI6IjllciJ9","token_type":"Bearer","expires_in":60,
       "issued_token_type":"urn:ietf:params:oauth:token-type:access_token"}
      """)
    let outcome = try await client(response).exchange(Secret("subject"), by: TokenExchange())
    #expect(outcome.token.value == Secret("eyJhbGciOiJFUzI1NiIsImtpZCI6IjllciJ9"))
    #expect(outcome.issuedType == .accessToken && outcome.token.expiresAt == clock.now + .seconds(60))
  }

  /// RFC 9396 § 7.
  @Test func authorizationDetailsResponse() async throws {
    let token = try await signIn(
      """
      {"access_token":"2YotnFZFEjr1zCsicMWpAA","token_type":"example","expires_in":3600,
       "authorization_details":[{"type":"https://www.someorg.com/payment_initiation",
        "actions":["initiate","status"],"instructedAmount":{"currency":"EUR","amount":"123.50"}}]}
      """)
    struct Payment: Decodable { let actions: [String] }
    let detail = try #require(token.grantedDetails.first)
    #expect(detail.type == "https://www.someorg.com/payment_initiation" && token.grantedDetails.count == 1)
    #expect(try detail.decode(Payment.self).actions == ["initiate", "status"])
  }

  /// RFC 7009 § 2.2: a token that the server does not know counts as revoked.
  @Test(arguments: ["", "{}", "<html>"])
  func revocationResponse(_ body: String) async throws {
    let client = try Fixtures.client(StubTransport { _ in Fixtures.json(body) }, clock: clock)
    try await client.revoke(Fixtures.expired(clock))
  }
}
