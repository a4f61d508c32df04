// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import AlmanacSandbox
import Foundation
import JSONCoding
import TestSupport
import Testing
import TokenStore

@Suite(.takesTurns) struct SignInWithoutBrowserTests {
  private let harness = CommandHarness()

  private func signIn(
    _ more: String..., enter: @escaping @Sendable (_ authorizationURL: URL, _ sandbox: Sandbox) throws -> String?
  ) async -> CommandHarness.Result {
    let sandbox = harness.sandbox
    let console = ScriptedConsole { errors in
      let line = try #require(errors.split(separator: "\n").first { $0.hasPrefix("http") })
      return try enter(try #require(URL(string: String(line))), sandbox)
    }
    return await harness.run(
      CommandHarness.signIn(scope: "openid email") + ["--no-browser"] + more, console: console)
  }

  @Test(arguments: [
    (" URL\r", "with white space"), ("URL#_=_", "with a fragment"),
    ("URL&error_description=5%", "with a lone percent sign"),
    ("ADDRESS", "without its scheme"), ("\u{FEFF}\"URL\"", "in quotation marks"), ("<ADDRESS>\u{200B}", "in brackets"),
  ])
  func enteredURLCompletesTheSignIn(_ entry: String, _ reason: String) async throws {
    let result = await signIn("--json") {
      let url = try $1.approve($0).absoluteString
      return entry.replacing("URL", with: url).replacing("ADDRESS", with: url.dropFirst("http://".count))
    }
    #expect(result.status == .success, "\(result.errors)")
    #expect(try result.json["account"]?.string == "default")
    #expect(try await harness.token() != nil)
  }

  @Test func codeAloneIsNoURLAndIsNotShown() async throws {
    let result = await signIn { _, _ in "4/0AbCdEf-s3cret" }
    #expect(result.status == .failure)
    #expect(!result.errors.contains("s3cret"))
  }
}
