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

/// The way from the URL of a resource to its authorization server (RFC 9728, Model Context Protocol).
@Suite struct ResourceAccessTests {
  private static let url = URL(literal: "https://tools.example/mcp")
  private static let metadataURL = "https://tools.example/.well-known/oauth-protected-resource/mcp"
  private static let serverURL = "https://login.example/.well-known/openid-configuration"
  private static let client = ClientMetadata(
    clientName: "Tests", redirectURIs: [Fixtures.redirect], tokenEndpointAuthMethod: "none")

  private static let resource = #"""
    {"resource":"https://tools.example/mcp","authorization_servers":["https://login.example"],"scopes_supported":["a","b"]}
    """#
  private static let server = #"""
    {"issuer":"https://login.example","authorization_endpoint":"https://login.example/authorize",\#
    "token_endpoint":"https://login.example/token","registration_endpoint":"https://login.example/register",\#
    "code_challenge_methods_supported":["S256"],"client_id_metadata_document_supported":true}
    """#

  /// A resource with its server; documents replaced, or left out where the value is `nil`.
  private func network(
    challenge: String? = nil, _ changes: [String: String?] = [:]
  ) -> StubTransport {
    var documents = [Self.metadataURL: Self.resource, Self.serverURL: Self.server]
    for (url, document) in changes { documents[url] = document }
    return StubTransport { [documents] request in
      let url = request.url.absoluteString
      if url == Self.url.absoluteString {
        return HTTPResponse(status: 401, fields: ["WWW-Authenticate": challenge ?? "Bearer"])
      }
      if url == "https://login.example/register" {
        return Fixtures.json(
          #"{"client_id":"registered","token_endpoint_auth_method":"none"}"#, status: 201)
      }
      return documents[url].map { Fixtures.json($0) } ?? HTTPResponse(status: 404)
    }
  }

  private func failure(
    _ transport: StubTransport, at url: URL = url, as identity: ClientIdentity = ClientIdentity(registering: client)
  ) async -> OAuthError? {
    await #expect(throws: OAuthError.self) {
      try await ResourceAccess.discover(url, as: identity, transport: transport)
    }
  }

  @Test(
    "offline_access is requested and registered only where it is wanted, listed and not alone",
    arguments: [
      (true, #"["offline_access"]"#, "scope=a", ["a", "offline_access"], "a b offline_access"),
      (true, #"["offline_access"]"#, "", ["a", "b", "offline_access"], "a b offline_access"),
      (true, #"["offline_access"]"#, #"scope="offline_access a""#, ["offline_access", "a"], "offline_access a b"),
      (true, #"["a"]"#, "scope=a", ["a"], "a b"), (true, "null", "scope=a", ["a"], "a b"),
      (false, #"["offline_access"]"#, "scope=a", ["a"], "a b"),
    ] as [(Bool, String, String, [Scope], String)])
  func offlineAccessIsRequested(
    _ isWanted: Bool, _ listed: String, _ demand: String, _ scopes: [Scope], _ registered: String
  ) async throws {
    let server = Self.server.replacing("}", with: #","scopes_supported":\#(listed)}"#)
    let transport = network(challenge: "Bearer \(demand)", [Self.serverURL: server])
    var identity = ClientIdentity(registering: Self.client)
    identity.requestsOfflineAccess = isWanted
    let access = try await ResourceAccess.discover(Self.url, as: identity, transport: transport)
    #expect(access.scopes == scopes)
    let request = try #require(transport.requests.last { $0.method == .post })
    let metadata = try JSONDecoder().decode(ClientMetadata.self, from: Data(request.body ?? []))
    #expect(metadata.scopes?.joined() == registered)
  }

  /// A token for registrations that a resource could have sent to another server would be lost.
  @Test(
    arguments: [(["https://login.example": "initial"], "Bearer initial"), (["https://other.example": "initial"], nil)]
      as [([String: String], String?)])
  func tokenForRegistrationsGoesToItsIssuerAlone(_ tokens: [String: String], _ field: String?) async throws {
    let transport = network()
    var identity = ClientIdentity(registering: Self.client)
    identity.initialAccessTokens = tokens.mapValues { Secret($0) }
    _ = try await ResourceAccess.discover(Self.url, as: identity, transport: transport)
    let sent = transport.requests.filter { $0.fields["Authorization"] != nil }
    #expect(sent.map { $0.fields["Authorization"] } == (field.map { [$0] } ?? []))
    #expect(sent.allSatisfy { $0.url.absoluteString == "https://login.example/register" })
  }

  @Test func offlineAccessIsNotRequestedAlone() async throws {
    let server = Self.server.replacing("}", with: #","scopes_supported":["offline_access"]}"#)
    let resource = #"{"resource":"https://tools.example/mcp","authorization_servers":["https://login.example"]}"#
    let transport = network([Self.serverURL: server, Self.metadataURL: resource])
    var identity = ClientIdentity(registering: Self.client)
    identity.requestsOfflineAccess = true
    let access = try await ResourceAccess.discover(Self.url, as: identity, transport: transport)
    #expect(access.scopes.isEmpty)
    let request = try #require(transport.requests.last { $0.method == .post })
    #expect(try JSONDecoder().decode(ClientMetadata.self, from: Data(request.body ?? [])).scopes == nil)
  }

  // MARK: - From end to end

  private static let userinfo = Sandbox.inProcessURL.appending(path: "userinfo")

  private func sandbox() -> (Sandbox, RecordingTransport) {
    var configuration = Sandbox.Configuration()
    configuration.registrationAccess = .open
    configuration.resources = [Self.userinfo.absoluteString]
    let sandbox = Sandbox(clock: ManualClock(), configuration: configuration)
    return (sandbox, RecordingTransport(sandbox.transport()))
  }

  private static let sandboxClient = ClientMetadata(
    clientName: "Tests", redirectURIs: [URL(literal: "http://127.0.0.1/callback")], tokenEndpointAuthMethod: "none")

  private func account(
    _ transport: RecordingTransport, _ userAgent: some UserAgent, _ storage: InMemoryTokenStorage,
    scopes: [Scope]? = nil
  ) async throws -> OAuthAccount {
    try await OAuthAccount(
      discovering: Self.userinfo, as: ClientIdentity(registering: Self.sandboxClient), scopes: scopes,
      storage: storage, account: "me", transport: transport, clock: ManualClock(), userAgent: userAgent)
  }

  @Test func signsInFromTheURLAlone() async throws {
    let (sandbox, transport) = sandbox()
    let storage = InMemoryTokenStorage()
    let account = try await account(transport, sandbox.approvingUser, storage)
    #expect(account.client.server.issuer == "https://sandbox.invalid")
    let api = account.transport(for: Self.userinfo, stepUpLimit: 1)
    #expect(try await api.send(HTTPRequest(.get, Self.userinfo)).status == 200)
    // RFC 8707, in the authorization request and in the token request.
    let resource = Self.userinfo.absoluteString
    #expect(try await storage.token(for: "me")?.resources == [resource])
    #expect(transport.requests(for: "/token").map { $0.form["resource"] } == [resource])
    let pending = try await account.beginSignIn(redirectURI: Fixtures.redirect)
    #expect(pending.resources.map(\.absoluteString) == [resource])
    await expectError(.originNotAllowed) {
      try await api.send(HTTPRequest(.get, URL(literal: "https://elsewhere.example/userinfo")))
    }
  }

  // MARK: - Step-up

  /// A user who allows some scopes each time.
  private struct Choosing: UserAgent {
    let sandbox: Sandbox
    let scopes: Set<Scope>
    let count = Counter()

    func authorize(_ begin: SignInStart) async throws -> AuthorizationResponse {
      count.next()
      let pending = try await begin(URL(literal: "http://127.0.0.1:49152/callback"))
      return AuthorizationResponse(
        pending: pending, callback: try sandbox.approve(pending.authorizationURL, granting: scopes))
    }
  }

  @Test func demandForMoreScopesIsMet() async throws {
    let (sandbox, transport) = sandbox()
    let user = Choosing(sandbox: sandbox, scopes: ["email", "openid"])
    let account = try await account(transport, user, InMemoryTokenStorage(), scopes: ["email"])
    let api = account.transport(for: Self.userinfo, stepUpLimit: 2)
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 { group.addTask { try await api.send(HTTPRequest(.get, Self.userinfo)).status } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses == Array(repeating: 200, count: 8))
    #expect(user.count.count == 2, "one sign-in for all, and one more for the scope")
    #expect(try await Set(account.storedToken?.scopes ?? []) == [.email, .openID])
    #expect(try await account.storedToken?.resources == [Self.userinfo.absoluteString])
  }

  @Test func demandThatANewTokenCannotMeetIsTheResponse() async throws {
    let clock = ManualClock()
    let token = StoredToken(accessToken: Secret("a"), scopes: ["a"], issuer: "https://login.example", clientID: "app")
    let base = StubTransport { _ in
      HTTPResponse(status: 403, fields: ["WWW-Authenticate": #"Bearer error="insufficient_scope", scope="a""#])
    }
    let account = OAuthAccount(
      client: try Fixtures.client(base, clock: clock), storage: try await InMemoryTokenStorage.holding(token),
      account: "me", scopes: ["a"])
    let api = account.transport(for: Self.url, stepUpLimit: 5)
    #expect(try await api.send(HTTPRequest(.get, Self.url)).status == 403)
    #expect(base.requests.count == 1)
  }

  /// As the Python SDK of the Model Context Protocol demands: without the scopes.
  @Test func demandWithoutScopesIsForThoseOfTheAccount() async throws {
    let token = StoredToken(accessToken: Secret("a"), scopes: ["a"], issuer: "https://login.example", clientID: "app")
    let account = OAuthAccount(
      client: try Fixtures.client(StubTransport()), storage: try await InMemoryTokenStorage.holding(token),
      account: "me", scopes: ["a", "b"])
    let demand = try #require(
      TokenChallenge(
        HTTPResponse(status: 403, fields: ["WWW-Authenticate": #"Bearer error="insufficient_scope""#])))
    // There is no browser: that a sign-in is begun is seen by its failure.
    await expectError(.signInRequired) { try await account.authorize(for: demand) }
  }

  // MARK: - What is found

  @Test func documentsAreReadAsTheChallengeSays() async throws {
    let named = "https://tools.example/meta"
    let transport = network(
      challenge: #"Bearer error="invalid_token", scope="c d", resource_metadata="\#(named)""#,
      [named: Self.resource, Self.metadataURL: nil])
    let access = try await ResourceAccess.discover(
      Self.url, as: ClientIdentity(registering: Self.client), transport: transport)
    #expect(access.resource.resource == Self.url && access.server.issuer == "https://login.example")
    #expect(access.scopes == ["c", "d"], "what is demanded counts more than what is named")
    #expect(access.registration.clientID == "registered" && access.registration.dpop == .off)
    #expect(access.parameters.resources == [Self.url])
    let registered = try #require(transport.requests.first { $0.method == .post })
    let body = try JSONSerialization.jsonObject(with: Data(registered.body ?? [])) as? [String: Any]
    #expect(body?["scope"] as? String == "c d a b", "a server may refuse scopes that a client has not registered for")
    #expect(body?["dpop_bound_access_tokens"] == nil)
  }

  @Test func resourceThatRequiresBoundTokensGetsThem() async throws {
    let bound = Self.resource.replacing("}", with: #","dpop_bound_access_tokens_required":true}"#)
    let transport = network([Self.metadataURL: bound])
    let access = try await ResourceAccess.discover(
      Self.url, as: ClientIdentity(registering: Self.client), transport: transport)
    #expect(access.registration.dpop == .required)
    let body = transport.requests.last?.body.map { String(decoding: $0, as: UTF8.self) }
    #expect(body?.contains(#""dpop_bound_access_tokens":true"#) == true)
  }

  // MARK: - Who the client is

  @Test func identitiesAreTriedInOrder() async throws {
    var identity = ClientIdentity(registering: Self.client)
    identity.metadataURL = URL(literal: "https://app.example/client.json")
    identity.known = [("x", "https://other.example"), ("known", "https://login.example")].map {
      KnownClient(ClientRegistration(clientID: $0), issuer: $1, resources: [Self.url])
    }
    var found: [String] = []
    for step in 0..<3 {
      if step > 0 { identity.known = [] }
      if step > 1 { identity.metadataURL = nil }
      found.append(
        try await ResourceAccess.discover(Self.url, as: identity, transport: network()).registration.clientID)
    }
    #expect(found == ["known", "https://app.example/client.json", "registered"])
  }

  @Test func documentIsForServersThatReadIt() async throws {
    var identity = ClientIdentity(registering: Self.client)
    identity.metadataURL = URL(literal: "https://app.example/client.json")
    let other = Self.server.replacing(#","client_id_metadata_document_supported":true"#, with: "")
    let access = try await ResourceAccess.discover(
      Self.url, as: identity, transport: network([Self.serverURL: other]))
    #expect(access.registration.clientID == "registered")
    identity.metadata = nil
    let error = await failure(network([Self.serverURL: other]), as: identity)
    #expect(error?.code == .clientRequired)
  }

  @Test(arguments: [
    "http://app.example/client.json", "https://app.example", "https://app.example/", "https://app.example/a/../b",
    "https://app.example/a/%2E%2e/b", "https://app.example/a/%2e", "https://app.example/a#b",
    "https://user@app.example/a",
  ])
  func documentAtAnotherURLIsNoIdentity(_ text: String) async throws {
    var identity = ClientIdentity()
    identity.metadataURL = URL(string: text)
    #expect(await failure(network(), as: identity)?.code == .invalidConfiguration)
  }

  @Test func registeredClientIsKeptBeforeItIsUsed() async throws {
    let kept = Mutex<[String]>([])
    var identity = ClientIdentity(registering: Self.client)
    identity.keep = { client, issuer, resource in
      kept.withLock { $0.append("\(client.clientID) at \(issuer) for \(resource)") }
    }
    _ = try await ResourceAccess.discover(Self.url, as: identity, transport: network())
    #expect(kept.withLock { $0 } == ["registered at https://login.example for \(Self.url)"])
    struct Full: Error {}
    identity.keep = { _, _, _ in throw Full() }
    await #expect(throws: Full.self) {
      try await ResourceAccess.discover(Self.url, as: identity, transport: network())
    }
    // Without space, no client is registered in vain.
    identity.prepareToKeep = { issuer, resource in
      #expect(issuer == "https://login.example" && resource == Self.url)
      throw Full()
    }
    let transport = network()
    await #expect(throws: Full.self) {
      try await ResourceAccess.discover(Self.url, as: identity, transport: transport)
    }
    #expect(transport.requests.allSatisfy { $0.method == .get })
  }

  @Test func programWithoutAnIdentityIsToldWhatToDo() async {
    let error = await failure(network(), as: ClientIdentity())
    #expect(error?.code == .clientRequired)
    #expect(error?.message.contains("Register a client") == true)
  }

  // MARK: - What is not believed

  @Test func serverWithoutPKCEIsRefused() async {
    for methods in ["", #","code_challenge_methods_supported":["plain"]"#] {
      let server = Self.server.replacing(#","code_challenge_methods_supported":["S256"]"#, with: methods)
      let transport = network([Self.serverURL: server])
      let error = await failure(transport)
      #expect(error?.code == .unsupported && error?.message.contains("Do not sign in there") == true)
      #expect(transport.requests.allSatisfy { $0.method == .get }, "nothing was registered")
    }
  }

  @Test func resourceWithoutAServerIsRefused() async {
    let resource = #"{"resource":"https://tools.example/mcp"}"#
    #expect(await failure(network([Self.metadataURL: resource]))?.code == .unsupported)
  }

  @Test(arguments: ["http://tools.example/mcp", "https://tools.example/mcp#part", "ftp://tools.example/", "mailto:a@b"])
  func urlThatCannotBeAResourceIsRefused(_ text: String) async throws {
    let transport = network()
    #expect(await failure(transport, at: try #require(URL(string: text)))?.code == .invalidConfiguration)
    #expect(transport.requests.isEmpty)
  }

  /// A developer's own machine or network names what is there, and nothing that is elsewhere in private.
  @Test(
    arguments: [
      ("http://127.0.0.1:8080", "http://localhost:9090", true), ("https://10.0.0.1", "https://sso.internal", true),
      ("https://10.0.0.1", "https://login.example", true), ("http://[::1]:8080", "https://login.example", true),
      ("https://10.0.0.1", "http://127.0.0.1:9090", false), ("https://10.0.0.1", "https://169.254.169.254", false),
      ("http://127.0.0.1:8080", "https://10.0.0.1", false), ("https://224.0.0.1", "https://224.0.0.2", false),
    ])
  func resourceInPrivateNamesItsLike(resource: String, server: String, isAllowed: Bool) async throws {
    let url = "\(resource)/mcp"
    let documents = [
      "\(resource)/.well-known/oauth-protected-resource/mcp": Self.resource.replacing(
        "https://tools.example", with: resource),
      "\(server)/.well-known/openid-configuration": Self.server,
    ].mapValues { $0.replacing("https://login.example", with: server) }
    let transport = StubTransport { request in
      documents[request.url.absoluteString].map { Fixtures.json($0) } ?? HTTPResponse(status: 404)
    }
    let identity = ClientIdentity()
    let error = await failure(transport, at: try #require(URL(string: url)), as: identity)
    #expect(error?.code == (isAllowed ? .clientRequired : .invalidResponse))
    #expect(transport.requests.contains { $0.url.absoluteString.hasPrefix(server) } == isAllowed)
  }

  @Test func noRequestFollowsARedirectToAnotherOrigin() async throws {
    let transport = network()
    let access = try await ResourceAccess.discover(
      Self.url, as: ClientIdentity(registering: Self.client), transport: transport)
    let client = try OAuthClient(server: access.server, registration: access.registration, transport: transport)
    await #expect(throws: OAuthError.self) { try await client.requestAccessToken(["grant_type": "x"]) }
    #expect(transport.requests.count >= 5)
    #expect(transport.requests.allSatisfy { $0.redirectScope == .sameOrigin })
  }

  @Test func redirectToAnotherOriginIsNotBelieved() async throws {
    let transport = StubTransport { request in
      guard request.url.absoluteString == Self.url.absoluteString else { return HTTPResponse(status: 404) }
      return HTTPResponse(
        status: 401, fields: ["WWW-Authenticate": #"Bearer resource_metadata="https://tools.example/meta""#],
        redirectedOrigin: Origin("https://evil.example"))
    }
    #expect(await failure(transport)?.code == .invalidResponse)
    #expect(!transport.requests.contains { $0.url.path() == "/meta" })
  }

  @Test func resourceThatNeverRespondsStillHasItsMetadata() async throws {
    let documents = network()
    let transport = StubTransport { request in
      if request.url == Self.url { throw TransportError(.timedOut, "No response.") }
      return try await documents.send(request)
    }
    let access = try await ResourceAccess.discover(
      Self.url, as: ClientIdentity(registering: Self.client), transport: transport)
    #expect(access.scopes == ["a", "b"])
  }
}
