// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacCLI
import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import Testing

@Suite struct ServerChoiceTests {
  private let metadata = StubTransport { _ in
    HTTPResponse(
      status: 200, fields: ["Content-Type": "application/json"],
      body: Array(
        """
        {"issuer":"https://id.example","authorization_endpoint":"https://id.example/auth",
        "token_endpoint":"https://id.example/token","response_types_supported":["code"]}
        """.utf8))
  }

  private func choice(_ arguments: String..., stored: ServerChoice? = nil) throws -> ServerChoice {
    let command = try #require(Command.all.first { $0.name == "calendars" })
    return ServerChoice(try Arguments(arguments, for: command), stored: stored)
  }

  @Test func tokenOfAnotherIssuerDoesNotGoToGoogle() async throws {
    let known = try await choice("--issuer", "https://id.example").resolved(over: metadata)
    #expect(known.apiURL == nil)
  }

  @Test func apiIsTheOneThatIsNamedAndRemembered() async throws {
    let named = try choice("--issuer", "https://id.example", "--api-url", "https://api.example")
    let known = try await named.resolved(over: metadata)
    #expect(known.apiURL?.absoluteString == "https://api.example/")
    #expect(try choice("--issuer", "https://id.example", stored: named) == named)
    #expect(try choice("--issuer", "https://id.example/", stored: named).apiURL != nil, "it is the same issuer")
    #expect(try choice("--issuer", "https://other.example", stored: named).apiURL == nil, "it has another API")
  }

  /// A sign-in at the server alone is another one.
  @Test(arguments: [
    ("https://id.example", false, true), ("https://id.example/", false, true), ("https://id.example", true, false),
    ("https://other.example", false, false),
  ])
  func issuerNamesAResourcesAccount(_ issuer: String, _ isSignIn: Bool, _ isStored: Bool) throws {
    let data = #"{"issuer":"https://id.example","resource":"https://api.example","apiURL":"https://api.example"}"#
    let stored = try JSONDecoder().decode(ServerChoice.self, from: Data(data.utf8))
    let command = try #require(Command.all.first { $0.name == "token" })
    let arguments = try Arguments(["--issuer", issuer], for: command)
    #expect(ServerChoice(arguments, stored: stored, isSignIn: isSignIn).isSame(as: stored) == isStored)
  }

  @Test func scopesOfAnIssuerAreSentAsTheyAreGiven() async throws {
    let known = try await choice("--issuer", "https://id.example").resolved(over: metadata)
    #expect(known.scopes(named: ["calendar", "offline_access"], stored: nil) == ["calendar", "offline_access"])
    #expect(known.scopes(named: [], stored: nil) == [], "it has no keys, so it is no OpenID provider")
    let google = try await choice().resolved(over: metadata)
    #expect(google.scopes(named: ["calendar"], stored: nil) == [.calendar])
    #expect(google.scopes(named: [], stored: nil) == [.openID, .email, .profile, .calendarReadOnly])
  }

  @Test func storedScopesAreRequestedAgainUnlessOthersAreNamed() async throws {
    let google = try await choice().resolved(over: metadata)
    #expect(google.scopes(named: [], stored: ["openid"]) == ["openid"])
    #expect(google.scopes(named: ["email"], stored: ["openid"]) == ["email"])
  }

  @Test(arguments: ["https://accounts.google.com", "https://accounts.google.com/"])
  func googleAsAnIssuerIsTheKnownGoogle(_ issuer: String) async throws {
    let known = try await choice("--issuer", issuer).resolved(over: StubTransport())
    #expect(known.provider.authorizationParameters == Provider.google.authorizationParameters)
    #expect(known.provider.server.issuerAliases == ["accounts.google.com"])
    #expect(known.apiURL == GoogleServices.production.apiURL)
  }

  // MARK: Named providers

  @Test(
    arguments: [
      ("discord", .discord, "https://discord.com/api/v10/", ["identify"]),
      ("dropbox", .dropbox, "https://api.dropboxapi.com/2/", ["account_info.read"]),
      ("facebook", .facebook, "https://graph.facebook.com/v23.0/", ["public_profile"]),
      ("github", .gitHub, "https://api.github.com/", ["read:user"]),
      ("gitlab", .gitLab, "https://gitlab.com/api/v4/", ["openid", "profile", "email"]),
      ("linkedin", .linkedIn, "https://api.linkedin.com/v2/", ["openid", "profile", "email"]),
      ("meetup", .meetup, "https://api.meetup.com/", ["basic"]),
      ("slack", .slack, "https://slack.com/api/", ["users:read"]),
      ("spotify", .spotify, "https://api.spotify.com/v1/", ["user-read-private"]),
      ("twitch", .twitch, "https://api.twitch.tv/helix/", ["user:read:email"]),
      ("zoom", .zoom, "https://api.zoom.us/v2/", ["user:read:user"]),
    ] as [(String, Provider, String, [Scope])])
  func providerIsKnownByItsName(_ name: String, _ provider: Provider, _ api: String, _ scopes: [Scope]) async throws {
    let known = try await choice("--provider", name).resolved(over: StubTransport())
    #expect(
      known.provider.name == provider.name && known.provider.server.tokenEndpoint == provider.server.tokenEndpoint)
    #expect(known.apiURL?.absoluteString == api)
    #expect(known.defaultScopes == scopes)
    // Names like Google's short ones are sent unchanged.
    #expect(known.scopes(named: ["calendar"], stored: nil) == ["calendar"])
  }

  @Test func microsoftIsKnownByItsTenant() async throws {
    let known = try await choice("--provider", "microsoft", "--tenant", "11111111-2222-3333-4444-555555555555")
      .resolved(over: StubTransport())
    #expect(known.provider.server.tokenEndpoint.absoluteString.contains("/11111111-2222-3333-4444-555555555555/"))
    #expect(known.apiURL?.absoluteString == "https://graph.microsoft.com/v1.0/")
    #expect(known.defaultScopes == ["openid", "profile", "email", "offline_access", "User.Read"])
  }

  @Test(arguments: [
    ("https://api.example", "https://api.example/"), ("https://api.example/", "https://api.example/"),
    ("https://api.example/v1", "https://api.example/v1/"), ("https://api.example/v1/", "https://api.example/v1/"),
    ("http://127.0.0.1:8080", "http://127.0.0.1:8080/"),
  ])
  func apiEndsWithASlash(_ url: String, _ expected: String) async throws {
    #expect(
      try await choice("--provider", "github", "--api-url", url).resolved(over: StubTransport()).apiURL?.absoluteString
        == expected)
  }

  @Test func apiOfAHostedProviderIsBelowItsURL() async throws {
    let known = try await choice("--provider", "gitlab", "--provider-url", "https://git.example").resolved(
      over: StubTransport())
    #expect(known.apiURL?.absoluteString == "https://git.example/api/v4/")
    #expect(known.provider.server.tokenEndpoint.host() == "git.example")
    #expect(known.defaultScopes == ["openid", "profile", "email"])
  }
}
