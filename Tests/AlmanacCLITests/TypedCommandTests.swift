// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import JSONCoding
import Synchronization
import TestSupport
import Testing
import TokenStore

/// Commands as users type them, and the responses that lead on.
@Suite(.takesTurns) struct TypedCommandTests {
  @Test(arguments: ["calendars", "agenda", "profile", "token", "whoami", "events list", "call GET x"])
  func commandBeforeAnySignInIsStatusThree(_ line: String) async {
    let words = line.split(separator: " ").map(String.init)
    let result = await CommandHarness().run(words + ["--json"])
    #expect(result.status == .signInRequired)
    #expect(result.error?["code"] == "signInRequired")
    #expect(result.error?["message"]?.string?.contains("almanac sign-in --client-id ID") == true)
  }

  @Test(arguments: [
    "calendars", "status --nonsense", "nonsense", "sign-in", "sign-in --provider gogle --client-id a", "discover x",
    "tokens seal", "credentials", "sandbox --seed /nowhere", "call GET ftp://x --client-id a",
  ])
  func everyErrorHasACode(_ line: String) async {
    let harness = CommandHarness()
    let words = line.split(separator: " ").map(String.init)
    let result = await harness.run(
      words + ["--json"], environment: ["GOOGLE_APPLICATION_CREDENTIALS": "/nowhere"])
    #expect(result.status != .success)
    #expect(result.error?["code"]?.string?.isEmpty == false, "\(result.errors)")
  }

  @Test func signInNamesTheUserAndTakesShortScopes() async throws {
    let harness = CommandHarness()
    let result = await harness.run(CommandHarness.signIn(scope: "openid email calendarReadOnly calendar.events"))
    #expect(result.output == "Signed in as person@example.com (account \"default\").\n", "\(result.errors)")
    let granted = try await harness.token()?.scopes ?? []
    for scope in ["calendar.readonly", "calendar.events"] {
      #expect(granted.contains("https://www.googleapis.com/auth/\(scope)"), "\(granted)")
    }
    // The whole is sent as it is.
    let anonymous = await harness.run(CommandHarness.signIn(scope: "https://www.googleapis.com/auth/calendar"))
    #expect(anonymous.output == "Signed in as account \"default\".\n", "\(anonymous.errors)")
  }

  @Test func exchangeOfTheCodeIsAnnouncedBeforeIt() async {
    let (console, told) = (ScriptedConsole(), "Retrieving the token …\n")
    await confirmation { exchanged in
      let harness = CommandHarness(transport: { base in
        StubTransport { request in
          let before = console.errors
          let response = try await base.send(request)
          // The check of the client before the page returns no tokens.
          if request.url.path() == "/token", response.status == 200 {
            #expect(before == told && console.output.isEmpty)
            exchanged()
          }
          return response
        }
      })
      let result = await harness.run(CommandHarness.signIn(scope: "openid"), console: console)
      #expect(result.status == .success && result.errors == told)
      #expect(result.output == "Signed in as account \"default\".\n")
    }
  }

  @Test(arguments: [
    (" URL\r", "with white space"), ("URL#_=_", "with a fragment"),
    ("URL&error_description=5%", "with a lone percent sign"), ("ADDRESS", "without its scheme"),
    ("\u{FEFF}\"URL\"", "in quotation marks"), ("<ADDRESS>\u{200B}", "in brackets"),
  ])
  func enteredURLCompletesTheSignIn(_ entry: String, _ reason: String) async throws {
    let harness = CommandHarness()
    let console = ScriptedConsole { [sandbox = harness.sandbox] errors in
      let line = try #require(errors.split(separator: "\n").first { $0.hasPrefix("http") })
      let url = try sandbox.approve(try #require(URL(string: String(line)))).absoluteString
      return entry.replacing("URL", with: url).replacing("ADDRESS", with: url.dropFirst("http://".count))
    }
    let result = await harness.run(CommandHarness.signIn(scope: "openid email") + ["--no-browser"], console: console)
    #expect(result.status == .success, "\(reason): \(result.errors)")
    #expect(try await harness.token() != nil)
  }

  @Test func mistypedURLIsAskedForAgain() async throws {
    let harness = CommandHarness()
    let entered = Mutex(0)
    let console = ScriptedConsole(canAsk: true) { [sandbox = harness.sandbox] errors in
      let line = try #require(errors.split(separator: "\n").first { $0.hasPrefix("http") })
      let callback = try sandbox.approve(try #require(URL(string: String(line)))).absoluteString
      let number = entered.withLock {
        $0 += 1; return $0
      }
      return ["", "yes", String(line), callback.replacing(/state=[^&]*/, with: "state=x"), callback][number - 1]
    }
    let result = await harness.run(CommandHarness.signIn(scope: "openid email") + ["--no-browser"], console: console)
    #expect(result.status == .success && entered.withLock { $0 } == 5, "\(result.errors)")
    #expect(result.errors.split(separator: "\n").count { $0.contains("This is not the URL") } == 4)
  }

  @Test func interruptionSaysWhatIsKept() async throws {
    for isSignedIn in [false, true] {
      let harness = CommandHarness()
      if isSignedIn { try await harness.signIn() }
      let console = ScriptedConsole(canAsk: true) { _ in throw CancellationError() }
      let result = await harness.run(CommandHarness.signIn(scope: "openid") + ["--no-browser"], console: console)
      #expect(result.status == .interrupted)
      #expect(
        result.errors.contains(
          isSignedIn
            ? "Interrupted. The stored tokens of account \"default\" are kept."
            : "Interrupted. No tokens are stored for account \"default\"."), "\(result.errors)")
      guard isSignedIn else { continue }
      let change = await harness.run("events", "quick-add", "Tea tomorrow", console: console)
      #expect(change.status == .interrupted && change.errors.contains("Interrupted. Nothing was changed."))
    }
  }
}
