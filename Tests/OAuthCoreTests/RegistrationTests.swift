// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthFixtures
import OAuthJOSE
import Testing
import Timekeeping
import TokenStore

/// Dynamic registration and its management.
@Suite struct RegistrationTests {
  private static let secret = "cf136dc3c1fc93f31185e5885805d"

  /// RFC 7591 § 3.2.1, with the members of RFC 7592 § 3.
  private static let example = Fixtures.json(
    """
    {"client_id":"s6BhdRkqt3","client_secret":"\(secret)","client_id_issued_at":2893256800,
     "client_secret_expires_at":2893276800,"redirect_uris":["https://client.example.org/callback"],
     "grant_types":["authorization_code","refresh_token"],"client_name":"My Example Client",
     "token_endpoint_auth_method":"client_secret_basic","logo_uri":"https://client.example.org/logo.png",
     "registration_access_token":"this.is.an.access.token.value.ffx83",
     "registration_client_uri":"https://login.example/register/s6BhdRkqt3","example_extension_parameter":"value"}
    """, status: 201)

  private func registrar(_ transport: StubTransport) -> ClientRegistrar {
    var server = Fixtures.server()
    server.registrationEndpoint = URL(literal: "https://login.example/register")
    return ClientRegistrar(server: server, transport: transport)
  }

  private func registered(_ response: HTTPResponse = example) async throws -> RegisteredClient {
    try await registrar(StubTransport(response)).register(ClientMetadata())
  }

  private func body(_ request: HTTPRequest?) -> String { String(decoding: request?.body ?? [], as: UTF8.self) }

  @Test func metadataIsSentAsJSON() async throws {
    let transport = StubTransport(Self.example)
    var metadata = ClientMetadata(
      clientName: "My Example Client", redirectURIs: [URL(literal: "https://client.example.org/callback")],
      tokenEndpointAuthMethod: "client_secret_basic")
    metadata.grantTypes = ["authorization_code"]
    metadata.scopes = ["read", "write"]
    let client = try await registrar(transport).register(metadata, initialAccessToken: Secret("initial"))
    let request = try #require(transport.requests.first)
    #expect(request.method == .post && request.url.absoluteString == "https://login.example/register")
    #expect(request.fields["Content-Type"] == "application/json" && request.fields["Authorization"] == "Bearer initial")
    #expect(
      body(request)
        == #"{"client_name":"My Example Client","grant_types":["authorization_code"],"redirect_uris":["https://client.example.org/callback"],"scope":"read write","token_endpoint_auth_method":"client_secret_basic"}"#
    )
    #expect(client.clientID == "s6BhdRkqt3" && client.clientSecret == Secret(Self.secret))
    #expect(client.issuedAt == Timestamp(secondsSince1970: 2_893_256_800))
    #expect(client.clientSecretExpiresAt == Timestamp(secondsSince1970: 2_893_276_800))
    #expect(client.metadata.logoURI?.path() == "/logo.png" && client.metadata.clientName == "My Example Client")
  }

  @Test func registrationAuthenticatesAsRegistered() async throws {
    let key = try SigningKey.generate(.es256)
    let long = String(repeating: "x", count: 32)
    for (method, type) in [
      ("client_secret_basic", ClientSecretBasic.self), ("client_secret_post", ClientSecretPost.self),
      ("client_secret_jwt", ClientSecretJWT.self), ("private_key_jwt", PrivateKeyJWT.self),
      ("tls_client_auth", TLSClientCertificate.self), ("self_signed_tls_client_auth", TLSClientCertificate.self),
      ("none", NoClientAuthentication.self),
    ] as [(String, any ClientAuthentication.Type)] {
      let response = #"{"client_id":"x","client_secret":"\#(long)","token_endpoint_auth_method":"\#(method)"}"#
      let client = try await registered(Fixtures.json(response))
      #expect(Swift.type(of: try client.registration(signingWith: key).authentication) == type)
    }
    // The defaults of a server that names no method.
    let (bare, secret) = (#"{"client_id":"x"}"#, #"{"client_id":"x","client_secret":"s","client_secret_expires_at":0}"#)
    let client = try await registered(Fixtures.json(bare))
    #expect(try client.registration().authentication is NoClientAuthentication)
    await expectError(.invalidConfiguration) { try client.registration(signingWith: key) }
    let confidential = try await registered(Fixtures.json(secret))
    #expect(try confidential.registration().authentication is ClientSecretBasic)
    #expect(confidential.clientSecretExpiresAt == nil)
    for method in ["client_secret_basic", "private_key_jwt", "something_new"] {
      let client = try await registered(
        Fixtures.json(#"{"client_id":"x","token_endpoint_auth_method":"\#(method)"}"#))
      await expectError(.invalidConfiguration, method) { try client.registration() }
    }
  }

  @Test(
    arguments: [
      (200, "<html>", .invalidResponse), (201, "{}", .invalidResponse), (201, #"{"client_id":""}"#, .invalidResponse),
      (401, "", .requestRejected), (403, "", .invalidResponse), (503, "", .serverUnavailable),
    ] as [(Int, String, OAuthError.Code)])
  func otherResponsesAreTypedErrors(_ status: Int, _ text: String, _ code: OAuthError.Code) async throws {
    await expectError(code) { try await registered(Fixtures.json(text, status: status)) }
  }

  // MARK: - Management (RFC 7592)

  @Test func registrationIsReadUpdatedAndRemoved() async throws {
    let client = try await registered()
    // The token is replaced by the first response, and not repeated by the second.
    let transport = StubTransport(
      Fixtures.json(#"{"client_id":"s6BhdRkqt3","registration_access_token":"second","client_name":"Old"}"#),
      Fixtures.json(#"{"client_id":"s6BhdRkqt3","client_name":"New"}"#), HTTPResponse(status: 204))
    let registrar = registrar(transport)
    let read = try await registrar.read(client)
    #expect(read.metadata.clientName == "Old" && read.registrationAccessToken == Secret("second"))
    #expect(read.clientSecret == client.clientSecret && read.clientSecretExpiresAt == client.clientSecretExpiresAt)
    var metadata = read.metadata
    metadata.clientName = "New"
    let updated = try await registrar.update(read, to: metadata)
    #expect(updated.metadata.clientName == "New" && updated.registrationAccessToken == Secret("second"))
    #expect(updated.registrationClientURI == client.registrationClientURI)
    try await registrar.delete(updated)
    #expect(transport.requests.map(\.method) == [.get, .put, .delete])
    #expect(transport.requests.allSatisfy { $0.url.absoluteString == "https://login.example/register/s6BhdRkqt3" })
    #expect(
      transport.requests.map { $0.fields["Authorization"] } == [
        "Bearer this.is.an.access.token.value.ffx83", "Bearer second", "Bearer second",
      ])
    #expect(
      body(transport.requests[1])
        == #"{"client_id":"s6BhdRkqt3","client_name":"New","client_secret":"\#(Self.secret)"}"#)
  }
}
