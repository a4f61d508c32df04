// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import Testing
import TokenStore

@Suite struct ProviderTests {
  @Test(arguments: [
    Provider.google, .apple, .discord, .dropbox, .facebook, .gitHub, .gitLab, .linkedIn, .meetup, .slack, .slackUser,
    .spotify, .twitch, .zoom, try? .microsoft(tenant: "72f988bf-86f1-41af-91ab-2d7cd011db47"),
  ])
  func presetIsSound(_ provider: Provider?) async throws {
    let provider = try #require(provider)
    // Its endpoints are https, and its issuer is a URL as RFC 8414 § 2 wants it.
    let client = try OAuthClient(
      provider: provider, registration: ClientRegistration(clientID: "app", secret: Secret("s")),
      transport: StubTransport())
    let issuer = try #require(URL(string: provider.server.issuer))
    #expect(issuer.scheme == "https" && issuer.query() == nil && issuer.fragment() == nil)
    let pending = try await client.beginAuthorization(
      scopes: ["a"], redirectURI: Fixtures.redirect)
    #expect(Origin(pending.authorizationURL) == provider.server.authorizationEndpoint.flatMap { Origin($0) })
  }

  @Test func googleIsAskedForARefreshToken() throws {
    #expect(Provider.google.authorizationParameters["access_type"] == "offline")
    #expect(Provider.google.authorizationParameters.prompt == [.consent])
  }

  @Test func hostedProviderKeepsItsPaths() throws {
    for address in ["https://git.example/team", "https://git.example/team/"] {
      let server = Provider.gitLab.hosted(at: try #require(URL(string: address))).server
      #expect(server.issuer == "https://git.example/team")
      #expect(server.authorizationEndpoint?.absoluteString == "https://git.example/team/oauth/authorize")
      #expect(server.revocationEndpoint?.absoluteString == "https://git.example/team/oauth/revoke")
      #expect(server.jwksURI?.absoluteString == "https://git.example/team/oauth/discovery/keys")
      #expect(server.deviceAuthorizationEndpoint == nil)
    }
    let gitHub = Provider.gitHub.hosted(at: try #require(URL(string: "https://git.example"))).server
    #expect(gitHub.issuer == "https://git.example/login/oauth")
  }

  @Test(arguments: ["common", "", "../evil", "72f988bf"])
  func tenantThatIsNoUUIDIsRefused(_ tenant: String) {
    let error = #expect(throws: OAuthError.self) { try Provider.microsoft(tenant: tenant) }
    #expect(error?.code == .invalidConfiguration)
  }
}
