// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthFixtures
import Testing
import TokenStore

@Suite struct ProviderTests {
  /// The presets with fixed endpoints: those with a dialect, and those with tests of their own.
  private static let fixed =
    (ProviderDialectTests.subjects.map(\.provider) + [
      .apple, try? .microsoft(tenant: "72f988bf-86f1-41af-91ab-2d7cd011db47"),
    ]).compactMap(\.self)

  @Test func everyPresetIsTested() throws {
    let folder = URL(filePath: #filePath).appending(path: "../../../Sources/OAuthCore/Providers").standardized
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path())
    let presets = files.compactMap { $0.wholeMatch(of: /Provider\+(\w+)\.swift/).map { String($0.1) } }
    #expect(Set(Self.fixed.map(\.name) + Self.hosted.map(\.name)) == Set(presets).subtracting(["Hosted", "Quirks"]))
  }

  @Test(arguments: fixed) func presetIsSound(_ provider: Provider) async throws {
    // Its endpoints are https, and its issuer is a URL as RFC 8414 § 2 wants it.
    let client = try OAuthClient(
      provider: provider, registration: ClientRegistration(clientID: "app", secret: Secret("s")),
      transport: StubTransport())
    let issuer = try #require(URL(string: provider.server.issuer))
    #expect(issuer.scheme == "https" && issuer.query() == nil && issuer.fragment() == nil)
    let pending = try await client.begin(["a"])
    #expect(Origin(pending.authorizationURL) == provider.server.authorizationEndpoint.flatMap { Origin($0) })
  }

  @Test func endpointsOfATenantAreBelowItsIdentifier() throws {
    let id = "72f988bf-86f1-41af-91ab-2d7cd011db47"
    let provider = try Provider.microsoft(tenant: id.uppercased())
    #expect(provider.quirks.assertionAudience == .tokenEndpoint)
    let server = provider.server
    let base = "https://login.microsoftonline.com/\(id)"
    #expect(server.issuer == "\(base)/v2.0")
    #expect(server.authorizationEndpoint?.absoluteString == "\(base)/oauth2/v2.0/authorize")
    #expect(server.tokenEndpoint.absoluteString == "\(base)/oauth2/v2.0/token")
    #expect(server.jwksURI?.absoluteString == "\(base)/discovery/v2.0/keys")
    #expect(server.deviceAuthorizationEndpoint?.absoluteString == "\(base)/oauth2/v2.0/devicecode")
    #expect(server.userinfoEndpoint?.absoluteString == "https://graph.microsoft.com/oidc/userinfo")
    #expect(server.tokenEndpointAuthMethodsSupported == ["client_secret_post", "private_key_jwt"])
  }

  @Test func onlyGoogleAcceptsTheSubjectAsALoginHint() {
    #expect(Provider.google.quirks.acceptsSubjectAsLoginHint && !Provider.gitLab.quirks.acceptsSubjectAsLoginHint)
  }

  @Test func hostedProviderKeepsItsPaths() throws {
    for address in ["https://git.example/team", "https://git.example/team/"] {
      let server = Provider.gitLab.hosted(at: try #require(URL(string: address))).server
      #expect(server.issuer == "https://git.example/team")
      #expect(server.authorizationEndpoint?.absoluteString == "https://git.example/team/oauth/authorize")
      #expect(server.revocationEndpoint?.absoluteString == "https://git.example/team/oauth/revoke")
      #expect(server.jwksURI?.absoluteString == "https://git.example/team/oauth/discovery/keys")
      #expect(
        server.deviceAuthorizationEndpoint?.absoluteString == "https://git.example/team/oauth/authorize_device")
    }
    let gitHub = Provider.gitHub.hosted(at: try #require(URL(string: "https://git.example"))).server
    #expect(gitHub.issuer == "https://git.example/login/oauth")
  }

  @Test func hostedProviderMovesEveryEndpointAndKeepsNoOtherName() throws {
    var provider = Provider.google
    provider.server.mtlsEndpointAliases = ["token_endpoint": URL(literal: "https://mtls.example/token")]
    provider.server.introspectionEndpoint = URL(literal: "https://a.example/introspect")
    let server = provider.hosted(at: URL(literal: "https://b.example")).server
    #expect(server.issuer == "https://b.example" && server.issuerAliases.isEmpty)
    #expect(server.tokenEndpoint.absoluteString == "https://b.example/token")
    #expect(server.userinfoEndpoint?.absoluteString == "https://b.example/v1/userinfo")
    #expect(server.introspectionEndpoint?.absoluteString == "https://b.example/introspect")
    #expect(server.mtlsEndpointAliases == ["token_endpoint": URL(literal: "https://b.example/token")])
    let encoded = Provider(
      name: "Login",
      server: ServerMetadata(
        issuer: "https://a.example/my%2Frealm", tokenEndpoint: URL(literal: "https://a.example/my%2Frealm/token")))
    let moved = encoded.hosted(at: URL(literal: "https://b.example/")).server
    #expect(moved.issuer == "https://b.example/my%2Frealm")
    #expect(moved.tokenEndpoint.absoluteString == "https://b.example/my%2Frealm/token")
  }

  /// The provider of a customer, by its name and issuer.
  private typealias Hosted = (
    discover: @Sendable (StubTransport) async throws -> Provider, name: String, issuer: String, url: String
  )

  private static let hosted: [Hosted] = [
    (
      { try await .keycloak(at: URL(literal: "https://id.example/auth"), realm: "my realm", transport: $0) },
      "Keycloak", "https://id.example/auth/realms/my%20realm", "https://id.example/auth/realms/my%20realm"
    ),
    (
      { try await .keycloak(at: URL(literal: "https://id.example/auth/"), realm: "a", transport: $0) }, "Keycloak",
      "https://id.example/auth/realms/a", "https://id.example/auth/realms/a"
    ),
    (
      { try await .okta(domain: "a.example", transport: $0) }, "Okta", "https://a.example/oauth2/default",
      "https://a.example/oauth2/default"
    ),
    (
      { try await .okta(domain: "a.example", authorizationServer: nil, transport: $0) }, "Okta", "https://a.example",
      "https://a.example"
    ),
    (
      { try await .okta(domain: "a.example", authorizationServer: "b", transport: $0) }, "Okta",
      "https://a.example/oauth2/b", "https://a.example/oauth2/b"
    ),
    ({ try await .auth0(domain: "A.example", transport: $0) }, "Auth0", "https://A.example/", "https://a.example"),
  ]

  @Test func providersOfACustomerAreDiscoveredAtTheirIssuer() async throws {
    for (discover, name, issuer, url) in Self.hosted {
      let transport = StubTransport { _ in
        Fixtures.json(#"{"issuer":"\#(issuer)","token_endpoint":"https://login.example/token"}"#)
      }
      let provider = try await discover(transport)
      #expect(provider.name == name && provider.server.issuer == issuer && provider.quirks == Provider.Quirks())
      #expect(provider.authorizationParameters == [:])
      #expect(transport.requests.first?.url.absoluteString == "\(url)/.well-known/openid-configuration")
    }
    let auth0 = try await Provider.auth0(
      domain: "a.example", audience: "api",
      transport: StubTransport { _ in
        Fixtures.json(#"{"issuer":"https://a.example/","token_endpoint":"https://a.example/token"}"#)
      })
    #expect(auth0.authorizationParameters == ["audience": "api"])
  }

  @Test(arguments: ["common", "", "../evil", "72f988bf"])
  func tenantThatIsNoUUIDIsRefused(_ tenant: String) async {
    await expectError(.invalidConfiguration) { try Provider.microsoft(tenant: tenant) }
  }
}
