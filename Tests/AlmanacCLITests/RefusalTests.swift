// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import AlmanacTesting
import Foundation
import HTTPTransport
import JSONCoding
import OAuthCore
import TestSupport
import Testing
import TokenStore

/// The command's output for errors of the Calendar API: the cause, and the server's message.
@Suite(.takesTurns) struct RefusalTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let arguments: [String]
    var data = ""
    /// Changes the query of a request before it reaches the server.
    var change: @Sendable (String) -> String = { $0 }
    let shown: String
    var testDescription: String { name }
  }

  private static let add = ["events", "add", "--yes", "--data", "-"]

  static let rows = [
    Row(
      name: "a start that is missing", arguments: add, data: #"{"start": {}, "end": {}}"#,
      shown: """
        almanac: The server refused the request: the event has no start. Set its start. [required, status 400] \
        (the server said: Missing start time.)

        """),
    Row(
      name: "an order without single events", arguments: ["events", "list"],
      change: { $0.replacing("singleEvents=true&", with: "").replacing("&singleEvents=true", with: "") },
      shown: """
        almanac: The server refused the request (parameter "orderBy"): this order needs single events. \
        Set singleEvents, or leave orderBy out. [badRequest, status 400] \
        (the server said: The requested ordering is not available for the particular query.)

        """),
    Row(
      name: "an unknown time zone", arguments: add,
      data: """
        {"start": {"dateTime": "2026-11-23T12:00:00", "timeZone": "Mars/Olympus"},
        "end": {"dateTime": "2026-11-23T13:00:00", "timeZone": "Mars/Olympus"}}
        """,
      shown: """
        almanac: The server refused the request: the time zone of the start is unknown. \
        Use a name of the IANA database, such as Europe/Berlin. [invalid, status 400] \
        (the server said: Invalid time zone definition for start time.)

        """),
    Row(
      name: "a stale page token", arguments: ["events", "list", "--from", "2020-01-01", "--days", "3660"],
      change: { query in
        let small = query.split(separator: "&").filter { !$0.hasPrefix("maxResults=") } + ["maxResults=1"]
        return small.map { $0.hasPrefix("pageToken=") ? "pageToken=stale" : $0 }.joined(separator: "&")
      },
      shown: """
        almanac: The server refused the request (parameter "pageToken"): the page token is not valid for it. \
        Start again with the first page, and keep the parameters the same. [invalid, status 400] \
        (the server said: The page token belongs to another request.)

        """),
    Row(
      name: "a calendar that is not there", arguments: ["events", "list", "--calendar", "nowhere@example.org"],
      shown: """
        almanac: The server refused the request: there is no such resource, or the account cannot see it. \
        Check the identifiers and the account. [notFound, status 404] (the server said: Not Found)

        """),
  ]

  @Test(arguments: rows) func refusalSaysWhatIsWrong(_ row: Row) async throws {
    let harness = try await CommandHarness(transport: { base in
      StubTransport { request in
        var request = request
        if let query = request.url.query(percentEncoded: true), request.url.path().hasSuffix("/events") {
          var parts = try #require(URLComponents(url: request.url, resolvingAgainstBaseURL: false))
          parts.percentEncodedQuery = row.change(query)
          request = HTTPRequest(request.method, try #require(parts.url), fields: request.fields, body: request.body)
        }
        return try await base.send(request)
      }
    }).signIn()
    let result = await harness.run(row.arguments, console: ScriptedConsole { _ in row.data })
    #expect(result.errors.split(separator: "\n").last.map { "\($0)\n" } == row.shown)
    #expect(result.status == .refused)
  }

  private static func refusal(_ message: String) -> String {
    #"{"error": {"errors": [{"reason": "invalid", "message": "\#(message)"}], "code": 400, "message": "\#(message)"}}"#
  }

  @Test func tokenThatTheServerRepeatsIsHidden() async throws {
    let api = ScriptedCalendarAPI()
    let harness = try await CommandHarness.signedIn(to: api)
    api.on("GET calendars/primary/events") { request in
      let credentials = try #require(request.fields["Authorization"])
      #expect(credentials == "Bearer token")
      return HTTPResponse(status: 400, body: Array(Self.refusal(credentials + " to\\u200bken [to\\u001bken]").utf8))
    }
    for arguments in [["events", "list", "--zone", "UTC"], ["events", "list", "--zone", "UTC", "--json"]] {
      let result = await harness.run(arguments)
      #expect(result.errors.contains("Bearer <redacted> <redacted> [<redacted>]"), "\(result.errors)")
    }
  }

  @Test func proofThatTheServerRepeatsIsHidden() async throws {
    let api = ScriptedCalendarAPI()
    let harness = try await CommandHarness.signedIn(to: api)
    let key = try await DPoPKey.generate().record()
    try await harness.storage.withExclusiveAccess(to: CommandHarness.record) { slot in
      var token = try #require(try await slot.read())
      (token.tokenType, token.proofKey) = ("DPoP", key)
      try await slot.write(token)
    }
    api.on("GET calendars/primary/events") { request in
      let proof = try #require(request.fields["DPoP"])
      return HTTPResponse(status: 400, body: Array(Self.refusal("\(proof) is not valid").utf8))
    }
    let result = await harness.run("events", "list", "--zone", "UTC")
    #expect(result.errors.hasSuffix("(the server said: <redacted> is not valid)\n"), "\(result.errors)")
  }

  @Test func serverTextIsCleanedAndBounded() async throws {
    let api = ScriptedCalendarAPI()
    let harness = try await CommandHarness.signedIn(to: api)
    let text = "\\u001b]0;owned\\u0007\\u202e\\u009b31m\\n" + String(repeating: "x", count: 5000)
    api.on("GET calendars/primary/events", Self.refusal(text), status: 400)
    let shown = await harness.run("events", "list", "--zone", "UTC").errors
    #expect(shown.unicodeScalars.allSatisfy { $0 == "\n" || (0x20..<0x7F).contains($0.value) })
    #expect(shown.count < 600)
    #expect(shown.filter { $0 == "\n" }.count == 1)
    #expect(shown.contains("]0;owned31mxxx"))
    let json = await harness.run("events", "list", "--zone", "UTC", "--json").error
    #expect(json?["serverDescription"]?.string?.count == 300)
  }
}
