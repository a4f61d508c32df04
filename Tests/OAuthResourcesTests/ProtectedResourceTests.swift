// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthFixtures
import OAuthResources
import Synchronization
import Testing
import Timekeeping
import TokenStore

/// The challenges of a resource, and its metadata.
@Suite struct ProtectedResourceTests {
  private func demand(_ challenge: String, status: Int = 401) -> TokenChallenge? {
    TokenChallenge(HTTPResponse(status: status, fields: ["WWW-Authenticate": challenge]))
  }

  // MARK: - Demands

  /// RFC 6750 § 3, RFC 9470 § 3 and RFC 9728 § 5.1.
  @Test func examplesOfTheSpecificationsAreRead() {
    let expired = demand(
      #"Bearer realm="example", error="invalid_token", error_description="The access token expired""#)
    #expect(expired?.reason == .invalidToken && expired?.explanation == "The access token expired")
    let stronger = demand(
      #"Bearer error="insufficient_user_authentication", error_description="A different authentication level is required", acr_values="myACR""#
    )
    #expect(stronger?.reason == .insufficientUserAuthentication && stronger?.acrValues == ["myACR"])
    #expect(stronger?.parameters.acrValues == ["myACR"] && stronger?.parameters.maximumAge == nil)
    let newer = demand(#"Bearer error="insufficient_user_authentication", max_age="5""#)
    #expect(newer?.maximumAge == .seconds(5) && newer?.parameters.maximumAge == .seconds(5))
    let named = demand(
      #"Bearer resource_metadata="https://resource.example.com/.well-known/oauth-protected-resource""#)
    #expect(named?.reason == nil && named?.resourceMetadata?.path() == "/.well-known/oauth-protected-resource")
    let scopes = demand(#"Bearer error="insufficient_scope", scope="read write""#, status: 403)
    #expect(scopes?.reason == .insufficientScope && scopes?.scopes == ["read", "write"])
    #expect(demand(#"Bearer error="invalid_request""#)?.reason == .invalidRequest)
  }

  @Test(arguments: [
    ("Basic realm=x", nil), (#"Basic realm="x", Bearer error="invalid_token""#, "Bearer"),
    (#"DPoP algs="ES256", Bearer error="invalid_token""#, "Bearer"), ("DPoP algs=ES256, Bearer", "DPoP"),
  ])
  func challengeThatSaysWhyComesFirst(_ text: String, _ scheme: String?) {
    #expect(demand(text)?.scheme == scheme)
  }

  @Test(arguments: [
    "max_age=-1", "max_age=x", "max_age=99999999999999999999", "resource_metadata=\"http://a.example/\"",
  ])
  func oddParameterIsIgnored(_ parameter: String) {
    let demand = demand("Bearer \(parameter)")
    #expect(demand?.maximumAge == nil && demand?.resourceMetadata == nil)
  }

  // MARK: - Metadata (RFC 9728)

  private func discover(
    _ url: String, _ documents: [String: HTTPResponse], demand: TokenChallenge? = nil
  ) async throws -> (ProtectedResourceMetadata, [String]) {
    let transport = StubTransport { documents[$0.url.absoluteString] ?? HTTPResponse(status: 404) }
    let found = try await ProtectedResourceMetadata.discover(
      for: try #require(URL(string: url)), challenge: demand, transport: transport)
    return (found, transport.requests.map(\.url.absoluteString))
  }

  private func document(_ resource: String, _ members: String = "") -> HTTPResponse {
    Fixtures.json(#"{"resource":"\#(resource)"\#(members)}"#)
  }

  private static let wellKnown = "https://api.example/.well-known/oauth-protected-resource"

  @Test func documentIsReadWithThePathInsertedThenAtTheRoot() async throws {
    let members =
      #","authorization_servers":["https://login.example"],"scopes_supported":["a"],"resource_name":"API","dpop_bound_access_tokens_required":true"#
    let (found, urls) = try await discover(
      "https://api.example/v1", [Self.wellKnown + "/v1": document("https://api.example/v1", members)])
    #expect(found.authorizationServers == ["https://login.example"] && found.scopesSupported == ["a"])
    #expect(found.name == "API" && found.requiresDPoP && urls == [Self.wellKnown + "/v1"])
    let (_, both) = try await discover("https://api.example/v1", [Self.wellKnown: document("https://api.example")])
    #expect(both == [Self.wellKnown + "/v1", Self.wellKnown])
    let (_, root) = try await discover("https://api.example/", [Self.wellKnown: document("https://api.example/")])
    #expect(root == [Self.wellKnown])
  }

  @Test func documentThatTheChallengeNamesIsRead() async throws {
    let demand = demand(#"Bearer resource_metadata="https://meta.example/doc""#)
    for resource in ["https://api.example", "https://api.example/v1", "https://api.example/v1/items"] {
      let (found, urls) = try await discover(
        "https://api.example/v1/items", ["https://meta.example/doc": document(resource)], demand: demand)
      #expect(found.resource.absoluteString == resource && urls == ["https://meta.example/doc"])
    }
  }

  /// RFC 9728 § 3.3: the URL, the identifier in the metadata, and whether it is accepted at the well-known URL and from a challenge.
  static let identifiers: [(url: String, identifier: String, atWellKnown: Bool, fromChallenge: Bool)] = [
    ("https://api.example/v1", "https://api.example/v1", true, true),
    ("https://api.example/v1", "HTTPS://API.example:443/v1", true, true),
    ("https://api.example", "https://api.example/", true, true),
    ("https://api.example/v1?a=b", "https://api.example/v1?a=b", true, true),
    ("https://api.example/v1", "https://api.example", false, true),
    ("https://api.example/v1?a=b", "https://api.example/v1", false, true),
    ("https://api.example/v1/items", "https://api.example/v1/", false, true),
    ("https://api.example/v1", "https://api.example/v1?a=b", false, false),
    ("https://api.example/v1?a=b", "https://api.example/v1?a=c", false, false),
    ("https://api.example/v1", "https://api.example/v1?", false, false),
    ("https://api.example/v1", "https://user@api.example/v1", false, false),
    ("https://api.example/v1", "https://user:password@api.example", false, false),
    ("https://api.example/v1", "https://api.example/v1#x", false, false),
    ("https://api.example/v1/../admin", "https://api.example/v1", false, false),
    ("https://api.example/v1/%2E%2e/admin", "https://api.example/v1", false, false),
    ("https://api.example/v1", "https://api.example/v2/../", false, false),
    ("https://api.example/v1", "https://api.example/v2", false, false),
    ("https://api.example/v1", "https://api.example/v", false, false),
    ("https://api.example/v1", "https://api.example/v1/", false, false),
    ("https://api.example/v1", "http://api.example/v1", false, false),
    ("https://api.example/v1", "https://evil.example/", false, false),
  ]

  @Test(arguments: identifiers)
  func identifierIsComparedAsAWhole(
    _ row: (url: String, identifier: String, atWellKnown: Bool, fromChallenge: Bool)
  ) async throws {
    let named = demand(#"Bearer resource_metadata="https://meta.example/doc""#)
    let suffix = row.url.dropFirst("https://api.example".count)
    for (place, demand, isAccepted) in [
      (Self.wellKnown + suffix, nil, row.atWellKnown), ("https://meta.example/doc", named, row.fromChallenge),
    ] {
      let read = { try await discover(row.url, [place: document(row.identifier)], demand: demand).0 }
      if isAccepted {
        #expect(try await read().resource.absoluteString == row.identifier)
      } else {
        await expectError(.resourceMismatch) { try await read() }
      }
    }
  }

  // MARK: - The search

  /// The responses that are not the document, as servers send them for paths that they do not have.
  private static let others = [
    HTTPResponse(status: 404), HTTPResponse(status: 400, body: Array("no".utf8)), Fixtures.json("{}", status: 401),
    Fixtures.json(#"{"message":"Forbidden"}"#, status: 403), HTTPResponse(status: 405), HTTPResponse(status: 410),
    HTTPResponse(status: 302), HTTPResponse(status: 204),
    HTTPResponse(status: 200, fields: ["Content-Type": "text/html"], body: Array("<!doctype html>".utf8)),
    HTTPResponse(status: 200, fields: ["Content-Type": "application/xml"], body: Array("<?xml?>".utf8)),
    Fixtures.json("{}"), Fixtures.json(#"{"resource":""}"#), Fixtures.json("[]"), Fixtures.json(""),
  ]

  @Test(arguments: others) func searchContinuesAfterAnyOtherResponse(_ other: HTTPResponse) async throws {
    let path = Self.wellKnown + "/mcp"
    let named = "https://meta.example/doc"
    let demand = demand(#"Bearer resource_metadata="\#(named)""#)
    let mark = "\u{FEFF}"
    let root = HTTPResponse(status: 200, body: Array((mark + #"{"resource":"https://api.example"}"#).utf8))
    let (_, urls) = try await discover(
      "https://api.example/mcp", [named: other, path: other, Self.wellKnown: root], demand: demand)
    #expect(urls == [named, path, Self.wellKnown])
    let error = await expectError(.invalidResponse) {
      try await discover("https://api.example/mcp", [named: other, path: other, Self.wellKnown: other], demand: demand)
    }
    for url in [named, path, Self.wellKnown] {
      let response = other.status == 200 ? "responded without" : "responded with status \(other.status)"
      #expect(error?.message.contains("\(url) \(response)") == true, "\(error?.message ?? "")")
    }
  }

  /// The document of the origin can name another server than the one that is unavailable.
  @Test(arguments: ["named", "path"]) func outageEndsTheSearch(_ place: String) async throws {
    let named = "https://meta.example/doc"
    let error = await #expect(throws: OAuthError.self) {
      try await discover(
        "https://api.example/mcp",
        [
          place == "named" ? named : Self.wellKnown + "/mcp": HTTPResponse(status: 503),
          Self.wellKnown: document("https://api.example"),
        ], demand: demand(#"Bearer resource_metadata="\#(named)""#))
    }
    #expect(error?.code == .serverUnavailable && error?.message.contains("responded with status 503") == true)
  }

  @Test func metadataAtTheRootThatNameTheWholeURLAreToldWhereTheyBelong() async throws {
    let url = "https://api.example/mcp"
    let error = await expectError(.resourceMismatch) { try await discover(url, [Self.wellKnown: document(url)]) }
    let message = try #require(error?.message)
    #expect(message.contains("at \(Self.wellKnown),") && message.contains("at \(Self.wellKnown)/mcp,"), "\(message)")
    #expect(!message.contains("not to the resource"))
  }

  @Test func metadataAtTheRootThatTheChallengeNamesMayNameTheWholeURL() async throws {
    let url = "https://api.example/mcp"
    let (found, _) = try await discover(
      url, [Self.wellKnown: document(url)], demand: demand(#"Bearer resource_metadata="\#(Self.wellKnown)""#))
    #expect(found.resource.absoluteString == url, "RFC 9728 § 3.3, the second rule")
  }

  // MARK: - More scopes

  @Test func demandIsMetByANewSignIn() async throws {
    let asked = Mutex<[FormFields]>([])
    let token = StoredToken(accessToken: Secret("old"), scopes: ["a"], issuer: "https://login.example", clientID: "app")
    let account = OAuthAccount(
      client: try Fixtures.client(StubTransport { _ in Fixtures.json(#"{"access_token":"new","expires_in":3600}"#) }),
      storage: try await InMemoryTokenStorage.holding(token), account: "me", scopes: ["a"],
      userAgent: ScriptedUserAgent { pending in
        asked.withLock { $0.append(pending.query) }
        return try Fixtures.callback(pending, "code=c&state=STATE")
      })
    let stronger = try #require(
      demand(#"Bearer error="insufficient_user_authentication", acr_values="gold silver", max_age=60"#))
    try await account.authorize(for: stronger)
    let form = try #require(asked.withLock { $0.first })
    #expect(form["scope"] == "a" && form["acr_values"] == "gold silver" && form["max_age"] == "60")
    let wider = try #require(demand(#"Bearer error="insufficient_scope", scope="a c""#, status: 403))
    #expect(try await account.authorize(for: wider).scopes == ["a", "c"])
  }
}
