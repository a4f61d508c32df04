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

// MARK: - Metadata of servers, and providers

extension ErrorMessageTests {
  private static func discover(_ response: HTTPResponse, at issuer: String = "https://login.example") async throws {
    _ = try await ServerMetadata.discover(issuer: issuer, transport: StubTransport { _ in response })
  }

  private static func named(_ issuer: String) -> HTTPResponse {
    Fixtures.json(#"{"issuer":"\#(issuer)","token_endpoint":"https://login.example/token"}"#)
  }

  static let discoveries: [Row] = [
    Row(
      "an issuer that is not secure", .invalidConfiguration,
      "The issuer http://login.example is not an https URL without query and fragment; plain http is for loopback only."
    ) { try await discover(HTTPResponse(status: 200), at: "http://login.example") },
    Row(
      "no metadata", .invalidResponse,
      "https://login.example publishes no metadata: https://login.example/.well-known/openid-configuration responded with status 404, https://login.example/.well-known/oauth-authorization-server responded with status 404. Check the issuer, or specify the server's endpoints."
    ) { try await discover(HTTPResponse(status: 404)) },
    Row(
      "a failure that may pass", .serverUnavailable,
      "https://login.example publishes no metadata: https://login.example/.well-known/openid-configuration responded with status 503, https://login.example/.well-known/oauth-authorization-server responded with status 503. Try again later."
    ) { try await discover(HTTPResponse(status: 503)) },
    Row(
      "no JSON", .invalidResponse,
      "https://login.example publishes no metadata: https://login.example/.well-known/openid-configuration responded without a JSON object, https://login.example/.well-known/oauth-authorization-server responded without a JSON object. Check the issuer, or specify the server's endpoints."
    ) { try await discover(Fixtures.json("<html>")) },
    Row(
      "no token endpoint", .invalidResponse,
      "The metadata of https://login.example have no valid token_endpoint. Specify the server's endpoints."
    ) { try await discover(Fixtures.json(#"{"issuer":"https://login.example"}"#)) },
    Row(
      "a redirect", .invalidResponse,
      "https://login.example publishes no metadata: https://login.example/.well-known/openid-configuration redirected to another origin, https://login.example/.well-known/oauth-authorization-server redirected to another origin. Check the issuer, or specify the server's endpoints."
    ) {
      var response = named("https://login.example")
      response.redirectedOrigin = Origin("https://evil.example")
      try await discover(response)
    },
    Row(
      "another issuer", .issuerMismatch,
      "The metadata of https://login.example names another issuer, https://evil.example. Use the issuer that the server names, if you trust it."
    ) { try await discover(named("https://evil.example")) },
    Row(
      "a slash more", .issuerMismatch,
      "The server's issuer is https://login.example/a/, which differs from https://login.example/a by a trailing slash. Use the server's form."
    ) { try await discover(named("https://login.example/a/"), at: "https://login.example/a") },
    Row(
      "a slash less", .issuerMismatch,
      "The server's issuer is https://login.example/a, which differs from https://login.example/a/ by a trailing slash. Use the server's form."
    ) { try await discover(named("https://login.example/a"), at: "https://login.example/a/") },
    Row(
      "a realm with a slash", .invalidConfiguration, "The realm must be a name without slashes, such as master."
    ) {
      _ = try await Provider.keycloak(at: URL(literal: "https://a.example"), realm: "a/b", transport: StubTransport())
    },
    Row(
      "no realm", .invalidConfiguration, "The realm must be a name without slashes, such as master."
    ) {
      _ = try await Provider.keycloak(at: URL(literal: "https://a.example"), realm: "", transport: StubTransport())
    },
    Row(
      "a tenant's name", .invalidConfiguration,
      "The tenant must be a UUID. Copy it from the Entra admin center."
    ) { _ = try Provider.microsoft(tenant: "contoso") },
    Row(
      "an authorization server with a slash", .invalidConfiguration,
      "The authorization server must be an identifier without slashes, such as default."
    ) {
      _ = try await Provider.okta(domain: "a.example", authorizationServer: "a/b", transport: StubTransport())
    },
    Row(
      "no authorization server", .invalidConfiguration,
      "The authorization server must be an identifier without slashes, such as default."
    ) { _ = try await Provider.okta(domain: "a.example", authorizationServer: "", transport: StubTransport()) },
    Row(
      "no domain", .invalidConfiguration, "a.example/b is not a domain name such as example.com."
    ) { _ = try await Provider.okta(domain: "a.example/b", transport: StubTransport()) },
  ]
}

// MARK: - Resources

extension ErrorMessageTests {
  private static let api = URL(literal: "https://tools.example/mcp")

  private static func challenge(_ parameters: String = "") -> HTTPResponse {
    HTTPResponse(status: 401, fields: ["WWW-Authenticate": "Bearer \(parameters)"])
  }

  /// Finds out how the API is accessed, where `resource` is its metadata and `server` the members of its server's.
  private static func discover(
    _ url: URL = api, resource: HTTPResponse, server: String = #""code_challenge_methods_supported":["S256"]"#,
    demand: String = "", as identity: ClientIdentity = ClientIdentity()
  ) async throws {
    let transport = StubTransport { request in
      switch (request.url.host(), request.url.path().contains("/.well-known/")) {
      case ("tools.example", false): return challenge(demand)
      case ("tools.example", true): return resource
      default:
        return Fixtures.json(
          #"{"issuer":"https://login.example","token_endpoint":"https://login.example/token",\#(server)}"#)
      }
    }
    _ = try await ResourceAccess.discover(url, as: identity, transport: transport)
  }

  private static func metadata(of resource: String = "https://tools.example/mcp", _ servers: String...) -> HTTPResponse
  {
    Fixtures.json(#"{"resource":"\#(resource)","authorization_servers":\#(servers)}"#)
  }

  private static let sound = metadata("https://login.example")

  private static func identity(_ change: (inout ClientIdentity) -> Void) -> ClientIdentity {
    var identity = ClientIdentity()
    change(&identity)
    return identity
  }

  static let resources: [Row] = [
    Row(
      "a resource that is not secure", .invalidConfiguration,
      "The resource must be an https URL without a fragment; plain http is for loopback only."
    ) { try await discover(URL(literal: "http://tools.example/"), resource: sound) },
    Row(
      "metadata of a resource that is not secure", .invalidConfiguration,
      "The resource http://tools.example/mcp is not an https URL without a fragment; plain http is for loopback only."
    ) {
      _ = try await ProtectedResourceMetadata.discover(
        for: URL(literal: "http://tools.example/mcp?a=secret"), transport: StubTransport())
    },
    Row(
      "no metadata", .invalidResponse,
      "The resource https://tools.example/mcp publishes no metadata: https://tools.example/.well-known/oauth-protected-resource/mcp responded with status 404, https://tools.example/.well-known/oauth-protected-resource responded with status 404. Specify its authorization server."
    ) { try await discover(resource: HTTPResponse(status: 404)) },
    Row(
      "no metadata where they are said to be", .invalidResponse,
      "The resource https://tools.example/mcp publishes no metadata: https://tools.example/.well-known/a responded with status 404, https://tools.example/.well-known/oauth-protected-resource/mcp responded with status 404, https://tools.example/.well-known/oauth-protected-resource responded with status 404. Specify its authorization server."
    ) {
      try await discover(
        resource: HTTPResponse(status: 404), demand: #"resource_metadata="https://tools.example/.well-known/a""#)
    },
    Row(
      "a failure that may pass", .serverUnavailable,
      "The resource https://tools.example/mcp publishes no metadata: https://tools.example/.well-known/oauth-protected-resource/mcp responded with status 503. Try again later."
    ) { try await discover(resource: HTTPResponse(status: 503)) },
    Row(
      "a status", .invalidResponse,
      "The resource https://tools.example/mcp publishes no metadata: https://tools.example/.well-known/oauth-protected-resource/mcp responded with status 403, https://tools.example/.well-known/oauth-protected-resource responded with status 403. Specify its authorization server."
    ) { try await discover(resource: HTTPResponse(status: 403)) },
    Row(
      "no JSON", .invalidResponse,
      "The resource https://tools.example/mcp publishes no metadata: https://tools.example/.well-known/oauth-protected-resource/mcp responded without a JSON object, https://tools.example/.well-known/oauth-protected-resource responded without a JSON object. Specify its authorization server."
    ) { try await discover(resource: Fixtures.json("<html>")) },
    Row(
      "another resource", .resourceMismatch,
      "The metadata belongs to https://evil.example/mcp, not to the resource https://tools.example/mcp."
    ) { try await discover(resource: metadata(of: "https://evil.example/mcp", "https://login.example")) },
    Row(
      "another resource where the metadata are said to be", .resourceMismatch,
      "The metadata belongs to https://evil.example/mcp, not to the resource https://tools.example/mcp."
    ) {
      try await discover(
        resource: metadata(of: "https://evil.example/mcp", "https://login.example"),
        demand: #"resource_metadata="https://tools.example/.well-known/a""#)
    },
    Row(
      "metadata at another resource's URL", .resourceMismatch,
      "The metadata of the resource https://tools.example/mcp is at https://tools.example/.well-known/oauth-protected-resource, where only that of https://tools.example is accepted (RFC 9728 § 3.3). The resource must publish it at https://tools.example/.well-known/oauth-protected-resource/mcp, or name its URL in the challenge."
    ) {
      let transport = StubTransport { request in
        request.url.path().hasSuffix("/oauth-protected-resource") ? sound : HTTPResponse(status: 404)
      }
      _ = try await ProtectedResourceMetadata.discover(for: api, transport: transport)
    },
    Row(
      "no server", .unsupported,
      "The metadata of the resource https://tools.example/mcp names no authorization server. Specify one."
    ) { try await discover(resource: metadata()) },
    Row(
      "a server on this machine", .invalidResponse,
      "The authorization_servers of https://tools.example, https://127.0.0.1, is on this machine. Do not sign in there. If you trust the URL, name it in the program's configuration."
    ) { try await discover(resource: metadata("https://127.0.0.1")) },
    Row(
      "a server in a private network", .invalidResponse,
      "The authorization_servers of https://tools.example, https://10.0.0.1, is in a private network. Do not sign in there. If you trust the URL, name it in the program's configuration."
    ) { try await discover(resource: metadata("https://10.0.0.1")) },
    Row(
      "no PKCE", .unsupported,
      "https://login.example does not announce PKCE with S256. Do not sign in there. Report the error to the resource's operator."
    ) { try await discover(resource: sound, server: #""a":1"#) },
    Row(
      "a server of other resources", .resourceMismatch,
      "https://login.example lists the resources that it issues tokens for, and https://tools.example/mcp is not among them. Do not sign in there. Report the error to the resource's operator."
    ) { try await discover(resource: sound, server: #""protected_resources":["https://other.example"]"#) },
    Row(
      "no client", .clientRequired,
      "https://login.example has no registered client for this program. Register a client on its website, and add it to the known clients."
    ) { try await discover(resource: sound) },
    Row(
      "a server that reads no metadata of clients", .clientRequired,
      "https://login.example does not read the metadata documents of clients. Register a client on its website, and add it to the known clients."
    ) {
      try await discover(
        resource: sound, as: identity { $0.metadataURL = URL(literal: "https://app.example/client.json") })
    },
    Row(
      "a client of other resources", .clientRequired,
      "https://login.example and this resource do not match the known clients. Register a client on its website, and add it to the known clients."
    ) {
      try await discover(
        resource: sound,
        as: identity {
          $0.known = [
            KnownClient(
              ClientRegistration(clientID: "app"), issuer: "https://login.example",
              resources: [URL(literal: "https://other.example/")])
          ]
        })
    },
    Row(
      "a server that registers no clients", .clientRequired,
      "https://login.example does not register clients. Register a client on its website, and add it to the known clients."
    ) { try await discover(resource: sound, as: ClientIdentity(registering: ClientMetadata())) },
    Row(
      "a client's URL without a path", .invalidConfiguration,
      "The client's metadata URL https://app.example/ must be https and have a path, and no fragment, user or dot segment."
    ) {
      try await discover(
        resource: sound,
        server: #""code_challenge_methods_supported":["S256"],"client_id_metadata_document_supported":true"#,
        as: identity { $0.metadataURL = URL(literal: "https://app.example/") })
    },
    Row("a demand without a reason", .requestRejected, "The API requires an access token. Sign in.") {
      throw try #require(TokenChallenge(challenge())).error
    },
    Row("a demand of the API's own", .requestRejected, "The API refused the request.") {
      throw try #require(TokenChallenge(challenge("error=api_is_asleep"))).error
    },
    Row(
      "a demand for another authentication", .insufficientAuthentication,
      "The API refused the request. The resource requires a more recent or stronger sign-in: sign in again."
    ) { throw try #require(TokenChallenge(challenge("error=insufficient_user_authentication"))).error },
    Row(
      "another origin", .originNotAllowed,
      "The access token may not be sent to https://api.example. Name its origin when you create the transport: https, or http to a loopback address."
    ) {
      _ = try await StubTransport().authorized(by: StaticTokenSource(Secret("a")), for: [] as Set<Origin>).send(
        HTTPRequest(.get, URL(literal: "https://api.example/items?key=secret")))
    },
    Row(
      "a URL without an origin", .originNotAllowed,
      "The access token may not be sent to this URL. Name its origin when you create the transport: https, or http to a loopback address."
    ) {
      _ = try await StubTransport().authorized(by: StaticTokenSource(Secret("a")), for: [] as Set<Origin>).send(
        HTTPRequest(.get, URL(literal: "mailto:a@b.example")))
    },
  ]
}

// MARK: - Registrations

extension ErrorMessageTests {
  private static func registrar(_ response: HTTPResponse, at endpoint: URL? = URL(literal: "https://login.example/r"))
    -> ClientRegistrar
  {
    var server = Fixtures.server()
    server.registrationEndpoint = endpoint
    return ClientRegistrar(server: server, transport: StubTransport(response))
  }

  private static func registered(_ members: String = "") async throws -> RegisteredClient {
    try await registrar(Fixtures.json(#"{"client_id":"app"\#(members)}"#)).register(ClientMetadata())
  }

  static let registrations: [Row] = [
    Row(
      "no endpoint", .unsupported,
      "https://login.example has no registration endpoint. Register the client on its website."
    ) { _ = try await registrar(HTTPResponse(status: 200), at: nil).register(ClientMetadata()) },
    Row(
      "no management", .unsupported, "https://login.example does not let this client manage its registration."
    ) { _ = try await registrar(HTTPResponse(status: 200)).read(registered()) },
    Row(
      "a URL that is not secure", .invalidConfiguration,
      "The registration_client_uri of https://login.example, http://login.example/r/1, must be an https URL; plain http is for loopback only."
    ) {
      let client = try await registered(
        #","registration_client_uri":"http://login.example/r/1","registration_access_token":"t""#)
      try await registrar(HTTPResponse(status: 204)).delete(client)
    },
    Row(
      "a token that is not accepted", .requestRejected,
      "https://login.example rejected the access token for the registration. Obtain a new one."
    ) { _ = try await registrar(HTTPResponse(status: 401)).register(ClientMetadata()) },
    Row(
      "no client", .invalidResponse,
      "The registration response from https://login.example contains no registered client."
    ) { _ = try await registrar(Fixtures.json("{}")).register(ClientMetadata()) },
    Row(
      "an empty identifier", .invalidResponse,
      "The registration response from https://login.example contains no registered client."
    ) { _ = try await registrar(Fixtures.json(#"{"client_id":""}"#)).register(ClientMetadata()) },
    Row(
      "a missing key", .invalidConfiguration,
      "The client is registered for private_key_jwt, which is not supported or lacks its secret or key."
    ) { _ = try await registered(#","token_endpoint_auth_method":"private_key_jwt""#).registration() },
  ]
}
