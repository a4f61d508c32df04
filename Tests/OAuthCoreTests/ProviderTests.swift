import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import Testing

@Suite struct ProviderTests {
  @Test(arguments: [
    Provider.google, .gitHub, .gitLab, .meetup, try? .microsoft(tenant: "72f988bf-86f1-41af-91ab-2d7cd011db47"),
  ])
  func presetIsSound(_ provider: Provider?) async throws {
    let provider = try #require(provider)
    // Its endpoints are https, and its issuer is an address as RFC 8414 § 2 wants it.
    let client = try OAuthClient(
      provider: provider, registration: ClientRegistration(clientID: "app"), transport: StubTransport())
    let issuer = try #require(URL(string: provider.server.issuer))
    #expect(issuer.scheme == "https" && issuer.query() == nil && issuer.fragment() == nil)
    let pending = try await client.beginAuthorization(
      scopes: ["a"], redirectURI: Fixtures.redirect)
    #expect(Origin(pending.authorizationURL) == Origin(provider.server.authorizationEndpoint))
  }

  @Test func googleIsAskedForARefreshToken() throws {
    #expect(Provider.google.authorizationParameters["access_type"] == "offline")
    #expect(Provider.google.authorizationParameters.prompt == [.consent])
  }

  @Test func hostedProviderKeepsItsPaths() throws {
    for address in ["https://git.example/team", "https://git.example/team/"] {
      let server = Provider.gitLab.hosted(at: try #require(URL(string: address))).server
      #expect(server.issuer == "https://git.example/team")
      #expect(server.authorizationEndpoint.absoluteString == "https://git.example/team/oauth/authorize")
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

@Suite struct DiscoveryTests {
  private func metadata(issuer: String, token: String = "https://elsewhere.example/token") -> HTTPResponse {
    Fixtures.json(
      """
      {"issuer":"\(issuer)","authorization_endpoint":"https://login.example/authorize","token_endpoint":"\(token)",
       "authorization_response_iss_parameter_supported":true,"unknown":{"x":[1]}}
      """)
  }

  @Test func endpointsMayLieOnOtherOrigins() async throws {
    let http = StubTransport(metadata(issuer: "https://login.example"))
    let server = try await ServerMetadata.discover(issuer: "https://login.example", transport: http)
    #expect(server.tokenEndpoint.absoluteString == "https://elsewhere.example/token")
    #expect(server.authorizationResponseIssParameterSupported == true)
    #expect(http.requests.map(\.url.absoluteString) == ["https://login.example/.well-known/openid-configuration"])
  }

  // RFC 8414 § 3.1 inserts, OpenID Connect Discovery § 4 appends.
  @Test func pathIsAppendedToAndThenInsertedInto() async throws {
    let http = StubTransport(HTTPResponse(status: 404), metadata(issuer: "https://login.example/tenant/1"))
    _ = try await ServerMetadata.discover(issuer: "https://login.example/tenant/1", transport: http)
    #expect(
      http.requests.map(\.url.absoluteString) == [
        "https://login.example/tenant/1/.well-known/openid-configuration",
        "https://login.example/.well-known/oauth-authorization-server/tenant/1",
      ])
  }

  @Test func addressThatFailedForTheMomentIsNotForgotten() async throws {
    let http = StubTransport(HTTPResponse(status: 503), HTTPResponse(status: 404))
    let error = await #expect(throws: OAuthError.self) {
      try await ServerMetadata.discover(issuer: "https://login.example", transport: http)
    }
    #expect(error?.code == .serverUnavailable)
  }

  @Test(arguments: ["https://evil.example", "https://login.example/"])
  func documentOfAnotherIssuerIsRefused(_ issuer: String) async throws {
    let http = StubTransport(metadata(issuer: issuer))
    let error = await #expect(throws: OAuthError.self) {
      try await ServerMetadata.discover(issuer: "https://login.example", transport: http)
    }
    #expect(error?.code == .issuerMismatch)
  }

  @Test func plainHTTPEndpointIsRefused() async throws {
    let http = StubTransport(metadata(issuer: "https://login.example", token: "http://login.example/token"))
    let error = await #expect(throws: OAuthError.self) {
      try await ServerMetadata.discover(issuer: "https://login.example", transport: http)
    }
    #expect(error?.code == .invalidConfiguration)
  }

  @Test(arguments: ["http://login.example", "login.example", "", "https://login.example?x", "https://login.example#x"])
  func addressThatIsNoIssuerIsNotAsked(_ issuer: String) async throws {
    let http = StubTransport()
    let error = await #expect(throws: OAuthError.self) {
      try await ServerMetadata.discover(issuer: issuer, transport: http)
    }
    #expect(error?.code == .invalidConfiguration)
    #expect(http.requests.isEmpty)
  }

  @Test(arguments: [
    ("<html>", 200, OAuthError.Code.invalidResponse), ("{}", 200, .invalidResponse), ("", 503, .serverUnavailable),
  ])
  func addressWithoutMetadataIsATypedError(_ body: String, _ status: Int, _ code: OAuthError.Code) async throws {
    let answer = Fixtures.json(body, status: status)
    let error = await #expect(throws: OAuthError.self) {
      try await ServerMetadata.discover(issuer: "https://login.example", transport: StubTransport(answer, answer))
    }
    #expect(error?.code == code)
  }
}
