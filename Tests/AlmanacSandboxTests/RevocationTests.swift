// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import HTTPTransport
import Testing

@Suite struct RevocationTests {
  @Test func aRevokedRefreshTokenTakesTheWholeGrantWithIt() async throws {
    let rig = try Rig()
    let first = try await rig.signIn()
    let second = try await rig.refresh(try #require(first["refresh_token"]))
    let token = try #require(second["refresh_token"])
    #expect(try await rig.post("/revoke", ["token": token, "client_id": "almanac"]).status == 200)
    #expect(try await rig.refresh(token)["error"] == "invalid_grant")
    for answer in [first, second] { #expect(try await !rig.isGood(try #require(answer["access_token"]))) }
    #expect(rig.sandbox.log.last { $0.kind == .tokenRevoked } != nil)
  }

  @Test func aRevokedAccessTokenGoesAlone() async throws {
    let rig = try Rig()
    let answer = try await rig.signIn()
    let token = try #require(answer["access_token"])
    let revoked = try await rig.post(
      "/revoke", ["token": token, "client_id": "almanac", "token_type_hint": "refresh_token"])
    #expect(revoked.status == 200)
    #expect(try await !rig.isGood(token))
    #expect(try await rig.refresh(try #require(answer["refresh_token"])).status == 200)
  }

  @Test func aTokenThatIsNotKnownIsAsGoodAsRevoked() async throws {
    let rig = try Rig()
    #expect(try await rig.post("/revoke", ["token": "unknown", "client_id": "almanac"]).status == 200)
  }

  @Test func aClientRevokesOnlyItsOwn() async throws {
    let other = Sandbox.Client(id: "other", name: "Other", redirectURIs: [])
    let rig = try Rig(.init(clients: [.native, other]))
    let answer = try await rig.signIn()
    for name in ["access_token", "refresh_token"] {
      let token = try #require(answer[name])
      #expect(try await rig.post("/revoke", ["token": token, "client_id": "other"]).status == 200)
    }
    #expect(try await rig.isGood(try #require(answer["access_token"])))
  }

  @Test func refusesWhatIsNotARevocation() async throws {
    let rig = try Rig()
    let token = try await rig.accessToken()
    #expect(try await rig.post("/revoke", ["client_id": "almanac"])["error"] == "invalid_request")
    #expect(try await rig.post("/revoke", ["token": token])["error"] == "invalid_client")
    #expect(try await rig.post("/revoke?token=\(token)", ["client_id": "almanac"])["error"] == "invalid_request")
    #expect(try await rig.isGood(token))
  }

  @Test func thePersonMayEndEverything() async throws {
    let rig = try Rig()
    let answer = try await rig.signIn()
    rig.sandbox.invalidateAccessTokens()
    #expect(try await !rig.isGood(try #require(answer["access_token"])))
    let renewed = try await rig.refresh(try #require(answer["refresh_token"]))
    #expect(renewed.status == 200)
    rig.sandbox.revokeGrants()
    #expect(try await !rig.isGood(try #require(renewed["access_token"])))
    #expect(try await rig.refresh(try #require(renewed["refresh_token"]))["error"] == "invalid_grant")
  }
}
