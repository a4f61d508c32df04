// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import Testing
import TokenStore

/// Checks that `device.txt` and `backchannel.txt` lack.
@Suite struct DeviceTests {
  @Test func userEntersTheCodeInAnyForm() async throws {
    let harness = try SandboxHarness()
    let begun = try await harness.post("/device_authorization", ["client_id": "almanac", "scope": "email openid"])
    let code = try #require(begun["user_code"]).lowercased().replacing("-", with: " ")
    try harness.sandbox.approve(userCode: code)
    #expect(throws: SandboxError.self) { try harness.sandbox.approve(userCode: code) }
  }

  @Test func backchannelRequestIsDecidedOnce() async throws {
    let harness = try SandboxHarness()
    let form: FormFields = [
      "client_id": "almanac-desktop", "client_secret": "sandbox-secret", "scope": "openid",
      "login_hint": "person@example.com",
    ]
    let id = try #require(try await harness.post("/backchannel_authentication", form)["auth_req_id"])
    let request = try #require(harness.sandbox.backchannelRequests.first)
    #expect(request.user == "person@example.com" && request.id != id)
    try harness.sandbox.approve(request)
    #expect(harness.sandbox.backchannelRequests.isEmpty)
    #expect(throws: SandboxError.self) { try harness.sandbox.deny(request) }
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
}
