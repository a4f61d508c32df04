// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthFixtures
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
    Row("an insecure issuer", .invalidConfiguration, "http://login.example is not an https URL") {
      try await discover(HTTPResponse(status: 200), at: "http://login.example")
    },
    Row("no metadata", .invalidResponse, "Check the issuer, or specify the server's endpoints") {
      try await discover(HTTPResponse(status: 404))
    },
    Row("a failure that may pass", .serverUnavailable, "Try again later") {
      try await discover(HTTPResponse(status: 503))
    },
    Row("no token endpoint", .invalidResponse, "no valid token_endpoint. Specify the server's endpoints") {
      try await discover(Fixtures.json(#"{"issuer":"https://login.example"}"#))
    },
    Row("a redirect", .invalidResponse, "redirected to another origin") {
      var response = named("https://login.example")
      response.redirectedOrigin = Origin("https://evil.example")
      try await discover(response)
    },
    Row(
      "another issuer", .issuerMismatch, "https://evil.example. Use the issuer that the server names, if you trust it"
    ) {
      try await discover(named("https://evil.example"))
    },
    Row("a slash more", .issuerMismatch, "https://login.example/a/, which differs from https://login.example/a by a") {
      try await discover(named("https://login.example/a/"), at: "https://login.example/a")
    },
    Row("a slash less", .issuerMismatch, "Use the server's form") {
      try await discover(named("https://login.example/a"), at: "https://login.example/a/")
    },
    Row("a realm with a slash", .invalidConfiguration, "must be a name without slashes, such as master") {
      _ = try await Provider.keycloak(at: URL(literal: "https://a.example"), realm: "a/b", transport: StubTransport())
    },
    Row("a tenant's name", .invalidConfiguration, "must be a UUID. Copy it from the Entra admin center") {
      _ = try Provider.microsoft(tenant: "contoso")
    },
    Row("an authorization server with a slash", .invalidConfiguration, "an identifier without slashes, such as default")
    {
      _ = try await Provider.okta(domain: "a.example", authorizationServer: "a/b", transport: StubTransport())
    },
    Row("no authorization server", .invalidConfiguration, "an identifier without slashes, such as default") {
      _ = try await Provider.okta(domain: "a.example", authorizationServer: "", transport: StubTransport())
    },
    Row("no domain", .invalidConfiguration, "a.example/b is not a domain name such as example.com") {
      _ = try await Provider.okta(domain: "a.example/b", transport: StubTransport())
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
    Row("no endpoint", .unsupported, "Register the client on its website") {
      _ = try await registrar(HTTPResponse(status: 200), at: nil).register(ClientMetadata())
    },
    Row("no management", .unsupported, "does not let this client manage its registration") {
      _ = try await registrar(HTTPResponse(status: 200)).read(registered())
    },
    Row(
      "an insecure URL", .invalidConfiguration, "registration_client_uri of https://login.example, http://a/, must be"
    ) {
      let client = try await registered(
        #","registration_client_uri":"http://a/","registration_access_token":"s3cret""#)
      try await registrar(HTTPResponse(status: 204)).delete(client)
    },
    Row("a token that is not accepted", .requestRejected, "Obtain a new one") {
      _ = try await registrar(HTTPResponse(status: 401)).register(ClientMetadata())
    },
    Row("no client", .invalidResponse, "https://login.example contains no registered client") {
      _ = try await registrar(Fixtures.json("{}")).register(ClientMetadata())
    },
    Row("a missing key", .invalidConfiguration, "private_key_jwt, which is not supported or lacks its secret or key") {
      _ = try await registered(#","token_endpoint_auth_method":"private_key_jwt""#).registration()
    },
  ]
}
