// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import Foundation
import HTTPTransport
import OAuthJOSE
import Testing

@Suite struct ControlTests {
  private func harness() throws -> SandboxHarness {
    return try SandboxHarness {
      $0.isControllable = true
      $0.otherUsers = [Sandbox.User(subject: "2", email: "ana@example.com")]
    }
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

  /// A member that is misspelled, or of another type, would otherwise leave a default in force.
  @Test(arguments: [
    ("token", #"{"usr":"ana@example.com"}"#, "usr is unknown"), ("token", #"{"user":1}"#, "user must be a string"),
    ("token", #"{"scope":["email"]}"#, "scope must be a string"),
    ("token", #"{"user":"person@example.com","user":"ana@example.com"}"#, "duplicate member"),
    ("approve", #"{"user_code":"x","denny":true}"#, "denny is unknown"),
    ("approve", #"{"user_code":"x","deny":"yes"}"#, "deny must be true or false"),
    ("fault", #"{"methd":"events.list","status":503}"#, "methd is unknown"),
    ("fault", #"{"carriedOut":true}"#, "carriedOut is unknown"), ("fault", #"{"odd":null}"#, "odd is unknown"),
    ("fault", #"{"carried_out":1}"#, "carried_out must be true or false"),
    ("fault", #"{"reason":7}"#, "reason must be a string"), ("clear-faults", #"{"method":"a"}"#, "method is unknown"),
    ("backchannel-requests", #"{"user":"a"}"#, "user is unknown"), ("expire-sync-tokens", #"{"a":1}"#, "a is unknown"),
    ("invalidate-access-tokens", #"{"a":1}"#, "a is unknown"), ("revoke-grants", #"{"a":1}"#, "a is unknown"),
  ])
  func memberThatIsNotReadIsNamed(_ path: String, _ json: String, _ problem: String) async throws {
    let harness = try harness()
    let token = try #require(try await control(harness, "token", #"{"user":null}"#)["access_token"])
    let answer = try await control(harness, path, json)
    #expect(answer.status == 400 && answer["error_description"]?.contains(problem) == true, "\(answer.text)")
    #expect(try await harness.call(.get, "colors", token: token).status == 200, "the control has no effect")
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

  @Test func aProgramDecidesForTheUser() async throws {
    let harness = try harness()
    let url = try harness.authorizationURL().absoluteString
    func callback(_ members: String) async throws -> FormFields {
      let answer = try await control(harness, "approve", #"{"url":"\#(url)"\#(members)}"#)
      let url = try #require(answer["callback"])
      return harness.parameters(of: try #require(URL(string: url)))
    }
    #expect(try await callback(#","deny":true"#)["error"] == "access_denied")
    let code = try #require(
      try await callback(#","user":"ana@example.com","scope":"\#(SandboxHarness.calendarScope)""#)["code"])
    let tokens = try await harness.redeem(code)
    #expect(tokens["scope"] == SandboxHarness.calendarScope)
    let token = try #require(tokens["access_token"])
    #expect(try await harness.call(.get, "calendars/primary", token: token)["id"] == "ana@example.com")
    for json in [
      "{}", #"{"url":"\#(url)","user_code":"x"}"#, #"{"url":"https://other.example/authorize"}"#,
      #"{"url":"\#(url)","user":"x@example.com"}"#, #"{"user_code":"x"}"#, #"{"auth_req_id":"x"}"#,
    ] {
      #expect(try await control(harness, "approve", json).status == 400, "\(json)")
    }
  }

  @Test func aProgramDecidesOnAnotherDevice() async throws {
    let harness = try harness()
    let begun = try await harness.post("/device_authorization", ["client_id": "almanac", "scope": "email"])
    let json = #"{"user_code":"\#(try #require(begun["user_code"]))","user":"ana@example.com"}"#
    #expect(try await control(harness, "approve", json).status == 204)
    var form: FormFields = [
      "client_id": "almanac-desktop", "client_secret": "sandbox-secret", "scope": "openid",
      "login_hint": "ana@example.com",
    ]
    let asked = try await harness.post("/backchannel_authentication", form)
    let id = try #require(asked["auth_req_id"])
    #expect(try await control(harness, "backchannel-requests").text.contains("ana@example.com"))
    #expect(
      try await control(harness, "approve", #"{"auth_req_id":"\#(id)","user":"person@example.com"}"#).status == 400)
    #expect(try await control(harness, "approve", #"{"auth_req_id":"\#(id)"}"#).status == 204)
    form = [
      "client_id": "almanac-desktop", "client_secret": "sandbox-secret",
      "grant_type": "urn:openid:params:grant-type:ciba", "auth_req_id": id,
    ]
    #expect(try await harness.post("/token", form).status == 200)
  }

  @Test func aConsentingUserNeedsNoPage() async throws {
    let harness = try SandboxHarness {
      $0.otherUsers = [Sandbox.User(subject: "2", email: "ana@example.com")]
      $0.consentingUser = "ana@example.com"
    }
    for prompt in [nil, "none"] {
      let answer = try await harness.send(HTTPRequest(.get, harness.authorizationURL(["prompt": prompt])))
      let callback = try #require(answer.response.fields["Location"].flatMap { URL(string: $0) })
      let token = try await harness.redeem(try #require(harness.parameters(of: callback)["code"]))["access_token"]
      #expect(try await harness.call(.get, "calendars/primary", token: try #require(token))["id"] == "ana@example.com")
    }
  }
}
