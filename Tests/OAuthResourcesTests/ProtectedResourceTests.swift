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
      for: try #require(URL(string: url)), demand: demand, transport: transport)
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

  @Test(arguments: [
    "https://evil.example/", "https://api.example/v2", "https://api.example/v", "https://api.example/v1/",
  ])
  func documentOfAnotherResourceIsRefused(_ resource: String) async throws {
    let demand = demand(#"Bearer resource_metadata="https://meta.example/doc""#)
    for (documents, demand) in [
      (["https://meta.example/doc": document(resource)], demand), ([Self.wellKnown + "/v1": document(resource)], nil),
    ] {
      let error = await #expect(throws: OAuthError.self) {
        try await discover("https://api.example/v1", documents, demand: demand)
      }
      #expect(error?.code == .resourceMismatch)
    }
  }

  @Test func metadataAtTheRootThatNameTheWholeURLAreToldWhereTheyBelong() async throws {
    let url = "https://api.example/mcp"
    let error = await #expect(throws: OAuthError.self) { try await discover(url, [Self.wellKnown: document(url)]) }
    #expect(error?.code == .resourceMismatch)
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

  @Test(
    arguments: [
      (HTTPResponse(status: 404), .invalidResponse), (HTTPResponse(status: 503), .serverUnavailable),
      (Fixtures.json("{}"), .invalidResponse), (Fixtures.json("<html>"), .invalidResponse),
      (HTTPResponse(status: 401), .invalidResponse),
    ] as [(HTTPResponse, OAuthError.Code)])
  func resourceWithoutMetadataIsATypedError(_ response: HTTPResponse, _ code: OAuthError.Code) async throws {
    let error = await #expect(throws: OAuthError.self) {
      try await discover("https://api.example/", [Self.wellKnown: response])
    }
    #expect(error?.code == code)
  }

  @Test(arguments: ["http://api.example/", "https://api.example/#x", "mailto:x"])
  func addressThatIsNoResourceIsNotAsked(_ url: String) async throws {
    let error = await #expect(throws: OAuthError.self) { try await discover(url, [:]) }
    #expect(error?.code == .invalidConfiguration)
  }

  // MARK: - More scopes

  private let clock = ManualClock()

  private func account(
    stored: StoredToken?, granting scope: String?, asked: Recorder
  ) async throws -> (OAuthAccount, InMemoryTokenStorage) {
    let storage = InMemoryTokenStorage()
    if let stored { try await storage.withExclusiveAccess(to: "me") { try await $0.write(stored) } }
    let granted = scope.map { #","scope":"\#($0)""# } ?? ""
    let transport = StubTransport { _ in Fixtures.json(#"{"access_token":"new","expires_in":3600\#(granted)}"#) }
    let account = OAuthAccount(
      client: try Fixtures.client(transport, clock: clock), storage: storage, account: "me", scopes: ["a"],
      userAgent: ScriptedUserAgent { pending in
        asked.forms.withLock {
          $0.append(FormEncoding.form.decode(pending.authorizationURL.query(percentEncoded: true) ?? ""))
        }
        return try Fixtures.callback(pending, "code=c&state=STATE")
      })
    return (account, storage)
  }

  private func token(_ scopes: [String]) -> StoredToken {
    StoredToken(
      accessToken: Secret("old"), expiresAt: clock.now + .seconds(3600), scopes: scopes,
      issuer: "https://login.example",
      clientID: "app")
  }

  @Test func whatIsGrantedIsAskedForAgainWithTheNewScopes() async throws {
    let asked = Recorder()
    let (account, storage) = try await account(stored: token(["a", "b"]), granting: nil, asked: asked)
    let new = try await account.authorize(adding: ["c", "b"])
    #expect(asked.forms.withLock { $0.map { $0["scope"] } } == ["a b c"])
    #expect(new.scopes == ["a", "b", "c"] && new.value == Secret("new"))
    #expect(try await storage.token(for: "me")?.scopes == ["a", "b", "c"])
  }

  @Test func scopesThatAreGrantedNeedNoSignIn() async throws {
    let asked = Recorder()
    let (account, _) = try await account(stored: token(["a", "b"]), granting: nil, asked: asked)
    #expect(try await account.authorize(adding: ["b"]).value == Secret("old"))
    #expect(asked.forms.withLock { $0.isEmpty })
  }

  @Test func scopesThatTheUserRefusesAreReadable() async throws {
    let asked = Recorder()
    let (account, _) = try await account(stored: token(["a"]), granting: "a", asked: asked)
    #expect(try await account.authorize(adding: ["c"]).scopes == ["a"])
  }

  @Test func firstSignInAsksForBoth() async throws {
    let asked = Recorder()
    let (account, _) = try await account(stored: nil, granting: nil, asked: asked)
    #expect(try await account.authorize(adding: ["c"]).scopes == ["a", "c"])
  }

  @Test func demandIsMetByANewSignIn() async throws {
    let asked = Recorder()
    let (account, _) = try await account(stored: token(["a"]), granting: nil, asked: asked)
    let stronger = try #require(
      demand(#"Bearer error="insufficient_user_authentication", acr_values="gold silver", max_age=60"#))
    try await account.authorize(for: stronger)
    let form = try #require(asked.forms.withLock { $0.first })
    #expect(form["scope"] == "a" && form["acr_values"] == "gold silver" && form["max_age"] == "60")
    let wider = try #require(demand(#"Bearer error="insufficient_scope", scope="a c""#, status: 403))
    #expect(try await account.authorize(for: wider).scopes == ["a", "c"])
  }

  /// The questions to the user.
  private final class Recorder: Sendable {
    let forms = Mutex<[FormFields]>([])
  }
}
