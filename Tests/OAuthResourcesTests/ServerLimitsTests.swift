// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthFixtures
import OAuthResources
import TestSupport
import Testing
import TokenStore

/// Everything that a server names in numbers, at its limit and far beyond.
///
/// A loop over a list that costs more than *n* log *n* takes longer than the second of processor time that each reading has.
@Suite(.hangLimit) struct ServerLimitsTests {
  private static let limit = 10_000
  private static let many = 30_000
  private static let resource = URL(literal: "https://tools.example/mcp")

  private static func list(_ count: Int, _ prefix: String = "scope-") -> String {
    "[" + (0..<count).map { "\"\(prefix)\($0)\"" }.joined(separator: ",") + "]"
  }

  private static func server(_ member: String, _ value: String) -> String {
    let base = "https://login.example"
    var members = [
      "issuer": "\"\(base)\"", "authorization_endpoint": "\"\(base)/authorize\"", "token_endpoint": "\"\(base)/token\"",
      "code_challenge_methods_supported": #"["S256"]"#,
    ]
    members[member] = value
    return "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
  }

  private static let lists = [
    "scopes_supported", "grant_types_supported", "code_challenge_methods_supported", "protected_resources",
    "token_endpoint_auth_methods_supported", "revocation_endpoint_auth_methods_supported",
    "introspection_endpoint_auth_methods_supported", "token_endpoint_auth_signing_alg_values_supported",
    "request_object_signing_alg_values_supported", "dpop_signing_alg_values_supported",
    "authorization_details_types_supported",
  ]

  private func discover(_ member: String, _ value: String) async throws -> ServerMetadata {
    let transport = StubTransport(Fixtures.json(Self.server(member, value)))
    return try await SerialTaskExecutor.quickly {
      try await ServerMetadata.discover(issuer: "https://login.example", transport: transport)
    }
  }

  @Test(arguments: lists) func listsOfAServerAreLimited(_ member: String) async throws {
    _ = try await discover(member, Self.list(Self.limit))
    for value in [Self.list(Self.limit + 1), Self.list(Self.many), "[\"\(String(repeating: "x", count: 2_049))\"]"] {
      await expectError(.invalidResponse, member) { try await discover(member, value) }
    }
  }

  @Test func aliasesOfAServerAreLimited() async throws {
    let aliases = { (count: Int) in
      "{" + (0..<count).map { "\"e\($0)\":\"https://login.example/\"" }.joined(separator: ",") + "}"
    }
    _ = try await discover("mtls_endpoint_aliases", aliases(Self.limit))
    await #expect(throws: OAuthError.self) { try await discover("mtls_endpoint_aliases", aliases(Self.many)) }
  }

  @Test func membersOfAServerAreLimited() async throws {
    let members = { (count: Int) in "1" + (0..<count).map { ",\"m\($0)\":1" }.joined() }
    _ = try await discover("m", members(Self.limit - 10))
    await #expect(throws: OAuthError.self) { try await discover("m", members(Self.many)) }
  }

  @Test func listsOfAResourceAreLimited() async throws {
    func read(_ member: String, _ count: Int) async throws -> ProtectedResourceMetadata {
      let prefix = member == "authorization_servers" ? "https://login.example/" : "scope-"
      let document = #"{"resource":"\#(Self.resource)","\#(member)":\#(Self.list(count, prefix))}"#
      return try await SerialTaskExecutor.quickly {
        try await ProtectedResourceMetadata.discover(
          for: Self.resource, transport: StubTransport(Fixtures.json(document)))
      }
    }
    for member in ["scopes_supported", "authorization_servers"] {
      _ = try await read(member, Self.limit)
      await expectError(.invalidResponse, member) { try await read(member, Self.many) }
    }
  }

  // MARK: - Challenges and tokens

  private static let words = (0..<many).map { "scope-\($0)" as Scope }

  @Test func challengesAreBounded() async throws {
    let text = Self.words.joined(separator: " ")
    let value = "Bearer error=insufficient_scope, scope=\"\(text)\", acr_values=\"\(text)\""
    let read = { @Sendable (value: String) in
      try await SerialTaskExecutor.quickly {
        TokenChallenge(HTTPResponse(status: 403, fields: ["WWW-Authenticate": value]))
      }
    }
    let challenge = try #require(try await read(value))
    #expect(challenge.scopes == Array(Self.words.prefix(Self.limit)) && challenge.acrValues.count == Self.limit)
    // The last of the challenges alone has an error.
    for (count, isRead) in [(Self.limit - 1, true), (Self.limit, false), (Self.many, false)] {
      let flood = Array(repeating: "Bearer a=b", count: count) + ["Bearer error=invalid_token"]
      #expect((try await read(flood.joined(separator: ", "))?.reason == .invalidToken) == isRead)
    }
    let long = "Bearer scope=\"a \(String(repeating: "x", count: 2_049)) b\""
    #expect(try await read(long)?.scopes == ["a", "b"])
  }

  @Test func tokenResponsesAreBounded() async throws {
    let details = #"{"type":"payment"}"#
    for (count, kept) in [(Self.limit, Self.limit), (Self.many, 0)] {
      let body = """
        {"access_token":"a","scope":"\(Self.words.joined(separator: " "))",
         "authorization_details":[\(Array(repeating: details, count: count).joined(separator: ","))]}
        """
      let client = try Fixtures.client(StubTransport(Fixtures.json(body)))
      let pending = try await client.beginAuthorization(scopes: ["a"], redirectURI: Fixtures.redirect)
      let callback = try Fixtures.callback(pending, "code=c&state=STATE")
      let token = try await SerialTaskExecutor.quickly {
        try await client.completeAuthorization(pending, callback: callback)
      }
      #expect(token.scopes == Array(Self.words.prefix(Self.limit)) && token.grantedDetails.count == kept)
    }
  }

  @Test func introspectedTokensAreBounded() async throws {
    let server = try await discover("introspection_endpoint", #""https://login.example/introspect""#)
    let body = #"{"active":true,"scope":"\#(Self.words.joined(separator: " "))","aud":\#(Self.list(Self.many))}"#
    let client = try OAuthClient(
      server: server, registration: ClientRegistration(clientID: "app"), transport: StubTransport(Fixtures.json(body)))
    let token = try await SerialTaskExecutor.quickly { try await client.introspect(Secret("a")) }
    #expect(token.scopes == Array(Self.words.prefix(Self.limit)) && token.audience == token.scopes.map(\.rawValue))
  }

  /// A registration is made once, so its response is not refused.
  @Test func registeredMetadataAreBounded() async throws {
    let lists = ["redirect_uris", "grant_types", "response_types", "contacts"].map {
      "\"\($0)\":\(Self.list(Self.many, "https://app.example/"))"
    }
    let body = Data("{\"client_id\":\"app\",\(lists.joined(separator: ","))}".utf8)
    let client = try await SerialTaskExecutor.quickly { try JSONDecoder().decode(RegisteredClient.self, from: body) }
    let metadata = client.metadata
    #expect(metadata.redirectURIs?.count == Self.limit)
    for list in [metadata.grantTypes, metadata.responseTypes, metadata.contacts] { #expect(list?.count == Self.limit) }
  }

  // MARK: - Requests

  /// A page whose URL no server accepts is not opened, whatever chose the scopes.
  @Test func pageIsNotOpenedForARequestThatNoServerAccepts() async throws {
    struct Page: UserAgent {
      func authorize(_ begin: SignInStart) async throws -> AuthorizationResponse {
        let pending = try await begin(Fixtures.redirect)
        Issue.record("The page is shown.")
        throw OAuthError(.accessDenied, "\(pending)")
      }
    }
    var token = StoredToken(
      accessToken: Secret("a"), scopes: Self.words, issuer: "https://login.example", clientID: "app")
    token.requestedScopes = Self.words
    let storage = try await InMemoryTokenStorage.holding(token)
    let others = (0..<Self.many).map { "other-\($0)" as Scope }
    let account = { (scopes: [Scope]) in
      OAuthAccount(
        client: try Fixtures.client(StubTransport()), storage: storage, account: "me", scopes: scopes, userAgent: Page()
      )
    }
    #expect(try await account(Self.words.reversed()).authorize().value == Secret("a"), "all scopes are granted")
    for scopes in [others, Self.words + others] {
      await expectError(.invalidConfiguration, "16384") { try await account(scopes).authorize() }
    }
    let client = try Fixtures.client(StubTransport())
    let empty = try await client.beginAuthorization(scopes: ["x"], redirectURI: Fixtures.redirect).authorizationURL
    let most = 16_384 - empty.absoluteString.utf8.count + 1
    let atLimit = String(repeating: "x", count: most)
    _ = try await client.beginAuthorization(scopes: [Scope(atLimit)], redirectURI: Fixtures.redirect)
    await #expect(throws: OAuthError.self) {
      try await client.beginAuthorization(scopes: [Scope(atLimit + "x")], redirectURI: Fixtures.redirect)
    }
  }

  @Test func resourceThatNamesMoreScopesThanARequestHoldsNeedsTheCallersChoice() async throws {
    let server = Self.server("registration_endpoint", #""https://login.example/register""#)
    let transport = StubTransport { request in
      switch request.url.path() {
      case "/.well-known/oauth-protected-resource/mcp":
        Fixtures.json(
          #"{"resource":"\#(Self.resource)","authorization_servers":["https://login.example"],"scopes_supported":\#(Self.list(Self.limit))}"#
        )
      case "/.well-known/openid-configuration": Fixtures.json(server)
      case "/register": Fixtures.json(#"{"client_id":"c","token_endpoint_auth_method":"none"}"#, status: 201)
      default: HTTPResponse(status: 404)
      }
    }
    let identity = ClientIdentity(registering: ClientMetadata(redirectURIs: [Fixtures.redirect]))
    await expectError(.invalidResponse, "Pass the scopes") {
      try await ResourceAccess.discover(Self.resource, as: identity, transport: transport)
    }
    #expect(transport.requests.allSatisfy { $0.method == .get }, "no client is registered in vain")
    let access = try await ResourceAccess.discover(
      Self.resource, as: identity, scopes: ["scope-1"], transport: transport)
    #expect(access.scopes == ["scope-1"])
    let body = try #require(transport.requests.last?.body)
    #expect(try JSONDecoder().decode(ClientMetadata.self, from: Data(body)).scopes == ["scope-1"])
  }
}
