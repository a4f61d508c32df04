// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthFixtures
import Synchronization
import Testing
import TokenStore

@Suite struct DiscoveryTests {
  private func metadata(issuer: String) -> HTTPResponse {
    Fixtures.json(
      """
      {"issuer":"\(issuer)","authorization_endpoint":"https://login.example/authorize",
       "token_endpoint":"https://elsewhere.example/token","revocation_endpoint":"https://login.example/revoke",
       "token_endpoint_auth_methods_supported":["none"],"authorization_response_iss_parameter_supported":true}
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
    await expectError(.serverUnavailable) {
      try await ServerMetadata.discover(issuer: "https://login.example", transport: http)
    }
  }

  private func discover(_ responses: [HTTPResponse], issuer: String = "https://login.example") async throws
    -> ServerMetadata
  {
    let remaining = Mutex(responses)
    return try await ServerMetadata.discover(
      issuer: issuer,
      transport: StubTransport { _ in
        guard let next = remaining.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
          throw TransportError(.unreachable, "Not expected.")
        }
        return next
      })
  }

  private static func document(_ members: String, issuer: String = "https://login.example") -> HTTPResponse {
    Fixtures.json(
      """
      {"issuer":"\(issuer)","authorization_endpoint":"https://login.example/authorize",
       "token_endpoint":"https://login.example/token"\(members.isEmpty ? "" : ",\(members)")}
      """)
  }

  @Test func secondDocumentReplacesNothingOfTheFirst() async throws {
    let server = try await discover([
      Self.document(#""jwks_uri":"https://login.example/keys""#),
      Fixtures.json(
        """
        {"issuer":"https://login.example","authorization_endpoint":"https://login.example/b",
         "token_endpoint":"https://login.example/b","jwks_uri":"https://login.example/b",
         "revocation_endpoint":"https://login.example/b"}
        """),
    ])
    #expect(server.authorizationEndpoint?.path() == "/authorize")
    #expect(server.tokenEndpoint.path() == "/token")
    #expect(server.jwksURI?.path() == "/keys")
    #expect(server.revocationEndpoint?.path() == "/b")
  }

  @Test func serverWithoutABrowserNeedsNoAuthorizationEndpoint() async throws {
    let document = Fixtures.json(
      #"{"issuer":"https://login.example","token_endpoint":"https://login.example/t","introspection_endpoint":"https://login.example/i"}"#
    )
    let server = try await discover([document, HTTPResponse(status: 404)])
    #expect(server.authorizationEndpoint == nil && server.introspectionEndpoint?.path() == "/i")
    await expectError(.unsupported, "Use a grant that needs none, or complete its metadata") {
      try await Fixtures.client(server: server).begin()
    }
  }

  @Test func nothingIsTakenFromTheDocumentOfAnotherIssuer() async throws {
    let server = try await discover([
      Self.document(""),
      Self.document(#""revocation_endpoint":"https://evil.example/revoke""#, issuer: "https://evil.example"),
    ])
    #expect(server.revocationEndpoint == nil)
  }

  @Test(arguments: [HTTPResponse(status: 404), HTTPResponse(status: 503), Fixtures.json("<html>"), nil])
  func secondDocumentIsNotNeeded(_ second: HTTPResponse?) async throws {
    let server = try await discover([Self.document("")] + [second].compactMap(\.self))
    #expect(server.tokenEndpoint.absoluteString == "https://login.example/token")
  }

  @Test(arguments: [
    #""revocation_endpoint":7"#, #""jwks_uri":"""#, #""userinfo_endpoint":[]"#,
    #""authorization_response_iss_parameter_supported":"yes""#, #""token_endpoint_auth_methods_supported":"none""#,
    #""device_authorization_endpoint":"http://login.example/device""#, #""revocation_endpoint":"/revoke""#,
    #""grant_types_supported":"password""#, #""require_pushed_authorization_requests":1.5"#,
    #""mtls_endpoint_aliases":["https://login.example/token"]"#,
  ])
  func oddOptionalMemberIsIgnored(_ member: String) async throws {
    let server = try await discover([Self.document(member), HTTPResponse(status: 404)])
    #expect(
      server
        == ServerMetadata(
          issuer: "https://login.example", authorizationEndpoint: URL(literal: "https://login.example/authorize"),
          tokenEndpoint: URL(literal: "https://login.example/token")))
  }

  @Test func errorNamesEachURLAndItsResponse() async throws {
    let responses = [Fixtures.json("<html>"), Fixtures.json(#"{"issuer":7}"#), HTTPResponse(status: 403)]
    let error = await expectError(.invalidResponse) { try await discover(responses, issuer: "https://login.example/t") }
    let message = error?.message ?? ""
    #expect(
      message.contains("https://login.example/t/.well-known/openid-configuration responded without a JSON object"))
    #expect(
      message.contains(
        "https://login.example/.well-known/oauth-authorization-server/t responded without a valid member issuer"))
    #expect(message.contains("https://login.example/.well-known/openid-configuration/t responded with status 403"))
  }

  @Test(arguments: ["", #","token_endpoint":"""#, #","token_endpoint":7"#])
  func missingTokenEndpointIsNamed(_ member: String) async throws {
    let document = Fixtures.json(#"{"issuer":"https://login.example"\#(member)}"#)
    let error = await expectError(.invalidResponse, "no valid token_endpoint. Specify the server's endpoints") {
      try await discover([document, HTTPResponse(status: 404)])
    }
    #expect(error?.message.contains("JSON") == false)
  }

  @Test(arguments: [
    ("https://login.example", "https://login.example/"), ("https://login.example/", "https://login.example"),
    ("https://login.example:8443/", "https://login.example:8443"), ("http://127.0.0.1:80", "http://127.0.0.1:80/"),
  ])
  func issuerWithoutAPathHasTwoSpellings(_ asked: String, _ published: String) async throws {
    let server = try await discover([Self.document("", issuer: published), HTTPResponse(status: 404)], issuer: asked)
    #expect(server.issuer == published, "the server's own spelling is the one that iss has")
    let clock = ManualClock()
    var token = Fixtures.expired(clock)
    token.issuer = asked
    let client = try Fixtures.client(
      StubTransport(Fixtures.json(#"{"access_token":"a"}"#)), server: server, clock: clock)
    #expect(try await client.refresh(token).issuer == published)
  }

  @Test(arguments: [
    ("https://login.example/a/", "https://login.example/a"), ("https://login.example/a", "https://login.example/a/"),
    ("https://login.example", "https://login.example//"), ("https://login.example", "https://login.example/?"),
    ("https://login.example", "https://login.example/#"), ("https://login.example", "https://evil.example"),
    ("https://login.example", "https://user@login.example/"), ("https://login.example", "HTTPS://login.example/"),
  ])
  func documentOfAnotherIssuerIsRefused(_ asked: String, _ published: String) async throws {
    await expectError(.issuerMismatch, published) {
      try await discover([Self.document("", issuer: published)], issuer: asked)
    }
  }

  @Test(arguments: [
    "http://login.example", "login.example", "", "https://login.example?x", "https://login.example#x", "127.0.0.1:8479",
    "https://login.example/.well-known/openid-configuration",
  ])
  func addressThatIsNoIssuerIsNotAsked(_ issuer: String) async throws {
    let http = StubTransport()
    await expectError(.invalidConfiguration) { try await ServerMetadata.discover(issuer: issuer, transport: http) }
    #expect(http.requests.isEmpty)
  }
}
