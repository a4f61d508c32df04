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
}
