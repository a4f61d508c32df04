// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import Testing

@Suite struct CalendarAccessTests {
  private static let google = "https://www.googleapis.com/auth/"
  private static let list = "/calendar/v3/users/me/calendarList"
  private static let events = "/calendar/v3/calendars/primary/events"

  @Test func withoutATokenItSaysSo() async throws {
    let answer = try await SandboxHarness().get(Self.list)
    #expect(answer.status == 401)
    #expect(answer.reason == "required")
    let metadata = "https://sandbox.example/.well-known/oauth-protected-resource/calendar/v3"
    #expect(
      answer.response.fields["WWW-Authenticate"] == #"Bearer realm="sandbox", resource_metadata="\#(metadata)""#)
  }

  @Test func aBadTokenIsAnAuthenticationError() async throws {
    let harness = try SandboxHarness()
    let token = try await harness.accessToken()
    harness.clock.advance(by: .seconds(3600))
    for token in [token, "guessed", "a b"] {
      let answer = try await harness.get(Self.list, token: token)
      #expect(answer.status == 401)
      #expect(answer.reason == "authError")
      #expect(answer.response.fields["WWW-Authenticate"]?.contains(#"error="invalid_token""#) == true)
      let error = try #require(answer.object["error"] as? [String: Any])
      #expect(error["status"] as? String == "UNAUTHENTICATED")
      #expect(error["code"] as? Int == 401)
    }
  }

  @Test func aTokenBelongsIntoTheFieldOnce() async throws {
    let harness = try SandboxHarness()
    let token = try await harness.accessToken()
    #expect(try await harness.get("\(Self.list)?access_token=\(token)").status == 400)
    var fields: HTTPFields = ["Authorization": "Bearer \(token)"]
    fields.append("Authorization", "Bearer \(token)")
    #expect(try await harness.get(Self.list, fields: fields).status == 400)
  }

  @Test(
    "Each call needs a scope of its own",
    arguments: [
      ("calendar", 200, 200, 200), ("calendar.readonly", 200, 200, 200), ("calendar.events", 403, 200, 403),
      ("calendar.events.readonly", 403, 200, 403), ("calendar.calendarlist.readonly", 200, 403, 200),
      ("calendar.settings.readonly", 403, 403, 403),
    ])
  func scopes(scope: String, list: Int, events: Int, colors: Int) async throws {
    let harness = try SandboxHarness()
    let token = try await harness.accessToken(scope: Self.google + scope)
    #expect(try await harness.get(Self.list, token: token).status == list)
    #expect(try await harness.get(Self.events, token: token).status == events)
    #expect(try await harness.get("/calendar/v3/colors", token: token).status == colors)
  }

  @Test func missingScopesAreNamed() async throws {
    let harness = try SandboxHarness()
    let answer = try await harness.get(Self.list, token: try await harness.accessToken(scope: "email"))
    #expect(answer.status == 403)
    #expect(answer.reason == "insufficientPermissions")
    let challenge = try #require(answer.response.fields["WWW-Authenticate"])
    #expect(challenge.contains(#"error="insufficient_scope""#) && challenge.contains(Self.google + "calendar.readonly"))
  }

  @Test func aLongQueryMayBeInTheBody() async throws {
    let harness = try SandboxHarness()
    let token = try await harness.accessToken()
    let answer = try await harness.post(Self.events, [:], fields: ["Authorization": "Bearer \(token)"])
    #expect(answer.status == 403, "It would create an event.")
    let long = try await harness.post(
      Self.events, ["maxResults": "2"],
      fields: ["Authorization": "Bearer \(token)", "X-HTTP-Method-Override": "GET"])
    #expect(long.status == 200)
    #expect(long.items.count == 2)
  }

  @Test(arguments: ["/calendar/v3/", "/calendar/v3/nothing", "/calendar/v3/calendars/nobody%40example.com/events"])
  func whatIsNotThereIsNotFound(path: String) async throws {
    let harness = try SandboxHarness()
    let answer = try await harness.get(path, token: try await harness.accessToken())
    #expect(answer.status == 404)
    #expect(answer.reason == "notFound")
  }

  @Test func callsAreCounted() async throws {
    let harness = try SandboxHarness()
    let token = try await harness.accessToken()
    for path in [Self.list, Self.events, Self.events, "/calendar/v3/colors"] {
      _ = try await harness.get(path, token: token)
    }
    #expect(harness.sandbox.requestCount(.calendarList) == 1)
    #expect(harness.sandbox.requestCount(.events) == 2)
    #expect(harness.sandbox.requestCount(.colors) == 1)
    #expect(harness.sandbox.requestCount(.token) == 1)
    #expect(harness.sandbox.requestCount(.authorization) == 0, "The approval did not come over HTTP.")
  }
}
