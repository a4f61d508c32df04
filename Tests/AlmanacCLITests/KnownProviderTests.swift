// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacCLI
import AlmanacTesting
import Foundation
import OAuthCore
import Testing

/// The API of a named provider, and the scopes that a first sign-in requests there.
@Suite struct KnownProviderTests {
  private func known(_ arguments: [String]) async throws -> KnownProvider {
    let command = try #require(Command.all.first { $0.name == "calendars" })
    return try await ServerChoice(try Arguments(arguments, for: command), stored: nil).resolved(over: StubTransport())
  }

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
    let known = try await known(["--provider", name])
    #expect(
      known.provider.name == provider.name && known.provider.server.tokenEndpoint == provider.server.tokenEndpoint)
    #expect(known.apiURL?.absoluteString == api)
    #expect(known.defaultScopes == scopes)
    // Names like Google's short ones are sent unchanged.
    #expect(known.scopes(named: ["calendar"], stored: nil) == ["calendar"])
  }

  @Test func microsoftIsKnownByItsTenant() async throws {
    let known = try await known(["--provider", "microsoft", "--tenant", "11111111-2222-3333-4444-555555555555"])
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
    #expect(try await known(["--provider", "github", "--api-url", url]).apiURL?.absoluteString == expected)
  }

  @Test func apiOfAHostedProviderIsBelowItsURL() async throws {
    let known = try await known(["--provider", "gitlab", "--provider-url", "https://git.example"])
    #expect(known.apiURL?.absoluteString == "https://git.example/api/v4/")
    #expect(known.provider.server.tokenEndpoint.host() == "git.example")
    #expect(known.defaultScopes == ["openid", "profile", "email"])
  }
}
