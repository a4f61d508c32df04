// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacSandbox
import CalendarAPI
import HTTPTransport
import LoopbackHTTP
import OAuthCore
import OpenIDConnect
import PlatformFoundation
import TokenStore

extension SystemsDemo.System {
  static let callAnyAPI = Self(
    name: "English tutorial",
    replaces: "a class with two token files, a call for any URL and verb, the user's profile, and revocation"
  ) { _, checks in
    // As with Google, the response to a refresh omits the refresh token.
    try await DemoEnvironment.with(configuration: .init { $0.rotatesRefreshTokens = false }) { demo in
      try await demo.google.authorize()
      try await keepRefreshToken(demo, &checks)
      try await retryAfterRejection(demo, &checks)
      try await readProfile(demo, &checks)
      try await callAnything(demo, &checks)
      try await signInAgain(demo, &checks)
    }
  }

  private static func keepRefreshToken(_ demo: DemoEnvironment, _ checks: inout Checks) async throws {
    let before = try await demo.google.oauthAccount.storedToken
    demo.clock.advance(by: .seconds(3600))
    try await demo.google.authorize()
    let after = try await demo.google.oauthAccount.storedToken
    try checks.expect(
      demo.count(.tokenRefreshed) == 1 && after?.accessToken != before?.accessToken,
      "an expired token is refreshed without asking the user")
    try checks.expect(
      after?.refreshToken != nil && after?.refreshToken == before?.refreshToken,
      "and the refresh token is kept, though the response has none")
  }

  private static func retryAfterRejection(_ demo: DemoEnvironment, _ checks: inout Checks) async throws {
    demo.sandbox.invalidateAccessTokens()
    let before = (refreshes: demo.count(.tokenRefreshed), rejections: demo.exchanges.all.count { $0.status == 401 })
    _ = try await demo.google.calendar.colors.get()
    let after = (refreshes: demo.count(.tokenRefreshed), rejections: demo.exchanges.all.count { $0.status == 401 })
    try checks.expect(
      after.refreshes - before.refreshes == 1 && after.rejections - before.rejections == 1,
      "401 Invalid Credentials leads to one refresh and one more try, which succeeds")
  }

  private static func readProfile(_ demo: DemoEnvironment, _ checks: inout Checks) async throws {
    let user = demo.sandbox.configuration.user
    let profile = try await demo.google.profile()
    try checks.expect(
      profile.name == user.name && profile.email == user.email, "the profile from userinfo: \(user.name)")
    guard let idToken = try await demo.google.oauthAccount.storedToken?.idToken else {
      throw DemoFailure("there is an ID token")
    }
    let verifier = IDTokenVerifier(
      client: demo.google.oauthAccount.client, transport: demo.http, clock: demo.clock)
    let idClaims = try await verifier.claims(of: idToken, nonce: nil)
    try checks.expect(idClaims.subject == profile.subject, "the same user from the ID token, its signature verified")
  }

  private static func callAnything(_ demo: DemoEnvironment, _ checks: inout Checks) async throws {
    struct List: Decodable {
      struct Item: Decodable { let summary: String }
      let items: [Item]
    }
    let base = demo.server.url.absoluteString + "/"
    let http = demo.google.transport()
    let list: List = try await http.call(
      .get, base + "calendar/v3/users/me/calendarList", query: ["maxResults": "3", "minAccessRole": "owner"])
    try checks.expect(list.items.count == 3, "one call takes any URL, verb and parameters, and decodes the response")
    let picture = try await http.call(.get, base + "picture.png").body
    try checks.expect(!picture.isEmpty, "or hands over the bytes")
    try await checks.expect("or says with which status the server refused") {
      try await http.call(.get, base + "calendar/v3/nothing")
    } with: { (error: CallError) in
      error.code == .refused && error.response?.status == 404
    }
    try await checks.expect("and no other server than those named ever sees the token") {
      try await http.call(.get, "https://api.example/")
    } with: { (error: OAuthError) in
      error.code == .originNotAllowed
    }
  }

  private static func signInAgain(_ demo: DemoEnvironment, _ checks: inout Checks) async throws {
    demo.sandbox.revokeGrants()
    try await checks.expect("invalid_grant means that the user has to sign in again") {
      _ = try await demo.google.calendar.colors.get()
    } with: { (error: OAuthError) in
      error.code == .signInRequired && error.serverCode == "invalid_grant"
    }
    let before = demo.count(.codeRedeemed)
    try await demo.google.authorize()
    try checks.expect(demo.count(.codeRedeemed) == before + 1, "and authorizing leads back to the sign-in")
    try await demo.google.revoke()
    let isGone = try await demo.google.oauthAccount.storedToken == nil
    try checks.expect(isGone, "revoking removes what is stored")
  }
}
