// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacCLI
import AlmanacTesting
import CalendarAPI
import Foundation
import OAuthCore
import Testing

/// The API of a named provider, and the scopes of a first sign-in.
@Suite struct KnownProviderTests {
  private func known(_ arguments: [String]) async throws -> KnownProvider {
    let command = try #require(Command.all.first { $0.name == "calendars" })
    return try await ServerChoice(try Arguments(arguments, for: command), stored: nil).resolved(over: StubTransport())
  }

  /// The presets without a name: Apple posts its response to an https URL, and those of a customer are discovered by `--issuer`.
  private static let unknown: Set = ["apple", "auth0", "keycloak", "okta"]

  @Test func everyPresetIsKnown() throws {
    let folder = URL(filePath: #filePath).appending(path: "../../../Sources/OAuthCore/Providers").standardized
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path())
    let presets = files.compactMap { $0.wholeMatch(of: /Provider\+(\w+)\.swift/).map { $0.1.lowercased() } }
    #expect(Set(KnownProvider.names) == Set(presets).subtracting(["hosted", "quirks"]).subtracting(Self.unknown))
  }

  @Test(arguments: KnownProvider.names) func knownProviderHasAnAPIAndScopes(_ name: String) async throws {
    let tenant = name == "microsoft" ? ["--tenant", "11111111-2222-3333-4444-555555555555"] : []
    let known = try await known(["--provider", name] + tenant)
    #expect(known.provider.name.lowercased() == name)
    let api = try #require(known.apiURL)
    #expect(api.scheme == "https" && api.path().hasSuffix("/") && !known.defaultScopes.isEmpty)
    // Only Google's scopes have short names; others are sent unchanged.
    #expect(known.scopes(named: ["calendar"], stored: nil) == [name == "google" ? .calendar : "calendar"])
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
