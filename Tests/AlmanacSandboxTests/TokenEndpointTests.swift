// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import Testing
import TokenStore

@Suite struct TokenEndpointTests {
  /// `token.txt` has requests that lack a parameter, and clients that are not authenticated.
  @Test(arguments: [
    ("code_verifier", "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXx"), ("code_verifier", SandboxHarness.challenge),
    ("redirect_uri", "http://127.0.0.1:49153/callback"),
  ])
  func aCodeIsBoundToItsRequestAndSpentByAnother(name: String, value: String) async throws {
    let harness = try SandboxHarness()
    let code = try harness.code()
    let answer = try await harness.redeem(code, [name: value])
    #expect(answer.status == 400 && answer["error"] == "invalid_grant" && answer["access_token"] == nil)
    #expect(try await harness.redeem(code)["error"] == "invalid_grant")
  }

  @Test func aCodeExpires() async throws {
    let harness = try SandboxHarness()
    let (inTime, late) = (try harness.code(), try harness.code())
    harness.clock.advance(by: .milliseconds(59_999))
    #expect(try await harness.redeem(inTime).status == 200)
    harness.clock.advance(by: .milliseconds(1))
    #expect(try await harness.redeem(late)["error"] == "invalid_grant")
  }

  @Test func aCodeReplayedLongAfterItExpiredRevokesWhatItGave() async throws {
    let harness = try SandboxHarness { $0.accessTokenLifetime = .seconds(86_400) }
    let code = try harness.code()
    let token = try #require(try await harness.redeem(code)["access_token"])
    harness.clock.advance(by: .seconds(3600))
    _ = try await harness.signIn()
    #expect(try await harness.isGood(token))
    #expect(try await harness.redeem(code)["error"] == "invalid_grant")
    #expect(try await !harness.isGood(token))
  }

  @Test func whatHasExpiredIsForgotten() async throws {
    let harness = try SandboxHarness { $0.refreshTokenLifetime = .seconds(7200) }
    for _ in 0..<20 {
      let answer = try await harness.signIn()
      _ = try await harness.refresh(try #require(answer["refresh_token"]))
      _ = try harness.code()
      _ = try await harness.get(
        String(try harness.authorizationURL().absoluteString.dropFirst(SandboxHarness.base.count)))
    }
    #expect(harness.sandbox.rememberedCount > 100)
    harness.clock.advance(by: .seconds(7200))
    _ = try await harness.get(
      String(try harness.authorizationURL().absoluteString.dropFirst(SandboxHarness.base.count)))
    _ = try await harness.signIn()
    // The question, and of the new sign-in its question, grant, code and two tokens at most.
    #expect(harness.sandbox.rememberedCount <= 6)
  }

  @Test func rotationRemembersTheTokensOfOneWindowAlone() async throws {
    let harness = try SandboxHarness()
    var token = try #require(try await harness.signIn()["refresh_token"])
    for _ in 0..<200 {
      harness.clock.advance(by: .seconds(86_400))
      token = try #require(try await harness.refresh(token)["refresh_token"])
    }
    #expect(harness.sandbox.rememberedCount < 40)
  }

  @Test func aGrantThatEndedIsForgottenAtOnce() async throws {
    let harness = try SandboxHarness()
    let code = try harness.code()
    _ = try await harness.redeem(code)
    _ = try await harness.redeem(code)
    #expect(harness.sandbox.rememberedCount == 0)
    _ = try await harness.signIn()
    harness.sandbox.revokeGrants()
    #expect(harness.sandbox.rememberedCount == 0)
  }

  @Test func anUnknownUserSignsInAsNoOther() throws {
    let harness = try SandboxHarness()
    let url = try harness.authorizationURL()
    #expect(throws: SandboxError.self) { try harness.sandbox.approve(url, as: "nobody@example.com") }
  }

  @Test func revokingTheGrantsOfOneUserKeepsThoseOfOthers() async throws {
    let harness = try SandboxHarness { $0.otherUsers = [Sandbox.User(subject: "2", email: "ana@example.com")] }
    let callback = try harness.sandbox.approve(try harness.authorizationURL(), as: "ana@example.com")
    let ana = try await harness.redeem(try #require(harness.parameters(of: callback)["code"]))
    let person = try await harness.signIn()
    harness.sandbox.revokeGrants(of: "ana@example.com")
    #expect(try await harness.refresh(try #require(ana["refresh_token"]))["error"] == "invalid_grant")
    #expect(try await !harness.isGood(try #require(ana["access_token"])))
    #expect(try await harness.isGood(try #require(person["access_token"])))
    #expect(try await harness.refresh(try #require(person["refresh_token"])).status == 200)
  }

  @Test func ofManyAtOnceOneSpendsTheRefreshToken() async throws {
    let harness = try SandboxHarness()
    let token = try #require(try await harness.signIn()["refresh_token"])
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<16 { group.addTask { try await harness.refresh(token).status } }
      return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
    #expect(statuses == [200: 1, 400: 15])
  }

  @Test func refreshTokensAreAsConfigured() async throws {
    let none = try SandboxHarness { $0.issuesRefreshTokens = false }
    #expect(try await none.signIn()["refresh_token"] == nil)
    let harness = try SandboxHarness {
      $0.rotatesRefreshTokens = false
      $0.refreshTokenLifetime = .seconds(7200)
    }
    let token = try #require(try await harness.signIn()["refresh_token"])
    for _ in 0..<2 {
      let answer = try await harness.refresh(token)
      #expect(answer.status == 200 && answer["refresh_token"] == nil)
    }
    #expect(harness.sandbox.refreshRequestCount == 2)
    harness.clock.advance(by: .seconds(7200))
    #expect(try await harness.refresh(token)["error"] == "invalid_grant")
  }

  @Test func nothingThatIsLoggedOrDescribedHoldsASecret() async throws {
    let harness = try SandboxHarness()
    let code = try harness.code()
    let answer = try await harness.redeem(code)
    let refreshed = try await harness.refresh(try #require(answer["refresh_token"]))
    _ = try await harness.isGood(try #require(refreshed["access_token"]))
    _ = try await harness.redeem(code)
    var text = ""
    dump(harness.sandbox, to: &text)
    dump(harness.sandbox.log, to: &text)
    text += harness.sandbox.log.map(\.description).joined() + "\(harness.sandbox)"
    let secrets =
      [code, SandboxHarness.verifier]
      + [answer, refreshed].flatMap { [$0["access_token"], $0["refresh_token"]] }.compactMap(\.self)
    #expect(secrets.count == 6)
    for secret in secrets { #expect(!text.contains(secret)) }
    #expect(
      harness.sandbox.log.map(\.kind).starts(with: [.consentShown, .accessAllowed, .codeRedeemed, .tokenRefreshed]))
  }
}
