// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthJOSE
import OpenIDConnect
import Testing
import TokenStore

/// Signing out at the server, begun by the application.
@Suite struct LogoutTests {
  private static let redirectURI = URL(literal: "https://app.example/signed-out")

  private func issuer() throws -> SigningIssuer {
    try SigningIssuer { $0.endSessionEndpoint = URL(literal: "https://login.example/end?tenant=1") }
  }

  @Test func requestHasEveryParameter() throws {
    let issuer = try issuer()
    let pending = try issuer.client.beginLogout(
      idToken: Secret("a.b.c"), redirectURI: Self.redirectURI, logoutHint: "s 1", uiLocales: ["es", "en"])
    let state = try #require(pending.state?.reveal())
    #expect(
      pending.logoutURL.absoluteString
        == "https://login.example/end?tenant=1&client_id=app&logout_hint=s+1"
        + "&post_logout_redirect_uri=https%3A%2F%2Fapp.example%2Fsigned-out&state=\(state)&ui_locales=es+en"
        + "&id_token_hint=a.b.c")
    #expect(state.utf8.count >= 22)
    #expect(try issuer.client.beginLogout(redirectURI: Self.redirectURI).state != pending.state)
    let bare = try issuer.client.beginLogout()
    #expect(bare.logoutURL.absoluteString == "https://login.example/end?tenant=1&client_id=app")
    #expect(bare.state == nil)
  }

  @Test func pendingLogoutIsKeptAndShowsNoSecret() throws {
    let client = try issuer().client
    let plain = try client.beginLogout(redirectURI: Self.redirectURI)
    #expect(try JSONDecoder().decode(PendingLogout.self, from: JSONEncoder().encode(plain)) == plain)
    let pending = try client.beginLogout(idToken: Secret("a.b.c"), redirectURI: Self.redirectURI)
    let written = try JSONEncoder().encode(pending)
    #expect(!String(decoding: written, as: UTF8.self).contains("a.b.c"))
    let read = try JSONDecoder().decode(PendingLogout.self, from: written)
    #expect(read.state == pending.state && !read.logoutURL.absoluteString.contains("id_token_hint"))
    let callback = try #require(URL(string: "\(Self.redirectURI)?state=\(read.state?.reveal() ?? "")"))
    try client.completeLogout(read, callback: callback)
    var dumped = ""
    dump(pending, to: &dumped)
    let state = try #require(pending.state?.reveal())
    for text in ["\(pending)", String(reflecting: pending), dumped] {
      #expect(!text.contains("a.b.c") && !text.contains(state), "\(text)")
    }
  }

  @Test(
    "The callback must be the redirect URI with the state, once",
    arguments: [
      ("https://app.example/signed-out?state=STATE", nil), ("https://app.example/signed-out?state=STATE&x=1", nil),
      ("https://app.example/signed-out?state=other", OAuthError.Code.stateMismatch),
      ("https://app.example/signed-out", .stateMismatch), ("https://app.example/signed-out?state=", .stateMismatch),
      ("https://app.example/signed-out?state=STATE&state=STATE", .invalidCallback),
      ("https://evil.example/signed-out?state=STATE", .invalidCallback),
      ("https://app.example/other?state=STATE", .invalidCallback),
      ("https://app.example:443/signed-out?state=STATE#_", nil),
      ("https://app.example/signed-out?state=STATE&x=5%", nil),
      ("https://app.example/signed-out?state=STATE#state=STATE", .invalidCallback),
    ] as [(String, OAuthError.Code?)])
  func callbackIsCompared(_ callback: String, _ code: OAuthError.Code?) async throws {
    let client = try issuer().client
    let pending = try client.beginLogout(redirectURI: Self.redirectURI)
    let url = callback.replacing("STATE", with: pending.state?.reveal() ?? "")
    try await expect(code) { try client.completeLogout(pending, callback: #require(URL(callback: url))) }
  }

  @Test func requestThatCannotWorkIsNotMade() async throws {
    try await expect(.unsupported) { _ = try SigningIssuer().client.beginLogout() }
    for redirectURI in [
      URL(literal: "http://app.example/"), URL(literal: "https://app.example/#a"),
      URL(literal: "urn:ietf:wg:oauth:2.0:oob"),
    ] {
      try await expect(.invalidConfiguration) { _ = try issuer().client.beginLogout(redirectURI: redirectURI) }
    }
  }

  private struct SignedIn {
    let sandbox: Sandbox
    let account: OAuthAccount
    let transport: StubTransport
  }

  private func signedIn(_ change: (inout ServerMetadata) -> Void = { _ in }) async throws -> SignedIn {
    let clock = ManualClock()
    var client = Sandbox.Client.native
    client.postLogoutRedirectURIs = ["https://app.example/signed-out"]
    let sandbox = Sandbox(clock: clock) {
      $0.clients = [client]
      $0.idTokenAlgorithm = .es256
    }
    let transport = StubTransport { await sandbox.respond(to: $0) }
    var provider = sandbox.provider()
    change(&provider.server)
    let oauth = try OAuthClient(
      provider: provider, registration: ClientRegistration(clientID: client.id), transport: transport, clock: clock)
    let account = OAuthAccount(
      client: oauth, storage: InMemoryTokenStorage(), account: "me", scopes: ["openid"],
      userAgent: sandbox.approvingUser)
    try await account.authorize()
    return SignedIn(sandbox: sandbox, account: account, transport: transport)
  }

  @Test func accountSignsOutHereAndThere() async throws {
    let signedIn = try await signedIn()
    let idToken = try #require(try await signedIn.account.storedToken?.idToken)
    let pending = try await signedIn.account.beginLogout(redirectURI: Self.redirectURI, sendingIDToken: true)
    #expect(pending.logoutURL.absoluteString.contains("id_token_hint=\(idToken.reveal())"))
    #expect(try await signedIn.account.storedToken == nil)
    #expect(signedIn.sandbox.requestCount(.revocation) == 2)
    let callback = try #require(try await signedIn.sandbox.signOut(at: pending.logoutURL))
    try signedIn.account.client.completeLogout(pending, callback: callback)
    #expect(signedIn.sandbox.log.count { $0.kind == .userSignedOut } == 1)
    #expect(signedIn.transport.requests.allSatisfy { $0.url.path() != "/logout" }, "the browser goes there")
  }

  @Test func accountSignsOutWithoutRevokingOrAHint() async throws {
    let signedIn = try await signedIn()
    let pending = try await signedIn.account.beginLogout(logoutHint: "s 1", revoking: false)
    #expect(pending.logoutURL.query() == "client_id=almanac&logout_hint=s+1", "no token unless the caller says so")
    #expect(try await signedIn.account.storedToken == nil)
    #expect(signedIn.sandbox.requestCount(.revocation) == 0)
    let unable = try await self.signedIn { $0.revocationEndpoint = nil }
    _ = try await unable.account.beginLogout()
    #expect(try await unable.account.storedToken == nil)
  }

  @Test func failureKeepsTheTokens() async throws {
    let unsupported = try await signedIn { $0.endSessionEndpoint = nil }
    try await expect(.unsupported) { _ = try await unsupported.account.beginLogout() }
    #expect(try await unsupported.account.storedToken != nil)
    let elsewhere = try await signedIn { $0.revocationEndpoint = URL(literal: "https://sandbox.invalid/nowhere") }
    await #expect(throws: OAuthError.self) { _ = try await elsewhere.account.beginLogout() }
    #expect(try await elsewhere.account.storedToken != nil)
  }
}
