// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacCLI
import AlmanacSandbox
import HTTPTransport
import LoopbackHTTP
import TestSupport
import Testing

/// `almanac call`.
@Suite(.takesTurns) struct CallCommandTests {
  private let almanac: BuiltCommand

  init() throws { almanac = try BuiltCommand() }

  @Test func dataComesFromAPipeOrASubstitution() async throws {
    let sandbox = Sandbox()
    let server = try await sandbox.serve()
    #expect(
      try await almanac.signIn(to: server, sandbox, apiURL: server.url, scopes: Scope.calendar.rawValue).status
        == 0)
    let call = "almanac call POST calendar/v3/calendars"
    let piped = try await almanac.shell(#"(sleep 0.2; echo '{"summary":"Piped"}') | \#(call) --data -"#)
    #expect(piped.status == 0)
    #expect(piped.said.contains("Piped"))
    let substituted = try await almanac.shell(#"\#(call) --data <(echo '{"summary":"Given"}')"#)
    #expect(substituted.said.contains("Given"))
    #expect(try await almanac.shell("\(call) --data /nowhere").status == 2)
    // The secret's file is a pipe too. It is read once, and its path is not stored.
    let status = try await almanac.shell("almanac status --client-secret-file <(echo s)")
    #expect(status.status == 2, "status needs no secret")
    let profile = try await almanac.shell("almanac profile --client-secret-file <(sleep 0.2; echo s)")
    #expect(!profile.said.contains("cannot be read"))
    await server.stop()
  }

  @Test func waitingForDataEndsWithAnInterruption() async throws {
    let sandbox = Sandbox()
    let server = try await sandbox.serve()
    #expect(try await almanac.signIn(to: server, sandbox, apiURL: server.url).status == 0)
    let result = try await almanac.shell(
      "mkfifo $HOME/p; $ALMANAC call POST a --data $HOME/p & sleep 0.5; kill -TERM $!; wait $!")
    #expect(result.status == 130)
    await server.stop()
  }

  /// JSON is escaped where a terminal shows it or a program reads it as JSON; other text is cleaned for a terminal only.
  @Test(
    arguments: [
      ("application/json", false, false, "[\"\u{9B}31m\"]"), ("application/json", true, false, #"["\u009b31m"]"#),
      ("Application/Problem+JSON; charset=utf-8", true, false, #"["\u009b31m"]"#),
      ("application/json", false, true, #"["\u009b31m"]"#), ("text/plain", true, false, "[\"\u{9B}31m\"]"),
      ("text/plain", false, false, "[\"\u{9B}31m\"]"), (nil, true, false, "[\"\u{9B}31m\"]"),
      ("text/plain", false, true, "[\" 31m\"]"),
    ] as [(String?, Bool, Bool, String)])
  func bodyIsWrittenForItsReader(_ type: String?, _ isJSON: Bool, _ isTerminal: Bool, _ output: String) async throws {
    let api = ScriptedCalendarAPI()
    api.on("GET x") { _ in
      var fields = HTTPFields()
      fields["Content-Type"] = type
      return HTTPResponse(status: 200, fields: fields, body: Array("[\"\u{9B}31m\"]".utf8))
    }
    let harness = try await CommandHarness.signedIn(to: api)
    let result = await harness.run(
      ["call", "GET", "calendar/v3/x"] + (isJSON ? ["--json"] : []), console: ScriptedConsole(showsOutput: isTerminal))
    #expect(result.status == .success)
    #expect(result.output == output)
  }
}
