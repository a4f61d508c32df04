import Almanac
import AlmanacSandbox
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
  static let otherProvider = Self(
    name: "OAuth primer",
    replaces: "a web view per provider, a member's number scraped from a page, and a profile read key by key"
  ) { _, claims in
    try await DemoWorld.with { world in
      try await signInAtMeetup(world, &claims)
      try await world.google.authorize()
      let profile = try await world.google.profile()
      try claims.check(
        profile.name == world.sandbox.configuration.person.name,
        "the same code signs in at Google and reads the profile")
    }
  }

  /// A member, as the primer wanted it.
  private struct Member: Decodable {
    struct Photo: Decodable {
      let link: URL
      enum CodingKeys: String, CodingKey { case link = "photo_link" }
    }
    struct Topic: Decodable {
      let id: Int
      let name: String
      let urlkey: String
    }
    let id: Int
    let name: String
    let city: String
    let country: String
    let photo: Photo?
    let topics: [Topic]
  }

  private static func signInAtMeetup(_ world: DemoWorld, _ claims: inout Claims) async throws {
    let api = world.sandbox.meetupURL(at: world.server.url)
    guard case .clientSecretPost(let secret) = Sandbox.Client.meetup.authentication else {
      throw DemoFailure("the client has a secret")
    }
    let client = try OAuthClient(
      provider: Provider.meetup.hosted(at: api),
      registration: ClientRegistration(clientID: Sandbox.Client.meetup.id, authentication: .clientSecretPost(secret)),
      transport: world.http, clock: world.clock)
    let account = OAuthAccount(
      client: client, storage: world.storage, name: "meetup", scopes: ["basic"],
      userAgent: DemoWorld.browser())
    try await account.authorize()
    let token = try await account.storedToken
    try claims.check(token?.tokenType == "bearer", "Meetup's like gives a token of the type bearer, in lower case")
    try claims.check(
      token?.idToken == nil && token?.scopes == ["basic"],
      "no ID token and no scope: what was asked for is what was granted")

    let http = account.transport(to: api)
    let member: Member = try await http.call(.get, api.appending(path: "2/member/self"))
    try claims.check(
      !member.city.isEmpty && !member.country.isEmpty && member.photo != nil && !member.topics.isEmpty,
      "\(member.name) of \(member.city), \(member.country), with a photo, likes "
        + member.topics.map(\.name).joined(separator: ", "))

    world.clock.advance(by: .seconds(3600))
    let again: Member = try await http.call(.get, api.appending(path: "2/member/self"))
    try claims.check(again.id == member.id && world.count(.tokenRefreshed) == 1, "an hour later it is refreshed, once")
    try await claims.check("the token is good for nothing else") {
      try await http.call(.get, world.server.url.appending(path: "calendar/v3/colors"))
    } with: { (error: CallError) in
      error.response?.status == 401
    }
  }
}
