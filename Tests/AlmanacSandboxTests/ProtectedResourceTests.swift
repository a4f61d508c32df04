// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import Testing
import TokenStore

@Suite struct ProtectedResourceTests {
  private let harness: SandboxHarness

  init() throws { harness = try SandboxHarness() }

  @Test func resourceLeadsToItsAuthorizationServer() async throws {
    let found = try await ProtectedResourceMetadata.discover(
      for: URL(literal: "https://sandbox.example/calendar/v3"), transport: harness.transport)
    #expect(found.authorizationServers == [SandboxHarness.base])
    let server = try await ServerMetadata.discover(
      issuer: try #require(found.authorizationServers.first), transport: harness.transport)
    #expect(server.tokenEndpoint.absoluteString == "https://sandbox.example/token")
    #expect(try await harness.get("/.well-known/oauth-protected-resource/other").status == 404)
  }

  /// RFC 9728 § 5.1.
  @Test(arguments: [("/userinfo", "/userinfo"), ("/calendar/v3/colors", "/calendar/v3")])
  func challengeSaysWhereTheMetadataAre(_ path: String, _ resource: String) async throws {
    for token in [nil, "guessed", try await harness.accessToken(scope: "email")] {
      let refused = try await harness.get(path, token: token)
      let demand = try #require(AuthorizationDemand(refused.response))
      let url = try #require(demand.resourceMetadata)
      #expect(url.absoluteString == "https://sandbox.example/.well-known/oauth-protected-resource\(resource)")
      let found = try await ProtectedResourceMetadata.discover(
        for: try #require(URL(string: "https://sandbox.example\(path)")), demand: demand, transport: harness.transport)
      #expect(found.resource.absoluteString == "https://sandbox.example\(resource)")
    }
  }

  @Test func demandOfAResourceIsMet() async throws {
    let sandbox = harness.sandbox
    let client = try OAuthClient(
      provider: sandbox.provider(at: URL(literal: "https://sandbox.example/")),
      registration: ClientRegistration(clientID: "almanac"), transport: harness.transport, clock: harness.clock)
    let account = OAuthAccount(
      client: client, storage: InMemoryTokenStorage(), account: "me", scopes: ["email"],
      userAgent: sandbox.approvingUser)
    let token = try await account.authorize()
    let refused = try await harness.get("/userinfo", token: token.value.reveal())
    let demand = try #require(AuthorizationDemand(refused.response))
    #expect(demand.reason == .insufficientScope && demand.scopes == ["openid"])
    let wider = try await account.authorize(meeting: demand)
    #expect(Set(wider.scopes) == ["openid", "email"])
    #expect(try await harness.get("/userinfo", token: wider.value.reveal()).status == 200)
  }
}
