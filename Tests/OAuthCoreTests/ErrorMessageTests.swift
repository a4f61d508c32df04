// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthFixtures
import OAuthJOSE
import TestSupport
import Testing
import TokenStore

/// The errors that no other suite causes, with their remedies.
@Suite struct ErrorMessageTests {
  typealias Row = Failure<OAuthError.Code>

  @Test("Every error names its remedy", arguments: requests + tokens + endpoints + registrations)
  func errorNamesItsRemedy(_ failure: Row) async throws {
    await expectError(failure.code, failure.remedy) { try await failure.body() }
  }

  // MARK: - Authorization requests

  private static func begin(_ set: (inout Fixtures.Parties) throws -> Void) async throws {
    _ = try await Fixtures.client(StubTransport(Fixtures.json("{}")), set: set).begin()
  }

  private static let other = "https://other.example"

  static let requests: [Row] = [
    Row("an empty client identifier", .invalidConfiguration, "Use the one") {
      try await begin { $0.registration.clientID = "" }
    },
    Row("an insecure alias", .invalidConfiguration, "token_endpoint, ftp://a/, must be an https URL") {
      try await begin { $0.server.mtlsEndpointAliases = ["token_endpoint": URL(literal: "ftp://a/")] }
    },
    Row("an endpoint with a fragment", .invalidConfiguration, "Correct its URL") {
      try await begin { $0.server.authorizationEndpoint = URL(literal: "https://login.example/#a") }
    },
    Row("no endpoint to push to", .unsupported, "Complete its metadata, or turn off pushed requests") {
      try await begin { $0.registration.pushesAuthorizationRequests = true }
    },
    Row("no key for a required signature", .invalidConfiguration, "Set the registration's requestSigning") {
      try await begin { $0.server.requireSignedRequestObject = true }
    },
    Row("an algorithm that is not accepted", .invalidConfiguration, "Use a key for one of its request_object_signing") {
      try await begin {
        $0.registration.requestSigning = RequestSigning(try SigningKey.generate(.es256))
        $0.server.requestObjectSigningAlgValuesSupported = ["RS256"]
      }
    },
    Row("a detail that is no object", .invalidConfiguration, "cannot be written as a JSON object") {
      _ = try AuthorizationDetail(type: "payment", [1])
    },
    Row("the callback of another server's client", .issuerMismatch, "which is not this client's server") {
      let pending = try await Fixtures.client().begin()
      let client = try Fixtures.client { $0.server.issuer = other }
      _ = try await client.completeAuthorization(pending, callback: Fixtures.callback(pending, "code=1&state=STATE"))
    },
    Row("a form at a URL with parameters in the fragment", .invalidCallback, "Check the response mode") {
      let pending = try await Fixtures.client().begin()
      _ = try await Fixtures.client().completeAuthorization(
        pending, callback: URL(literal: "http://127.0.0.1:4711/callback#code=1"), form: Array("code=1".utf8))
    },
    Row("the device of another server's client", .issuerMismatch, "not this client's server, https://other.example") {
      let device = Fixtures.json(#"{"device_code":"s3cret","user_code":"u","verification_uri":"https://a.example/"}"#)
      let client = try Fixtures.client(StubTransport(device), server: Fixtures.fullServer)
      let begun = try await client.beginDeviceAuthorization(scopes: [])
      _ = try await Fixtures.client { $0.server.issuer = other }.completeDeviceAuthorization(begun)
    },
  ]

  // MARK: - Stored tokens

  private static func use(_ resources: [URL] = [], set: (inout Fixtures.Parties) -> Void = { _ in }) async throws {
    var parameters: AuthorizationParameters = [:]
    parameters.resources = resources
    let storage = try await InMemoryTokenStorage.holding(Fixtures.expired(ManualClock(), refreshToken: "s3cret"))
    let account = OAuthAccount(
      client: try Fixtures.client(set: set), storage: storage, account: "me", scopes: [], parameters: parameters)
    _ = try await account.tokens.accessToken()
  }

  static let tokens: [Row] = [
    Row("another resource", .resourceMismatch, "https://a.example/ https://b.example/. Use another account name") {
      try await use([URL(literal: "https://a.example/"), URL(literal: "https://b.example/")])
    },
    Row("a stored token that is not bound", .signInRequired, "Sign in again") {
      try await use { $0.registration.dpop = .required }
    },
    Row("no endpoint to revoke at", .unsupported, "Remove the stored token") {
      try await Fixtures.client { $0.server.revocationEndpoint = nil }.revoke(Fixtures.expired(ManualClock()))
    },
  ]

  // MARK: - Endpoints

  private static func authenticated(_ method: any ClientAuthentication) async throws {
    let client = try Fixtures.client(StubTransport(Fixtures.json("{}")), authentication: method) {
      $0.server.tokenEndpointAuthSigningAlgValuesSupported = ["RS256"]
    }
    _ = try await client.requestAccessToken(["grant_type": "client_credentials"])
  }

  /// A key that cannot sign.
  private struct BrokenKey: JWSSigningKey {
    let algorithm = JWS.Algorithm.es256
    func signature(for message: [UInt8]) throws(JOSEError) -> [UInt8] {
      throw JOSEError(.cryptographyFailed, "The module is locked.")
    }
  }

  static let endpoints: [Row] = [
    Row("no type of an exchanged token", .invalidResponse, "lacks the type of the issued token") {
      let client = try Fixtures.client(StubTransport(Fixtures.json(#"{"access_token":"s3cret"}"#)))
      _ = try await client.exchange(Secret("s"), by: TokenExchange())
    },
    Row("another algorithm of an assertion", .invalidConfiguration, "Use a key for one of its token_endpoint_auth") {
      try await authenticated(.privateKeyJWT(SigningKey.generate(.es256)))
    },
    Row("another algorithm of a secret's assertion", .invalidConfiguration, "signed with HS256") {
      try await authenticated(.clientSecretJWT(Secret(String(repeating: "s3cret", count: 6))))
    },
    Row("a shared secret as a private key", .invalidConfiguration, "Use a private key, or client_secret_jwt") {
      let secret = try ClientSecretKey(bytes: [UInt8](repeating: 1, count: 32))
      try await authenticated(PrivateKeyJWT(secret, keyID: nil))
    },
    Row("a short secret", .invalidConfiguration, "at least 32 bytes. Use another client authentication") {
      _ = try ClientSecretJWT(Secret("31 bytes are one fewer than due"))
    },
    Row("a key that cannot sign", .invalidConfiguration, "The request cannot be signed: The module is locked") {
      try await authenticated(AppleClientSecret(teamID: "t", keyID: "k", key: BrokenKey()))
    },
    Row("no introspection endpoint", .unsupported, "Verify the token itself, or test it with an API call") {
      _ = try await Fixtures.client().introspect(Secret("s3cret"))
    },
    Row("metadata from another origin", .invalidResponse, "redirected to another origin") {
      var response = Fixtures.json(
        #"{"issuer":"https://login.example","token_endpoint":"https://login.example/token"}"#)
      response.redirectedOrigin = Origin("https://evil.example")
      let transport = StubTransport { [response] _ in response }
      _ = try await ServerMetadata.discover(issuer: "https://login.example", transport: transport)
    },
    Row("an authorization server with a slash", .invalidConfiguration, "an identifier without slashes, such as default")
    {
      _ = try await Provider.okta(domain: "a.example", authorizationServer: "a/b", transport: StubTransport())
    },
    Row("no authorization server", .invalidConfiguration, "an identifier without slashes, such as default") {
      _ = try await Provider.okta(domain: "a.example", authorizationServer: "", transport: StubTransport())
    },
  ]

  // MARK: - Registrations

  private static func delete(_ members: String, endpoint: URL? = URL(literal: "https://login.example/r")) async throws {
    var server = Fixtures.server()
    server.registrationEndpoint = endpoint
    let registrar = ClientRegistrar(
      server: server, transport: StubTransport(Fixtures.json(#"{"client_id":"app"\#(members)}"#)))
    try await registrar.delete(registrar.register(ClientMetadata()))
  }

  static let registrations: [Row] = [
    Row("no endpoint", .unsupported, "Register the client on its website") { try await delete("", endpoint: nil) },
    Row("no management", .unsupported, "does not let this client manage its registration") { try await delete("") },
    Row(
      "an insecure URL", .invalidConfiguration, "registration_client_uri of https://login.example, http://a/, must be"
    ) {
      try await delete(#","registration_client_uri":"http://a/","registration_access_token":"s3cret""#)
    },
  ]
}
