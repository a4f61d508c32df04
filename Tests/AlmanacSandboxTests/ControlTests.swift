// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import Foundation
import HTTPTransport
import Testing

@Suite struct ControlTests {
  private func harness() throws -> SandboxHarness {
    var configuration = Sandbox.Configuration()
    configuration.isControllable = true
    configuration.otherUsers = [Sandbox.User(subject: "2", email: "ana@example.com")]
    return try SandboxHarness(configuration)
  }

  private func control(
    _ harness: SandboxHarness, _ path: String, _ json: String = "{}",
    fields: HTTPFields = ["Content-Type": "application/json"]
  ) async throws -> Answer {
    let url = try #require(URL(string: "\(SandboxHarness.base)/sandbox/\(path)"))
    return try await harness.send(HTTPRequest(.post, url, fields: fields, body: Array(json.utf8)))
  }

  @Test func tokensAreForAUserAndScopes() async throws {
    let harness = try harness()
    let scope = "https://www.googleapis.com/auth/calendar.calendars.readonly"
    let issued = try await control(harness, "token", #"{"user":"ana@example.com","scope":"\#(scope)"}"#)
    #expect(issued["scope"] == scope && issued["token_type"] == "Bearer")
    let token = try #require(issued["access_token"])
    #expect(try await harness.call(.get, "calendars/primary", token: token)["id"] == "ana@example.com")
    #expect(try await harness.call(.get, "calendars/primary/events", token: token).status == 403)
    for json in [#"{"user":"x@example.com"}"#, #"{"scope":"odd"}"#, #"{"client_id":"odd"}"#, "[]"] {
      #expect(try await control(harness, "token", json).status == 400)
    }
    #expect(try await control(harness, "invalidate-access-tokens").status == 204)
    #expect(try await harness.call(.get, "calendars/primary", token: token).status == 401)
    #expect(!harness.sandbox.log.contains { $0.description.contains(token) })
  }

  @Test func failuresAndExpiredTokensOnRequest() async throws {
    let harness = try harness()
    let token = try #require(try await control(harness, "token")["access_token"])
    let fault = #"{"method":"events.list","status":429,"reason":"rateLimitExceeded","count":1}"#
    #expect(try await control(harness, "fault", fault).status == 204)
    #expect(try await harness.call(.get, "calendars/primary/events", token: token).status == 429)
    let sync = try await harness.call(.get, "calendars/primary/events?maxResults=2500", token: token)["nextSyncToken"]
    #expect(try await control(harness, "expire-sync-tokens").status == 204)
    let path = "calendars/primary/events?syncToken=\(try #require(sync))"
    #expect(try await harness.call(.get, path, token: token).status == 410)
    for json in [#"{"method":"odd"}"#, #"{"status":600}"#, #"{"count":0}"#, #"{"delay_ms":"1"}"#] {
      #expect(try await control(harness, "fault", json).status == 400, "\(json)")
    }
    #expect(try await control(harness, "odd").status == 404)
    #expect(try await harness.get("/sandbox/log").text.contains("tokenIssued"))
  }

  @Test func aPageOfAnotherOriginControlsNothing() async throws {
    let harness = try harness()
    #expect(try await control(harness, "token", fields: ["Content-Type": "text/plain"]).status == 400)
    let fields: HTTPFields = ["Content-Type": "application/json", "Sec-Fetch-Site": "cross-site"]
    #expect(try await control(harness, "token", fields: fields).status == 403)
  }

  @Test func withoutTheSettingThereIsNoControl() async throws {
    let harness = try SandboxHarness()
    #expect(try await control(harness, "token").status == 404)
    #expect(try await harness.get("/sandbox/log").status == 404)
  }
}
