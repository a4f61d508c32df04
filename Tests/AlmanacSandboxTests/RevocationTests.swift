// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import HTTPTransport
import Testing

@Suite struct RevocationTests {
  @Test func aRevokedRefreshTokenTakesTheWholeGrantWithIt() async throws {
    let harness = try SandboxHarness()
    let first = try await harness.signIn()
    let second = try await harness.refresh(try #require(first["refresh_token"]))
    let token = try #require(second["refresh_token"])
    #expect(try await harness.post("/revoke", ["token": token, "client_id": "almanac"]).status == 200)
    #expect(try await harness.refresh(token)["error"] == "invalid_grant")
    for answer in [first, second] { #expect(try await !harness.isGood(try #require(answer["access_token"]))) }
    #expect(harness.sandbox.log.last { $0.kind == .tokenRevoked } != nil)
  }

  @Test func aRevokedAccessTokenGoesAlone() async throws {
    let harness = try SandboxHarness()
    let answer = try await harness.signIn()
    let token = try #require(answer["access_token"])
    let revoked = try await harness.post(
      "/revoke", ["token": token, "client_id": "almanac", "token_type_hint": "refresh_token"])
    #expect(revoked.status == 200)
    #expect(try await !harness.isGood(token))
    #expect(try await harness.refresh(try #require(answer["refresh_token"])).status == 200)
  }

  @Test func thePersonMayEndEverything() async throws {
    let harness = try SandboxHarness()
    let answer = try await harness.signIn()
    harness.sandbox.invalidateAccessTokens()
    #expect(try await !harness.isGood(try #require(answer["access_token"])))
    let renewed = try await harness.refresh(try #require(answer["refresh_token"]))
    #expect(renewed.status == 200)
    harness.sandbox.revokeGrants()
    #expect(try await !harness.isGood(try #require(renewed["access_token"])))
    #expect(try await harness.refresh(try #require(renewed["refresh_token"]))["error"] == "invalid_grant")
  }
}
