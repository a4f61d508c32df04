// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import Testing
import Timekeeping
import TokenStore

/// Checks that `device.txt` lacks.
@Suite struct DeviceTests {
  @Test func userEntersTheCodeInAnyFormAndGrantsLess() async throws {
    let harness = try SandboxHarness()
    let begun = try await harness.post("/device_authorization", ["client_id": "almanac", "scope": "email openid"])
    let code = try #require(begun["user_code"]).lowercased().replacingOccurrences(of: "-", with: " ")
    try harness.sandbox.approve(userCode: code, granting: ["email"])
    let answer = try await harness.post(
      "/token",
      [
        "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "client_id": "almanac",
        "device_code": try #require(begun["device_code"]),
      ])
    #expect(answer.status == 200 && answer["scope"] == "email" && answer["refresh_token"] != nil)
    #expect(throws: SandboxError.self) { try harness.sandbox.approve(userCode: code) }
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
