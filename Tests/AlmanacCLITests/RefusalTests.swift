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
