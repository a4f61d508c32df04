// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import JSONCoding
import TestSupport
import Testing

/// The output of `almanac sign-in` between the callback and its end.
@Suite(.takesTurns) struct SignInProgressTests {
  private static let told = "Retrieving the token …\n"

  @Test func exchangeOfTheCodeIsAnnouncedBeforeIt() async {
    let console = ScriptedConsole()
    await confirmation { exchanged in
      let harness = CommandHarness(transport: { base in
        StubTransport { request in
          let told = console.errors
          let response = try await base.send(request)
          // The check of the client before the page returns no tokens.
          if request.url.path() == "/token", response.status == 200 {
            #expect(told == Self.told && console.output.isEmpty)
            exchanged()
          }
          return response
        }
      })
      let result = await harness.run(CommandHarness.signIn(scope: "openid"), console: console)
      #expect(result.status == .success && result.errors == Self.told)
      #expect(result.output == "Signed in as account \"default\".\n")
    }
  }

  @Test(arguments: [
    ("code=", "code=", true, "the URL as it is"),
    ("code=", "error=access_denied&refused=", false, "a refusal, which has no code"),
    ("state=", "state=another", false, "the callback of another sign-in"),
  ]) func onlyACodeOfThisSignInIsAnnounced(
    _ part: String, _ replacement: String, _ isTold: Bool, _ reason: String
  ) async {
    let harness = CommandHarness()
    let console = ScriptedConsole { [sandbox = harness.sandbox] errors in
      let line = try #require(errors.split(separator: "\n").first { $0.hasPrefix("http") })
      let callback = try sandbox.approve(try #require(URL(string: String(line)))).absoluteString
      return callback.replacing(part, with: replacement)
    }
    let result = await harness.run(CommandHarness.signIn(scope: "openid") + ["--no-browser"], console: console)
    #expect((result.status == .success) == isTold, "\(reason)")
    #expect(result.errors.contains(Self.told) == isTold, "\(reason)")
  }
}
