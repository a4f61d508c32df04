// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import Synchronization
import TestSupport
import Testing
import TokenStore

@Suite(.hangLimit) struct ScriptedUserAgentTests {
  @Sendable private func begin(_ redirectURI: URL) async throws -> PendingAuthorization {
    let client = try OAuthClient(
      provider: .google, registration: ClientRegistration(clientID: "client"), transport: StubTransport())
    return try await client.beginAuthorization(scopes: ["openid"], redirectURI: redirectURI)
  }

  @Test func theScriptGetsThePendingAuthorizationAndDecidesOnTheCallback() async throws {
    let shown = Mutex<PendingAuthorization?>(nil)
    let userAgent = ScriptedUserAgent { pending in
      shown.withLock { $0 = pending }
      return try #require(URL(string: "\(pending.redirectURI)?error=access_denied&state=\(pending.state.reveal())"))
    }
    let response = try await userAgent.authorize(begin)
    #expect(response.pending == shown.withLock(\.self))
    #expect(response.pending.matches(response.callback))
    #expect(response.pending.redirectURI == ScriptedUserAgent.loopbackRedirect)
    #expect(ScriptedUserAgent.loopbackRedirect.absoluteString == "http://127.0.0.1:49152/callback")
  }

  @Test func theRedirectURIIsTheOneItWasMadeWith() async throws {
    let redirect = URL(literal: "com.example.app:/callback")
    let userAgent = ScriptedUserAgent(redirectURI: redirect) { $0.redirectURI }
    #expect(try await userAgent.authorize(begin).callback == redirect)
  }

  @Test func errorsOfBeginningAndOfTheScriptPassThrough() async throws {
    struct Refusal: Error {}
    let never = ScriptedUserAgent { _ in
      Issue.record("The script was called.")
      return ScriptedUserAgent.loopbackRedirect
    }
    await #expect(throws: Refusal.self) { try await never.authorize { _ in throw Refusal() } }
    let closing = ScriptedUserAgent { _ in throw OAuthError(.accessDenied, "The page was closed.") }
    let error = try await #require(throws: OAuthError.self) { try await closing.authorize(begin) }
    #expect(error.code == .accessDenied)
  }

  @Test func aTaskThatIsCancelledMeanwhileGetsNoResponse() async throws {
    let userAgent = ScriptedUserAgent { pending in
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return pending.redirectURI
    }
    let task = Task { try await userAgent.authorize(begin) }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func severalTasksAreServedAtOnce() async throws {
    let clock = ManualClock()
    let userAgent = ScriptedUserAgent { pending in
      try await clock.sleep(for: .seconds(1))
      return pending.redirectURI
    }
    async let first = userAgent.authorize(begin)
    async let second = userAgent.authorize(begin)
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(1))
    #expect(try await first.pending.state != second.pending.state)
  }
}
