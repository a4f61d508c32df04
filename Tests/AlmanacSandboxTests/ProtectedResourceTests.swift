// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthResources
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

  @Test func demandOfAResourceIsMet() async throws {
    let account = OAuthAccount(
      client: try harness.client(ClientRegistration(clientID: "almanac")), storage: InMemoryTokenStorage(),
      account: "me",
      scopes: ["email"], userAgent: harness.sandbox.approvingUser)
    let token = try await account.authorize()
    let refused = try await harness.get("/userinfo", token: token.value.reveal())
    let demand = try #require(TokenChallenge(refused.response))
    let found = try await ProtectedResourceMetadata.discover(
      for: URL(literal: "https://sandbox.example/userinfo"), demand: demand, transport: harness.transport)
    #expect(found.resource.absoluteString == Self.userinfo)
    #expect(demand.reason == .insufficientScope && demand.scopes == ["openid"])
    let wider = try await account.authorize(for: demand)
    #expect(Set(wider.scopes) == ["openid", "email"])
    #expect(try await harness.get("/userinfo", token: wider.value.reveal()).status == 200)
  }

  private static let calendar = "https://sandbox.example/calendar/v3"
  private static let userinfo = "https://sandbox.example/userinfo"

  /// A token endpoint's response to a code that was requested for some resources.
  private func signIn(_ resources: [String], scope: String = "openid \(SandboxHarness.calendarScope)") async throws
    -> Answer
  {
    var fields = FormEncoding.form.decode(
      try harness.authorizationURL(["scope": scope]).query(percentEncoded: true) ?? "")
    for resource in resources { fields.append("resource", resource) }
    let callback = try harness.sandbox.approve(try harness.url(fields))
    return try await harness.redeem(try #require(harness.parameters(of: callback)["code"]))
  }

  /// The command and MCP clients request the resource that its metadata name.
  @Test(arguments: [calendar, userinfo]) func publishedResourceCanBeRequested(_ resource: String) async throws {
    let path = resource == Self.calendar ? "/calendar/v3/colors" : "/userinfo"
    let found = try await ProtectedResourceMetadata.discover(
      for: try #require(URL(string: resource)), transport: harness.transport)
    #expect(found.resource.absoluteString == resource)
    let token = try #require(try await signIn([found.resource.absoluteString])["access_token"])
    #expect(try await harness.get(path, token: token).status == 200)
  }

  @Test func tokenIsForTheResourcesThatWereRequested() async throws {
    let both = try await signIn([Self.calendar, Self.userinfo])
    let refresh = try #require(both["refresh_token"])
    let one = try await harness.refresh(refresh, ["resource": Self.userinfo])
    for (answer, calendar, userinfo) in [
      (both, 200, 200), (one, 401, 200), (try await signIn([Self.calendar]), 200, 401),
    ] {
      let token = try #require(answer["access_token"])
      #expect(try await harness.get("/calendar/v3/colors", token: token).status == calendar)
      #expect(try await harness.get("/userinfo", token: token).status == userinfo)
    }
  }

  @Test func resourceOfNoOneIsRefused() async throws {
    for resource in [
      "https://sandbox.example", "https://sandbox.example/calendar", "https://other.example/calendar/v3",
    ] {
      let callback = try harness.sandbox.approve(try harness.authorizationURL(["resource": resource]))
      #expect(harness.parameters(of: callback)["error"] == "invalid_target")
    }
  }
}
