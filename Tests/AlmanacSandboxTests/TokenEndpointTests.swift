// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import Testing
import TokenStore

@Suite struct TokenEndpointTests {
  @Test func aCodeIsRedeemedForTokens() async throws {
    let rig = try Rig(.init(accessTokenLifetime: .seconds(1234)))
    let answer = try await rig.signIn()
    #expect(answer.status == 200)
    #expect(answer["token_type"] == "Bearer")
    #expect(answer.object["expires_in"] as? Int == 1234)
    #expect(answer["scope"] == "email \(Rig.calendarScope)")
    #expect(answer["refresh_token"] != nil && answer["id_token"] == nil)
    #expect(answer.response.fields["Cache-Control"] == "no-store")
    #expect(answer.response.fields["Pragma"] == "no-cache")
    #expect(answer.response.fields["Date"] == "Thu, 01 Jan 2026 00:00:00 GMT")
    #expect(try await rig.isGood(try #require(answer["access_token"])))
  }

  @Test(
    "A code is bound to its request",
    arguments: [
      (["code_verifier": "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXx"], "invalid_grant"),
      (["code_verifier": Rig.challenge], "invalid_grant"), (["code_verifier": nil], "invalid_request"),
      (["redirect_uri": "http://127.0.0.1:49153/callback"], "invalid_grant"),
      (["redirect_uri": nil], "invalid_request"),
      (["code": "guessed"], "invalid_grant"), (["code": nil], "invalid_request"),
      (["client_id": "other"], "invalid_grant"), (["client_id": "stranger"], "invalid_client"),
      (["client_id": nil], "invalid_client"), (["grant_type": nil], "invalid_request"),
      (["grant_type": "password"], "unsupported_grant_type"), (["client_secret": "s"], "invalid_client"),
    ] as [([String: String?], String)])
  func refusesToRedeem(changes: [String: String?], error: String) async throws {
    let other = Sandbox.Client(id: "other", name: "Other", redirectURIs: [Rig.redirectURI])
    let rig = try Rig(.init(clients: [.native, other]))
    let (name, value) = try #require(changes.first)
    let answer = try await rig.redeem(try rig.code(), [name: value])
    #expect(answer["error"] == error)
    #expect(answer.status == (error == "invalid_client" ? 401 : 400))
    #expect((answer.response.fields["WWW-Authenticate"] != nil) == (error == "invalid_client"))
    #expect(answer.response.fields["Cache-Control"] == "no-store")
    #expect(answer["access_token"] == nil)
  }

  @Test func aWrongVerifierSpendsTheCode() async throws {
    let rig = try Rig()
    let code = try rig.code()
    #expect(try await rig.redeem(code, ["code_verifier": Rig.challenge])["error"] == "invalid_grant")
    #expect(try await rig.redeem(code)["error"] == "invalid_grant")
  }

  @Test func anotherClientDoesNotSpendTheCode() async throws {
    let other = Sandbox.Client(id: "other", name: "Other", redirectURIs: [Rig.redirectURI])
    let rig = try Rig(.init(clients: [.native, other]))
    let code = try rig.code()
    #expect(try await rig.redeem(code, ["client_id": "other"])["error"] == "invalid_grant")
    #expect(try await rig.redeem(code).status == 200)
  }

  @Test func anotherClientDoesNotSpendTheRefreshToken() async throws {
    let other = Sandbox.Client(id: "other", name: "Other", redirectURIs: [Rig.redirectURI])
    let rig = try Rig(.init(clients: [.native, other]))
    let token = try #require(try await rig.signIn()["refresh_token"])
    #expect(try await rig.refresh(token, ["client_id": "other"])["error"] == "invalid_grant")
    #expect(try await rig.refresh(token).status == 200)
  }

  @Test func aCodeExpires() async throws {
    let rig = try Rig()
    let (inTime, late) = (try rig.code(), try rig.code())
    rig.clock.advance(by: .milliseconds(59_999))
    #expect(try await rig.redeem(inTime).status == 200)
    rig.clock.advance(by: .milliseconds(1))
    #expect(try await rig.redeem(late)["error"] == "invalid_grant")
  }

  @Test func aReplayedCodeRevokesWhatItGave() async throws {
    let rig = try Rig()
    let code = try rig.code()
    let first = try await rig.redeem(code)
    let renewed = try await rig.refresh(try #require(first["refresh_token"]))
    #expect(try await rig.redeem(code)["error"] == "invalid_grant")
    #expect(rig.sandbox.log.last { $0.kind == .codeReplayed } != nil)
    for answer in [first, renewed] { #expect(try await !rig.isGood(try #require(answer["access_token"]))) }
    #expect(try await rig.refresh(try #require(renewed["refresh_token"]))["error"] == "invalid_grant")
  }

  @Test func aCodeReplayedLongAfterItExpiredRevokesWhatItGave() async throws {
    let rig = try Rig(.init(accessTokenLifetime: .seconds(86_400)))
    let code = try rig.code()
    let token = try #require(try await rig.redeem(code)["access_token"])
    rig.clock.advance(by: .seconds(3600))
    _ = try await rig.signIn()
    #expect(try await rig.isGood(token))
    #expect(try await rig.redeem(code)["error"] == "invalid_grant")
    #expect(try await !rig.isGood(token))
  }

  @Test func whatHasExpiredIsForgotten() async throws {
    let rig = try Rig(.init(refreshTokenLifetime: .seconds(7200)))
    for _ in 0..<20 {
      let answer = try await rig.signIn()
      _ = try await rig.refresh(try #require(answer["refresh_token"]))
      _ = try rig.code()
      _ = try await rig.get(String(try rig.authorizationURL().absoluteString.dropFirst(Rig.base.count)))
    }
    #expect(rig.sandbox.rememberedCount > 100)
    rig.clock.advance(by: .seconds(7200))
    _ = try await rig.get(String(try rig.authorizationURL().absoluteString.dropFirst(Rig.base.count)))
    _ = try await rig.signIn()
    // The question, and of the new sign-in its question, grant, code and two tokens at most.
    #expect(rig.sandbox.rememberedCount <= 6)
  }

  @Test func rotationRemembersTheTokensOfOneWindowAlone() async throws {
    let rig = try Rig()
    var token = try #require(try await rig.signIn()["refresh_token"])
    for _ in 0..<200 {
      rig.clock.advance(by: .seconds(86_400))
      token = try #require(try await rig.refresh(token)["refresh_token"])
    }
    #expect(rig.sandbox.rememberedCount < 40)
  }

  @Test func aGrantThatEndedIsForgottenAtOnce() async throws {
    let rig = try Rig()
    let code = try rig.code()
    _ = try await rig.redeem(code)
    _ = try await rig.redeem(code)
    #expect(rig.sandbox.rememberedCount == 0)
    _ = try await rig.signIn()
    rig.sandbox.revokeGrants()
    #expect(rig.sandbox.rememberedCount == 0)
  }

  @Test func refreshingRotates() async throws {
    let rig = try Rig()
    let first = try await rig.signIn()
    let second = try await rig.refresh(try #require(first["refresh_token"]))
    #expect(second.status == 200)
    #expect(second["refresh_token"] != nil && second["refresh_token"] != first["refresh_token"])
    #expect(second["access_token"] != first["access_token"])
    #expect(rig.sandbox.refreshRequestCount == 1)
    #expect(rig.sandbox.requestCount(.token) == 2)
  }

  @Test func aReusedRefreshTokenEndsTheWholeGrant() async throws {
    let rig = try Rig()
    let other = try await rig.signIn()
    let first = try await rig.signIn()
    let second = try await rig.refresh(try #require(first["refresh_token"]))
    #expect(try await rig.refresh(try #require(first["refresh_token"]))["error"] == "invalid_grant")
    #expect(rig.sandbox.log.last { $0.kind == .refreshTokenReused } != nil)
    for answer in [first, second] { #expect(try await !rig.isGood(try #require(answer["access_token"]))) }
    #expect(try await rig.refresh(try #require(second["refresh_token"]))["error"] == "invalid_grant")
    #expect(try await rig.isGood(try #require(other["access_token"])), "Another grant is not touched.")
  }

  @Test func ofManyAtOnceOneSpendsTheRefreshToken() async throws {
    let rig = try Rig()
    let token = try #require(try await rig.signIn()["refresh_token"])
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<16 { group.addTask { try await rig.refresh(token).status } }
      return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
    #expect(statuses == [200: 1, 400: 15])
  }

  @Test func withoutRotationTheAnswerOmitsTheRefreshToken() async throws {
    let rig = try Rig(.init(rotatesRefreshTokens: false))
    let token = try #require(try await rig.signIn()["refresh_token"])
    for _ in 0..<2 {
      let answer = try await rig.refresh(token)
      #expect(answer.status == 200)
      #expect(answer["refresh_token"] == nil)
    }
  }

  @Test func aRefreshTokenExpires() async throws {
    let rig = try Rig(.init(refreshTokenLifetime: .seconds(7200)))
    let token = try #require(try await rig.signIn()["refresh_token"])
    rig.clock.advance(by: .seconds(7200))
    #expect(try await rig.refresh(token)["error"] == "invalid_grant")
  }

  @Test func aSignInNeedNotGiveARefreshToken() async throws {
    let rig = try Rig(.init(issuesRefreshTokens: false))
    #expect(try await rig.signIn()["refresh_token"] == nil)
  }

  @Test func aRefreshMayNarrowTheScope() async throws {
    let rig = try Rig()
    let first = try #require(try await rig.signIn()["refresh_token"])
    let narrow = try await rig.refresh(first, ["scope": "email"])
    #expect(narrow["scope"] == "email")
    #expect(try await !rig.isGood(try #require(narrow["access_token"])))
    let whole = try await rig.refresh(try #require(narrow["refresh_token"]))
    #expect(whole["scope"] == "email \(Rig.calendarScope)", "The refresh token keeps its scope.")
  }

  @Test func aRefreshMayNotWidenTheScope() async throws {
    let rig = try Rig()
    let token = try #require(try await rig.signIn(scope: "email")["refresh_token"])
    #expect(try await rig.refresh(token, ["scope": "email profile"])["error"] == "invalid_scope")
    #expect(try await rig.refresh(token).status == 200, "The refresh token was not spent.")
  }

  @Test(arguments: [["refresh_token": nil], ["refresh_token": "guessed"]] as [[String: String?]])
  func refusesToRefresh(changes: [String: String?]) async throws {
    let rig = try Rig()
    let (name, value) = try #require(changes.first)
    let answer = try await rig.refresh("x", [name: value])
    #expect(answer["error"] == (value == nil ? "invalid_request" : "invalid_grant"))
    #expect(answer.status == 400)
    #expect(rig.sandbox.refreshRequestCount == 1)
  }

  @Test func anAccessTokenIsNoRefreshToken() async throws {
    let rig = try Rig()
    let answer = try await rig.signIn()
    #expect(try await rig.refresh(try #require(answer["access_token"]))["error"] == "invalid_grant")
    #expect(try await !rig.isGood(try #require(answer["refresh_token"])))
  }

  @Test func parametersBelongIntoTheContentOnce() async throws {
    let rig = try Rig()
    let code = try rig.code()
    let form: FormFields = [
      "grant_type": "authorization_code", "code": code, "redirect_uri": Rig.redirectURI, "client_id": "almanac",
      "code_verifier": Rig.verifier,
    ]
    #expect(try await rig.post("/token?client_id=almanac", form)["error"] == "invalid_request")
    #expect(
      try await rig.post("/token", form, fields: ["Content-Type": "application/json"])["error"] == "invalid_request")
    for name in ["code", "unknown"] {
      var repeated = form
      for _ in 0..<2 { repeated.append(name, code) }
      #expect(try await rig.post("/token", repeated)["error"] == "invalid_request")
    }
    #expect(
      try await rig.redeem(code, fields: ["Content-Type": "Application/X-WWW-Form-URLEncoded; charset=utf-8"]).status
        == 200)
  }

  @Test func nothingThatIsLoggedOrDescribedHoldsASecret() async throws {
    let rig = try Rig()
    let code = try rig.code()
    let answer = try await rig.redeem(code)
    let refreshed = try await rig.refresh(try #require(answer["refresh_token"]))
    _ = try await rig.isGood(try #require(refreshed["access_token"]))
    _ = try await rig.redeem(code)
    var text = ""
    dump(rig.sandbox, to: &text)
    dump(rig.sandbox.log, to: &text)
    text += rig.sandbox.log.map(\.description).joined() + "\(rig.sandbox)"
    let secrets =
      [code, Rig.verifier]
      + [answer, refreshed].flatMap { [$0["access_token"], $0["refresh_token"]] }.compactMap(\.self)
    #expect(secrets.count == 6)
    for secret in secrets { #expect(!text.contains(secret)) }
    #expect(rig.sandbox.log.map(\.kind).starts(with: [.consentShown, .accessAllowed, .codeRedeemed, .tokenRefreshed]))
  }
}
