// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthFixtures
import OAuthResources
import Synchronization
import Testing
import TokenStore

/// A resource chooses its authorization server; a client that is known for others is not for it.
@Suite struct KnownClientTests {
  private static let issuer = "https://login.example"
  private static let url = URL(literal: "https://tools.example/mcp")

  private static let server = #"""
    {"issuer":"https://login.example","authorization_endpoint":"https://login.example/authorize",\#
    "token_endpoint":"https://login.example/token","code_challenge_methods_supported":["S256"]}
    """#

  /// A resource, and the servers that it names.
  private func network(
    resource: String = "https://tools.example/mcp", servers: [String] = [issuer], server: String = server
  ) -> StubTransport {
    let path = resource.replacing("https://tools.example", with: "")
    let names = servers.map { "\"\($0)\"" }.joined(separator: ",")
    return StubTransport { request in
      switch request.url.absoluteString {
      case "https://tools.example/.well-known/oauth-protected-resource" + path:
        Fixtures.json(#"{"resource":"\#(resource)","authorization_servers":[\#(names)]}"#)
      case "https://login.example/.well-known/openid-configuration": Fixtures.json(server)
      default: HTTPResponse(status: 404)
      }
    }
  }

  private func known(issuer: String = issuer, _ resources: String...) -> ClientIdentity {
    var identity = ClientIdentity()
    identity.known = [
      KnownClient(
        ClientRegistration(clientID: "known"), issuer: issuer, resources: resources.compactMap { URL(string: $0) })
    ]
    return identity
  }

  @Test(arguments: [
    "https://tools.example/mcp", "https://tools.example", "https://tools.example/", "https://TOOLS.example:443/mcp",
  ])
  func clientIsUsedForItsServerAndResource(_ named: String) async throws {
    let identity = known("https://other.example/", named)
    let access = try await ResourceAccess.discover(Self.url, as: identity, transport: network())
    #expect(access.registration.clientID == "known")
  }

  @Test(arguments: [
    (issuer, "https://tools.example/mc"), (issuer, "https://tools.example/mcp/deeper"),
    (issuer, "https://other.example/mcp"), (issuer, "https://tools.example:8443/mcp"),
    (issuer, "http://tools.example/mcp"),
    (issuer, ""), ("https://login.example/other", "https://tools.example/mcp"),
    ("https://sso.example", "https://tools.example/mcp"),
  ])
  func clientOfAnotherServerOrResourceIsNotUsed(issuer: String, resource: String) async throws {
    let transport = network()
    await expectError(.clientRequired, "the known clients") {
      try await ResourceAccess.discover(Self.url, as: known(issuer: issuer, resource), transport: transport)
    }
    #expect(transport.requests.allSatisfy { $0.method == .get })
  }

  @Test func serverOfTheClientIsChosenAmongSeveral() async throws {
    let transport = network(servers: ["https://first.example", Self.issuer])
    let access = try await ResourceAccess.discover(
      Self.url, as: known("https://tools.example/mcp"), transport: transport)
    #expect(access.server.issuer == Self.issuer)
  }

  // MARK: - RFC 9728 § 4

  @Test(arguments: [
    (#"["https://tools.example/mcp"]"#, true), (#"["https://a.example","https://tools.example/mcp"]"#, true),
    (#"["https://tools.example/"]"#, false), (#"["https://tools.example/mcp/"]"#, false),
    (#"["https://TOOLS.example/mcp"]"#, true), ("[]", true), (#""https://tools.example/mcp""#, true),
  ])
  func serverThatListsItsResourcesListsThisOne(list: String, isListed: Bool) async throws {
    let server = Self.server.replacing(#"{"issuer""#, with: #"{"protected_resources":\#(list),"issuer""#)
    let identity = known("https://tools.example/mcp")
    guard !isListed else {
      _ = try await ResourceAccess.discover(Self.url, as: identity, transport: network(server: server))
      return
    }
    await expectError(.resourceMismatch) {
      try await ResourceAccess.discover(Self.url, as: identity, transport: network(server: server))
    }
  }

  @Test(
    arguments: ["https://tools.example", "https://tools.example/"], ["https://tools.example", "https://tools.example/"])
  func originIsListedWithAndWithoutASlash(named: String, listed: String) async throws {
    let server = Self.server.replacing(#"{"issuer""#, with: #"{"protected_resources":["\#(listed)"],"issuer""#)
    let transport = StubTransport { request in
      switch request.url.absoluteString {
      case "https://tools.example/.well-known/oauth-protected-resource":
        Fixtures.json(#"{"resource":"\#(named)","authorization_servers":["https://login.example"]}"#)
      case "https://login.example/.well-known/openid-configuration": Fixtures.json(server)
      default: HTTPResponse(status: 404)
      }
    }
    let access = try await ResourceAccess.discover(
      URL(literal: "https://tools.example"), as: known("https://tools.example"), transport: transport)
    #expect(access.server.protectedResources == [listed])
  }

  // MARK: - Stored tokens

  private func account(holding resources: [String]) async throws -> OAuthAccount {
    var token = StoredToken(accessToken: Secret("a"), issuer: Self.issuer, clientID: "app")
    token.resources = resources
    var parameters: AuthorizationParameters = [:]
    parameters.resources = [Self.url]
    return OAuthAccount(
      client: try Fixtures.client(StubTransport()), storage: try await InMemoryTokenStorage.holding(token),
      account: "me", scopes: ["a"], parameters: parameters)
  }

  @Test func tokenOfAnotherResourceIsNotUsed() async throws {
    for resources in [[], ["https://tools.example/other"], ["https://calendar.example"]] {
      let account = try await account(holding: resources)
      await expectError(.resourceMismatch) { try await account.authorize() }
      #expect(try await account.storedToken != nil)
    }
    let account = try await account(holding: ["https://calendar.example", "https://tools.example/mcp"])
    #expect(try await account.authorize().value == Secret("a"))
  }

  @Test func clientOfAStoredTokenIsForItsResource() async throws {
    var token = StoredToken(accessToken: Secret("a"), issuer: Self.issuer, clientID: "registered")
    let identity = ClientIdentity(
      registering: ClientMetadata(
        clientName: "Tests", redirectURIs: [Fixtures.redirect], tokenEndpointAuthMethod: "none"))
    func discovered() async throws -> OAuthAccount {
      try await OAuthAccount(
        discovering: Self.url, as: identity, storage: try await InMemoryTokenStorage.holding(token), account: "me",
        transport: network())
    }
    for resource in ["https://tools.example/other", "https://tools.example/mcp/below", "http://["] {
      token.resources = [resource]
      // The server registers no clients.
      await expectError(.clientRequired) { try await discovered() }
    }
    token.resources = ["https://tools.example/mcp"]
    #expect(try await discovered().client.registration.clientID == "registered")
  }

  // MARK: - Before the page

  private struct Page: UserAgent {
    let shown = Counter()

    func authorize(_ begin: SignInStart) async throws -> AuthorizationResponse {
      let pending = try await begin(Fixtures.redirect)
      shown.next()
      throw OAuthError(.accessDenied, "\(pending)")
    }
  }

  @Test func signInIsConfirmedBeforeItIsShown() async throws {
    struct Declined: Error {}
    var parameters: AuthorizationParameters = [:]
    parameters.resources = [Self.url]
    let page = Page()
    let seen = Mutex<[PendingAuthorization]>([])
    for isAllowed in [false, true] {
      let account = OAuthAccount(
        client: try Fixtures.client(StubTransport()), storage: InMemoryTokenStorage(), account: "me",
        scopes: ["a", "b"], parameters: parameters,
        userAgent: page.confirming { pending in
          #expect(page.shown.count == 0)
          seen.withLock { $0.append(pending) }
          if !isAllowed { throw Declined() }
        })
      if isAllowed {
        await #expect(throws: OAuthError.self) { try await account.authorize() }
      } else {
        await #expect(throws: Declined.self) { try await account.authorize() }
        #expect(page.shown.count == 0)
      }
    }
    #expect(page.shown.count == 1)
    let pending = try #require(seen.withLock { $0.first })
    #expect(pending.issuer == Self.issuer && pending.scopes == ["a", "b"] && pending.resources == [Self.url])
  }
}
