// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacSandbox
import HTTPTransport
import LoopbackHTTP
import OAuthCore
import OpenIDConnect
import PlatformFoundation
import TokenStore

extension SystemsDemo.System {
  static let otherProvider = Self(
    name: "OAuth primer",
    replaces: "a web view per provider, a member's number scraped from a page, and a profile read key by key"
  ) { _, checks in
    try await DemoEnvironment.with { demo in
      try await signInAtMeetup(demo, &checks)
      try await demo.google.authorize()
      let profile = try await demo.google.profile()
      try checks.expect(
        profile.name == demo.sandbox.configuration.user.name,
        "the same code signs in at Google and reads the profile")
    }
  }

  /// A member of Meetup, with the fields read by the primer.
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

  private static func signInAtMeetup(_ demo: DemoEnvironment, _ checks: inout Checks) async throws {
    let api = demo.sandbox.meetupURL(at: demo.server.url)
    guard case .clientSecretPost(let secret) = Sandbox.Client.meetup.authentication else {
      throw DemoFailure("the client has a secret")
    }
    let client = try OAuthClient(
      provider: Provider.meetup.hosted(at: api),
      registration: ClientRegistration(clientID: Sandbox.Client.meetup.id, authentication: .clientSecretPost(secret)),
      transport: demo.http, clock: demo.clock)
    let account = OAuthAccount(
      client: client, storage: demo.storage, account: "meetup", scopes: ["basic"],
      userAgent: DemoEnvironment.browser())
    try await account.authorize()
    let token = try await account.storedToken
    try checks.expect(
      token?.tokenType == "bearer", "a provider like Meetup gives a token of the type bearer, in lower case")
    try checks.expect(
      token?.idToken == nil && token?.scopes == ["basic"],
      "no ID token and no scope: what was requested is what was granted")

    let http = account.transport(for: api)
    let member: Member = try await http.call(.get, api.appending(path: "2/member/self"))
    try checks.expect(
      !member.city.isEmpty && !member.country.isEmpty && member.photo != nil && !member.topics.isEmpty,
      "\(member.name) of \(member.city), \(member.country), with a photo, likes "
        + member.topics.map(\.name).joined(separator: ", "))

    demo.clock.advance(by: .seconds(3600))
    let again: Member = try await http.call(.get, api.appending(path: "2/member/self"))
    try checks.expect(again.id == member.id && demo.count(.tokenRefreshed) == 1, "an hour later it is refreshed, once")
    try await checks.expect("the token is valid for nothing else") {
      try await http.call(.get, demo.server.url.appending(path: "calendar/v3/colors"))
    } with: { (error: CallError) in
      error.response?.status == 401
    }
  }
}
