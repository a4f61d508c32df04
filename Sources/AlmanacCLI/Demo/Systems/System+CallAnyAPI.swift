import Almanac
import AlmanacSandbox
import CalendarAPI
import HTTPTransport
import LoopbackHTTP
import OAuthCore
import OpenIDConnect
import TokenStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension SystemsDemo.System {
  static let callAnyAPI = Self(
    name: "English tutorial",
    replaces: "a class with two token files, a call for any address and verb, the person's profile, and revocation"
  ) { _, claims in
    // As at Google, the answer to a refresh omits the refresh token.
    try await DemoWorld.with(configuration: .init(rotatesRefreshTokens: false)) { world in
      try await world.google.authorize()
      try await keepRefreshToken(world, &claims)
      try await heal(world, &claims)
      try await readProfile(world, &claims)
      try await callAnything(world, &claims)
      try await signInAgain(world, &claims)
    }
  }

  private static func keepRefreshToken(_ world: DemoWorld, _ claims: inout Claims) async throws {
    let before = try await world.storage.token(for: "demo")
    world.clock.advance(by: .seconds(3600))
    try await world.google.authorize()
    let after = try await world.storage.token(for: "demo")
    try claims.check(
      world.count(.tokenRefreshed) == 1 && after?.accessToken != before?.accessToken,
      "an expired token is refreshed without asking the person")
    try claims.check(
      after?.refreshToken != nil && after?.refreshToken == before?.refreshToken,
      "and the refresh token is kept, though the answer had none")
  }

  private static func heal(_ world: DemoWorld, _ claims: inout Claims) async throws {
    world.sandbox.invalidateAccessTokens()
    let before = (refreshes: world.count(.tokenRefreshed), rejections: world.exchanges.all.count { $0.status == 401 })
    _ = try await world.google.calendar.colors.get()
    let after = (refreshes: world.count(.tokenRefreshed), rejections: world.exchanges.all.count { $0.status == 401 })
    try claims.check(
      after.refreshes - before.refreshes == 1 && after.rejections - before.rejections == 1,
      "401 Invalid Credentials leads to one refresh and one more try, which succeeds")
  }

  private static func readProfile(_ world: DemoWorld, _ claims: inout Claims) async throws {
    let person = world.sandbox.configuration.person
    let profile = try await world.google.profile()
    try claims.check(
      profile.name == person.name && profile.email == person.email, "the profile from userinfo: \(person.name)")
    guard let idToken = try await world.storage.token(for: "demo")?.idToken else {
      throw DemoFailure("there is an ID token")
    }
    let verifier = IDTokenVerifier(
      client: world.google.authorization.client, transport: world.http, clock: world.clock)
    let claimed = try await verifier.claims(of: idToken, nonce: nil)
    try claims.check(claimed.subject == profile.subject, "the same person from the ID token, its signature verified")
  }

  private static func callAnything(_ world: DemoWorld, _ claims: inout Claims) async throws {
    struct List: Decodable {
      struct Item: Decodable { let summary: String }
      let items: [Item]
    }
    let base = world.server.url.absoluteString + "/"
    let http = world.google.transport()
    let list: List = try await http.call(
      .get, base + "calendar/v3/users/me/calendarList", query: ["maxResults": "3", "minAccessRole": "owner"])
    try claims.check(list.items.count == 3, "one call takes any address, verb and parameters, and decodes the answer")
    let picture = try await http.call(.get, base + "picture.svg").body
    try claims.check(!picture.isEmpty, "or hands over the bytes")
    try await claims.check("or says with which status the server refused") {
      try await http.call(.get, base + "calendar/v3/nothing")
    } with: { (error: CallError) in
      error.code == .refused && error.response?.status == 404
    }
    try await claims.check("and no other server than those named ever sees the token") {
      try await http.call(.get, "https://api.example/")
    } with: { (error: OAuthError) in
      error.code == .originNotAllowed
    }
  }

  private static func signInAgain(_ world: DemoWorld, _ claims: inout Claims) async throws {
    world.sandbox.revokeGrants()
    try await claims.check("invalid_grant says that the person has to sign in again") {
      _ = try await world.google.calendar.colors.get()
    } with: { (error: OAuthError) in
      error.code == .signInRequired && error.serverCode == "invalid_grant"
    }
    let before = world.count(.codeRedeemed)
    try await world.google.authorize()
    try claims.check(world.count(.codeRedeemed) == before + 1, "and authorizing leads back to the sign-in")
    try await world.google.revoke()
    let isGone = try await world.storage.token(for: "demo") == nil
    try claims.check(isGone, "revoking removes what is stored")
  }
}
