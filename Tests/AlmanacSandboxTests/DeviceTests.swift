// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import Testing
import Timekeeping
import TokenStore

@Suite struct DeviceTests {
  private static let grant = "urn:ietf:params:oauth:grant-type:device_code"
  private let harness: SandboxHarness

  init() throws { harness = try SandboxHarness() }

  private func begin() async throws -> (device: String, user: String) {
    let answer = try await harness.post("/device_authorization", ["client_id": "almanac", "scope": "email openid"])
    #expect(answer.status == 200)
    #expect(answer["verification_uri"] == "https://sandbox.example/device")
    let user = try #require(answer["user_code"])
    #expect(answer["verification_uri_complete"] == "https://sandbox.example/device?user_code=\(user)")
    #expect(answer.object["interval"] as? Int == 5 && answer.object["expires_in"] as? Int == 600)
    return (try #require(answer["device_code"]), user)
  }

  private func poll(_ code: String, client: String = "almanac", after seconds: Int = 5) async throws -> Answer {
    harness.clock.advance(by: .seconds(seconds))
    return try await harness.post(
      "/token", ["grant_type": Self.grant, "device_code": code, "client_id": client])
  }

  @Test func tokensComeOnceTheUserHasAllowedIt() async throws {
    let (device, user) = try await begin()
    #expect(try await poll(device)["error"] == "authorization_pending")
    try harness.sandbox.approve(
      userCode: user.lowercased().replacingOccurrences(of: "-", with: " "), granting: ["email"])
    let answer = try await poll(device)
    #expect(answer.status == 200 && answer["scope"] == "email" && answer["refresh_token"] != nil)
    #expect(try await poll(device)["error"] == "invalid_grant", "The code is good once.")
    #expect(throws: SandboxError.self) { try harness.sandbox.approve(userCode: user) }
  }

  @Test func idTokenComesWithTheScope() async throws {
    let (device, user) = try await begin()
    try harness.sandbox.approve(userCode: user)
    #expect(try await poll(device)["id_token"] != nil)
  }

  @Test func userMayRefuse() async throws {
    let (device, user) = try await begin()
    try harness.sandbox.approve(userCode: user, deny: true)
    #expect(try await poll(device)["error"] == "access_denied")
  }

  @Test func deviceThatAsksTooOftenWaitsLonger() async throws {
    let (device, _) = try await begin()
    #expect(try await poll(device, after: 0)["error"] == "authorization_pending", "the interval is between requests")
    #expect(try await poll(device, after: 4)["error"] == "slow_down")
    #expect(try await poll(device, after: 9)["error"] == "slow_down")
    #expect(try await poll(device, after: 15)["error"] == "authorization_pending")
  }

  @Test func codesExpire() async throws {
    let (device, user) = try await begin()
    #expect(try await poll(device, after: 600)["error"] == "expired_token")
    #expect(throws: SandboxError.self) { try harness.sandbox.approve(userCode: user) }
  }

  @Test func codeIsOfNoUseToAnotherClient() async throws {
    let (device, user) = try await begin()
    try harness.sandbox.approve(userCode: user)
    let other = try await harness.post(
      "/token",
      [
        "grant_type": Self.grant, "device_code": device, "client_id": "almanac-desktop",
        "client_secret": "sandbox-secret",
      ])
    #expect(other["error"] == "invalid_grant")
    #expect(try await poll("x")["error"] == "invalid_grant")
    #expect(
      try await harness.post("/token", ["grant_type": Self.grant, "client_id": "almanac"])["error"] == "invalid_request"
    )
  }

  @Test func requestIsChecked() async throws {
    let path = "/device_authorization"
    #expect(try await harness.post(path, ["client_id": "stranger", "scope": "email"])["error"] == "invalid_client")
    #expect(try await harness.post(path, ["client_id": "almanac", "scope": "wrong"])["error"] == "invalid_scope")
    #expect(try await harness.post(path, ["client_id": "almanac"])["error"] == "invalid_scope")
    #expect(try await harness.get(path).status == 405)
  }

  @Test func userDecidesOnAPage() async throws {
    let (device, user) = try await begin()
    #expect(try await harness.get("/device").text.contains("user_code"))
    let asked = try await harness.get("/device?user_code=\(user)")
    #expect(asked.status == 200 && asked.text.contains(user) && asked.text.contains("Almanac"))
    #expect(try await harness.get("/device?user_code=XXXX-XXXX").status == 400)
    let foreign = try await harness.post(
      "/device", ["user_code": user, "decision": "allow"], fields: ["Sec-Fetch-Site": "cross-site"])
    #expect(foreign.status == 400)
    #expect(try await poll(device)["error"] == "authorization_pending")
    #expect(try await harness.post("/device", ["user_code": user, "decision": "allow"]).status == 200)
    #expect(try await harness.post("/device", ["user_code": user, "decision": "deny"]).status == 400)
    #expect(try await poll(device).status == 200)
  }

  @MainActor @Test func accountSignsIn() async throws {
    let clock = ManualClock(skipsWaits: true)
    let sandbox = Sandbox(clock: clock)
    let client = try OAuthClient(
      provider: sandbox.provider(), registration: ClientRegistration(clientID: "almanac"),
      transport: sandbox.transport(), clock: clock)
    let account = OAuthAccount(client: client, storage: InMemoryTokenStorage(), account: "me", scopes: ["email"])
    // A screen's state, which is not sent to another actor.
    var shown: [String] = []
    try await account.signInOnDevice { device in
      shown.append(device.userCode)
      try sandbox.approve(userCode: device.userCode)
    }
    #expect(shown.count == 1)
    #expect(try await account.storedToken?.refreshToken != nil)
  }

  @Test func providerLikeMeetupHasNoSuchGrant() async throws {
    let answer = try await harness.post(
      "/meetup/oauth2/access",
      ["grant_type": Self.grant, "device_code": "x", "client_id": "almanac-meetup", "client_secret": "sandbox-secret"])
    #expect(answer["error"] == "unsupported_grant_type")
  }
}
