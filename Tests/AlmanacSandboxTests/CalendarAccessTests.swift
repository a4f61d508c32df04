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
    let answer = try await Rig().get(Self.list)
    #expect(answer.status == 401)
    #expect(answer.reason == "required")
    #expect(answer.response.fields["WWW-Authenticate"] == #"Bearer realm="sandbox""#)
  }

  @Test func aBadTokenIsAnAuthenticationError() async throws {
    let rig = try Rig()
    let token = try await rig.accessToken()
    rig.clock.advance(by: .seconds(3600))
    for token in [token, "guessed", "a b"] {
      let answer = try await rig.get(Self.list, token: token)
      #expect(answer.status == 401)
      #expect(answer.reason == "authError")
      #expect(answer.response.fields["WWW-Authenticate"]?.contains(#"error="invalid_token""#) == true)
      let error = try #require(answer.object["error"] as? [String: Any])
      #expect(error["status"] as? String == "UNAUTHENTICATED")
      #expect(error["code"] as? Int == 401)
    }
  }

  @Test func aTokenBelongsIntoTheFieldOnce() async throws {
    let rig = try Rig()
    let token = try await rig.accessToken()
    #expect(try await rig.get("\(Self.list)?access_token=\(token)").status == 400)
    var fields: HTTPFields = ["Authorization": "Bearer \(token)"]
    fields.append("Authorization", "Bearer \(token)")
    #expect(try await rig.get(Self.list, fields: fields).status == 400)
  }

  @Test(
    "Each call needs a scope of its own",
    arguments: [
      ("calendar", 200, 200, 200), ("calendar.readonly", 200, 200, 200), ("calendar.events", 403, 200, 403),
      ("calendar.events.readonly", 403, 200, 403), ("calendar.calendarlist.readonly", 200, 403, 200),
      ("calendar.settings.readonly", 403, 403, 403),
    ])
  func scopes(scope: String, list: Int, events: Int, colors: Int) async throws {
    let rig = try Rig()
    let token = try await rig.accessToken(scope: Self.google + scope)
    #expect(try await rig.get(Self.list, token: token).status == list)
    #expect(try await rig.get(Self.events, token: token).status == events)
    #expect(try await rig.get("/calendar/v3/colors", token: token).status == colors)
  }

  @Test func missingScopesAreNamed() async throws {
    let rig = try Rig()
    let answer = try await rig.get(Self.list, token: try await rig.accessToken(scope: "email"))
    #expect(answer.status == 403)
    #expect(answer.reason == "insufficientPermissions")
    let challenge = try #require(answer.response.fields["WWW-Authenticate"])
    #expect(challenge.contains(#"error="insufficient_scope""#) && challenge.contains(Self.google + "calendar.readonly"))
  }

  @Test func eventsAreOnlyRead() async throws {
    let rig = try Rig()
    let token = try await rig.accessToken()
    let answer = try await rig.post(Self.events, [:], fields: ["Authorization": "Bearer \(token)"])
    #expect(answer.status == 405)
    #expect(answer.reason == "httpMethodNotAllowed")
    let long = try await rig.post(
      Self.events, ["maxResults": "2"],
      fields: ["Authorization": "Bearer \(token)", "X-HTTP-Method-Override": "GET"])
    #expect(long.status == 200)
    #expect(long.items.count == 2)
  }

  @Test(arguments: ["/calendar/v3/", "/calendar/v3/nothing", "/calendar/v3/calendars/nobody%40example.com/events"])
  func whatIsNotThereIsNotFound(path: String) async throws {
    let rig = try Rig()
    let answer = try await rig.get(path, token: try await rig.accessToken())
    #expect(answer.status == 404)
    #expect(answer.reason == "notFound")
  }

  @Test func callsAreCounted() async throws {
    let rig = try Rig()
    let token = try await rig.accessToken()
    for path in [Self.list, Self.events, Self.events, "/calendar/v3/colors"] {
      _ = try await rig.get(path, token: token)
    }
    #expect(rig.sandbox.requestCount(.calendarList) == 1)
    #expect(rig.sandbox.requestCount(.events) == 2)
    #expect(rig.sandbox.requestCount(.colors) == 1)
    #expect(rig.sandbox.requestCount(.token) == 1)
    #expect(rig.sandbox.requestCount(.authorization) == 0, "The approval did not come over HTTP.")
  }
}
