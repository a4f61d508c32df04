// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import HTTPTransport
import Testing
import TokenStore

/// A decision by a program; `backchannel.txt` has the endpoint and its errors.
@Suite struct BackchannelTests {
  @Test func programDecidesOnce() async throws {
    let harness = try SandboxHarness()
    let begun = try await harness.post(
      "/backchannel_authentication",
      [
        "client_id": "almanac-desktop", "client_secret": "sandbox-secret", "scope": "openid email",
        "login_hint": "person@example.com", "binding_message": "W4SCT",
      ])
    let id = try #require(begun["auth_req_id"])
    let waiting = try #require(harness.sandbox.backchannelRequests.first)
    #expect(waiting.user == "person@example.com" && waiting.bindingMessage == "W4SCT" && waiting.id != id)
    try harness.sandbox.approve(waiting)
    #expect(harness.sandbox.backchannelRequests.isEmpty)
    #expect(throws: SandboxError.self) { try harness.sandbox.approve(waiting, deny: true) }
    let form: FormFields = [
      "grant_type": "urn:openid:params:grant-type:ciba", "auth_req_id": id, "client_id": "almanac-desktop",
      "client_secret": "sandbox-secret",
    ]
    let answer = try await harness.post("/token", form)
    #expect(answer.status == 200 && answer["id_token"] != nil && answer["refresh_token"] != nil)
    harness.clock.advance(by: .seconds(5))
    #expect(try await harness.post("/token", form)["error"] == "invalid_grant", "An auth_req_id is good once.")
  }
}
