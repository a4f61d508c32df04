// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import Testing
import TokenStore

@Suite struct TokenEndpointTests {
  @Test func aCodeIsRedeemedForTokens() async throws {
    let harness = try SandboxHarness { $0.accessTokenLifetime = .seconds(1234) }
    let answer = try await harness.signIn()
    #expect(answer.status == 200)
    #expect(answer["token_type"] == "Bearer")
    #expect(answer.object["expires_in"] as? Int == 1234)
    #expect(answer["scope"] == "email \(SandboxHarness.calendarScope)")
    #expect(answer["refresh_token"] != nil && answer["id_token"] == nil)
    #expect(answer.response.fields["Cache-Control"] == "no-store")
    #expect(answer.response.fields["Pragma"] == "no-cache")
    #expect(answer.response.fields["Date"] == "Thu, 01 Jan 2026 00:00:00 GMT")
    #expect(try await harness.isGood(try #require(answer["access_token"])))
  }

  @Test(
    "A code is bound to its request",
    arguments: [
      (["code_verifier": "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXx"], "invalid_grant"),
      (["code_verifier": SandboxHarness.challenge], "invalid_grant"), (["code_verifier": nil], "invalid_request"),
      (["redirect_uri": "http://127.0.0.1:49153/callback"], "invalid_grant"),
      (["redirect_uri": nil], "invalid_request"),
      (["code": "guessed"], "invalid_grant"), (["code": nil], "invalid_request"),
      (["client_id": "other"], "invalid_grant"), (["client_id": "stranger"], "invalid_client"),
      (["client_id": nil], "invalid_client"), (["grant_type": nil], "invalid_request"),
      (["grant_type": "password"], "unsupported_grant_type"), (["client_secret": "s"], "invalid_client"),
    ] as [([String: String?], String)])
  func refusesToRedeem(changes: [String: String?], error: String) async throws {
    let other = Sandbox.Client(id: "other", name: "Other", redirectURIs: [SandboxHarness.redirectURI])
    let harness = try SandboxHarness { $0.clients = [.native, other] }
    let (name, value) = try #require(changes.first)
    let answer = try await harness.redeem(try harness.code(), [name: value])
    #expect(answer["error"] == error)
    #expect(answer.status == (error == "invalid_client" ? 401 : 400))
    #expect((answer.response.fields["WWW-Authenticate"] != nil) == (error == "invalid_client"))
    #expect(answer.response.fields["Cache-Control"] == "no-store")
    #expect(answer["access_token"] == nil)
  }

  @Test func aWrongVerifierSpendsTheCode() async throws {
    let harness = try SandboxHarness()
    let code = try harness.code()
    #expect(try await harness.redeem(code, ["code_verifier": SandboxHarness.challenge])["error"] == "invalid_grant")
    #expect(try await harness.redeem(code)["error"] == "invalid_grant")
  }

  @Test func anotherClientDoesNotSpendTheCode() async throws {
    let other = Sandbox.Client(id: "other", name: "Other", redirectURIs: [SandboxHarness.redirectURI])
    let harness = try SandboxHarness { $0.clients = [.native, other] }
    let code = try harness.code()
    #expect(try await harness.redeem(code, ["client_id": "other"])["error"] == "invalid_grant")
    #expect(try await harness.redeem(code).status == 200)
  }

  @Test func anotherClientDoesNotSpendTheRefreshToken() async throws {
    let other = Sandbox.Client(id: "other", name: "Other", redirectURIs: [SandboxHarness.redirectURI])
    let harness = try SandboxHarness { $0.clients = [.native, other] }
    let token = try #require(try await harness.signIn()["refresh_token"])
    #expect(try await harness.refresh(token, ["client_id": "other"])["error"] == "invalid_grant")
    #expect(try await harness.refresh(token).status == 200)
  }

  @Test func aCodeExpires() async throws {
    let harness = try SandboxHarness()
    let (inTime, late) = (try harness.code(), try harness.code())
    harness.clock.advance(by: .milliseconds(59_999))
    #expect(try await harness.redeem(inTime).status == 200)
    harness.clock.advance(by: .milliseconds(1))
    #expect(try await harness.redeem(late)["error"] == "invalid_grant")
  }

  @Test func aReplayedCodeRevokesWhatItGave() async throws {
    let harness = try SandboxHarness()
    let code = try harness.code()
    let first = try await harness.redeem(code)
    let renewed = try await harness.refresh(try #require(first["refresh_token"]))
    #expect(try await harness.redeem(code)["error"] == "invalid_grant")
    #expect(harness.sandbox.log.last { $0.kind == .codeReplayed } != nil)
    for answer in [first, renewed] { #expect(try await !harness.isGood(try #require(answer["access_token"]))) }
    #expect(try await harness.refresh(try #require(renewed["refresh_token"]))["error"] == "invalid_grant")
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

  @Test func refreshingRotates() async throws {
    let harness = try SandboxHarness()
    let first = try await harness.signIn()
    let second = try await harness.refresh(try #require(first["refresh_token"]))
    #expect(second.status == 200)
    #expect(second["refresh_token"] != nil && second["refresh_token"] != first["refresh_token"])
    #expect(second["access_token"] != first["access_token"])
    #expect(harness.sandbox.refreshRequestCount == 1)
    #expect(harness.sandbox.requestCount(.token) == 2)
  }

  @Test func aReusedRefreshTokenEndsTheWholeGrant() async throws {
    let harness = try SandboxHarness()
    let other = try await harness.signIn()
    let first = try await harness.signIn()
    let second = try await harness.refresh(try #require(first["refresh_token"]))
    #expect(try await harness.refresh(try #require(first["refresh_token"]))["error"] == "invalid_grant")
    #expect(harness.sandbox.log.last { $0.kind == .refreshTokenReused } != nil)
    for answer in [first, second] { #expect(try await !harness.isGood(try #require(answer["access_token"]))) }
    #expect(try await harness.refresh(try #require(second["refresh_token"]))["error"] == "invalid_grant")
    #expect(try await harness.isGood(try #require(other["access_token"])), "Another grant is not touched.")
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

  @Test func withoutRotationTheAnswerOmitsTheRefreshToken() async throws {
    let harness = try SandboxHarness { $0.rotatesRefreshTokens = false }
    let token = try #require(try await harness.signIn()["refresh_token"])
    for _ in 0..<2 {
      let answer = try await harness.refresh(token)
      #expect(answer.status == 200)
      #expect(answer["refresh_token"] == nil)
    }
  }

  @Test func aRefreshTokenExpires() async throws {
    let harness = try SandboxHarness { $0.refreshTokenLifetime = .seconds(7200) }
    let token = try #require(try await harness.signIn()["refresh_token"])
    harness.clock.advance(by: .seconds(7200))
    #expect(try await harness.refresh(token)["error"] == "invalid_grant")
  }

  @Test func aSignInNeedNotGiveARefreshToken() async throws {
    let harness = try SandboxHarness { $0.issuesRefreshTokens = false }
    #expect(try await harness.signIn()["refresh_token"] == nil)
  }

  @Test func aRefreshMayNarrowTheScope() async throws {
    let harness = try SandboxHarness()
    let first = try #require(try await harness.signIn()["refresh_token"])
    let narrow = try await harness.refresh(first, ["scope": "email"])
    #expect(narrow["scope"] == "email")
    #expect(try await !harness.isGood(try #require(narrow["access_token"])))
    let whole = try await harness.refresh(try #require(narrow["refresh_token"]))
    #expect(whole["scope"] == "email \(SandboxHarness.calendarScope)", "The refresh token keeps its scope.")
  }

  @Test func aRefreshMayNotWidenTheScope() async throws {
    let harness = try SandboxHarness()
    let token = try #require(try await harness.signIn(scope: "email")["refresh_token"])
    #expect(try await harness.refresh(token, ["scope": "email profile"])["error"] == "invalid_scope")
    #expect(try await harness.refresh(token).status == 200, "The refresh token was not spent.")
  }

  @Test func anAccessTokenIsNoRefreshToken() async throws {
    let harness = try SandboxHarness()
    let answer = try await harness.signIn()
    #expect(try await harness.refresh(try #require(answer["access_token"]))["error"] == "invalid_grant")
    #expect(try await !harness.isGood(try #require(answer["refresh_token"])))
  }

  @Test func parametersBelongIntoTheContentOnce() async throws {
    let harness = try SandboxHarness()
    let code = try harness.code()
    let form: FormFields = [
      "grant_type": "authorization_code", "code": code, "redirect_uri": SandboxHarness.redirectURI,
      "client_id": "almanac",
      "code_verifier": SandboxHarness.verifier,
    ]
    #expect(try await harness.post("/token?client_id=almanac", form)["error"] == "invalid_request")
    #expect(
      try await harness.post("/token", form, fields: ["Content-Type": "application/json"])["error"] == "invalid_request"
    )
    for name in ["code", "unknown"] {
      var repeated = form
      for _ in 0..<2 { repeated.append(name, code) }
      #expect(try await harness.post("/token", repeated)["error"] == "invalid_request")
    }
    #expect(
      try await harness.redeem(code, fields: ["Content-Type": "Application/X-WWW-Form-URLEncoded; charset=utf-8"])
        .status
        == 200)
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
