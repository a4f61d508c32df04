// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import HTTPTransport
import TestSupport
import Testing

/// The output of `almanac call`.
@Suite(.hangLimit) struct CallOutputTests {
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
