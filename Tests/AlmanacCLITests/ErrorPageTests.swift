// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import JSONCoding
import OAuthCore
import TestSupport
import Testing
import Timekeeping
import TokenStore

/// A sign-in with a client that the user named, at a server that shows errors only on its page.
@Suite(.takesTurns) struct ErrorPageTests {
  private func signIn(_ options: String..., at harness: CommandHarness, _ console: ScriptedConsole = ScriptedConsole())
    async -> CommandHarness.Result
  {
    await harness.run(
      ["sign-in", "--issuer", "https://sandbox.invalid", "--scope", "email"] + options, console: console)
  }

  @Test(arguments: [nil, 503]) func tokenEndpointThatFailsLeavesTheDecisionToThePage(_ status: Int?) async throws {
    let harness = CommandHarness(
      clock: ManualClock(skipsWaits: true),
      transport: { base in
        StubTransport { request in
          let form = FormEncoding.form.decode(String(decoding: request.body ?? [], as: UTF8.self))
          // The check uses a code that the sandbox did not issue. Only the exchange of an issued code reaches the sandbox.
          guard request.url.path() == "/token", form["code"]?.isEmpty == false else {
            return try await base.send(request)
          }
          let response = try await base.send(request)
          guard response.status != 200 else { return response }
          guard let status else { throw TransportError(.unreachable, "No route.") }
          return HTTPResponse(status: status)
        }
      })
    let result = await signIn("--client-id", "almanac", at: harness)
    #expect(result.status == .success, "\(result.errors)")
  }

  @Test func noCausesAreShownAfterTheCallback() async throws {
    let clock = ManualClock()
    let console = ScriptedConsole()
    let result = await signIn("--client-id", "almanac", at: CommandHarness(clock: clock), console)
    #expect(result.status == .success)
    clock.advance(by: .seconds(3600))
    for _ in 1...1000 { await Task.yield() }
    #expect(!console.errors.contains("--redirect-port"))
  }

  /// A browser that starts again at another port, as if the first port were taken.
  private struct RestartingUserAgent: UserAgent {
    let sandbox: Sandbox
    /// Called after each start.
    let wait: @Sendable (_ beginning: Int) async -> Void

    func authorize(_ begin: SignInStart) async throws -> AuthorizationResponse {
      _ = try await begin(URL(literal: "http://127.0.0.1:49152/callback"))
      await wait(1)
      let pending = try await begin(URL(literal: "http://127.0.0.1:49153/callback"))
      await wait(2)
      return AuthorizationResponse(pending: pending, callback: try sandbox.approve(pending.authorizationURL))
    }
  }

  @Test(arguments: [1, 2]) func causesAreShownOnceIfTheBrowserStartsAgain(_ toldAfter: Int) async throws {
    let clock = ManualClock()
    let console = ScriptedConsole()
    let harness = CommandHarness(
      clock: clock,
      userAgent: { sandbox in
        RestartingUserAgent(sandbox: sandbox) { beginning in
          await clock.waitForSleepers()
          guard beginning >= toldAfter else { return }
          clock.advance(by: .seconds(30))
          while !console.errors.contains("Ctrl-C") { await Task.yield() }
          for _ in 1...1000 { await Task.yield() }
        }
      })
    let result = await signIn("--client-id", "almanac", at: harness, console)
    #expect(result.status == .success, "\(result.errors)")
    #expect(result.errors.components(separatedBy: "Ctrl-C").count == 2, "\(result.errors)")
    #expect(result.errors.contains("--redirect-port \(49_151 + toldAfter)"), "\(result.errors)")
  }
}
