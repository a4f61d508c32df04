// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthFixtures
import Testing
import TokenStore

/// Servers write `null`, an empty value or 0 for an absent member, in every document that a client reads.
@Suite struct AbsentMemberTests {
  private static let forms = ["null", #""""#, "0", "[]", "{}", #"" ""#, #"[null,""]"#]

  /// Returns the members of an object, each with the empty form.
  private static func members(_ names: [String], _ form: String) -> String {
    names.map { #","\#($0)":\#(form)"# }.joined()
  }

  private let clock = ManualClock(skipsWaits: true)

  private func client(_ transport: StubTransport, isPushing: Bool = false) throws -> OAuthClient {
    try Fixtures.client(transport, server: Fixtures.fullServer, clock: clock) {
      $0.registration.pushesAuthorizationRequests = isPushing
    }
  }

  @Test(arguments: forms, [200, 400])
  func errorBesideAnAbsentTokenIsAnError(_ form: String, _ status: Int) async throws {
    let body = { (code: String) in Fixtures.json(#"{"access_token":\#(form),"error":"\#(code)"}"#, status: status) }
    await expectError(.signInRequired) {
      try await self.client(StubTransport(body("invalid_grant"))).refresh(Fixtures.expired(clock))
    }
    let device = Fixtures.json(
      #"{"device_code":"d","user_code":"u","verification_uri":"https://login.example/d""#
        + Self.members(["verification_uri_complete", "interval", "expires_in", "error"], form) + "}")
    let client = try self.client(
      StubTransport(device, body("authorization_pending"), Fixtures.json(#"{"access_token":"a"}"#)))
    let begun = try await client.beginDeviceAuthorization(scopes: [])
    #expect(begun.verificationURIComplete == nil && begun.interval == .seconds(5) && begun.lifetime == .seconds(600))
    #expect(try await client.completeDeviceAuthorization(begun).accessToken == Secret("a"))
  }

  @Test(arguments: forms) func absentMemberOfATokenResponseIsOmitted(_ form: String) async throws {
    let names = [
      "refresh_token", "scope", "token_type", "expires_in", "id_token", "authorization_details", "error",
      "error_description",
    ]
    let response = Fixtures.json(#"{"access_token":"a"\#(Self.members(names, form))}"#)
    let client = try self.client(StubTransport(response, response))
    let token = try await client.signIn(["read"])
    #expect(token.refreshToken == nil && token.idToken == nil && token.expiresAt == nil && token.tokenType == "Bearer")
    #expect(token.scopes == ["read"] && token.authorizationDetails == nil)
    #expect(try await client.refresh(Fixtures.expired(clock)).refreshToken == Secret("refresh-1"))
  }

  @Test(arguments: forms) func absentMemberOfAnotherResponseIsOmitted(_ form: String) async throws {
    let names = [
      "scope", "client_id", "username", "token_type", "exp", "iat", "nbf", "sub", "aud", "iss", "jti", "error",
    ]
    let body = #"{"active":true\#(Self.members(names, form))}"#
    let state = try await self.client(StubTransport(Fixtures.json(body))).introspect(Secret("t"))
    #expect(state.scopes.isEmpty && state.audience.isEmpty)
    #expect(state.expiresAt == nil && state.issuedAt == nil && state.notBefore == nil)
    let texts = [state.clientID, state.username, state.tokenType, state.subject, state.issuer, state.tokenID]
    #expect(texts.allSatisfy { $0 == nil })
    for (error, code) in [("", OAuthError.Code.invalidResponse), (#","error":"invalid_request""#, .requestRejected)] {
      let body = #"{"request_uri":\#(form)\#(error)}"#
      let client = try self.client(StubTransport(Fixtures.json(body, status: 201)), isPushing: true)
      await expectError(code) { try await client.begin() }
    }
  }

  @Test(arguments: forms) func absentMemberOfARegistrationIsOmitted(_ form: String) async throws {
    let names = [
      "client_secret", "client_secret_expires_at", "client_id_issued_at", "registration_client_uri",
      "registration_access_token", "redirect_uris", "grant_types", "token_endpoint_auth_method", "jwks", "contacts",
      "scope", "logo_uri",
    ]
    let server = Fixtures.fullServer
    func register(_ body: String) async throws -> RegisteredClient {
      let response = HTTPResponse(status: 201, body: Array("\u{FEFF}\(body)".utf8))
      return try await ClientRegistrar(server: server, transport: StubTransport(response)).register(ClientMetadata())
    }
    let client = try await register(#"{"client_id":"x"\#(Self.members(names, form))}"#)
    let plain = try await register(#"{"client_id":"x"}"#)
    #expect(client == plain)
    #expect(try client.registration().authentication is NoClientAuthentication)
    await expectError(.invalidResponse) { try await register(#"{"client_id":\#(form)}"#) }
  }

  @Test(arguments: forms) func absentMemberOfMetadataIsOmitted(_ form: String) async throws {
    let names = [
      "authorization_endpoint", "jwks_uri", "mtls_endpoint_aliases", "token_endpoint_auth_methods_supported",
      "grant_types_supported", "scopes_supported", "code_challenge_methods_supported", "protected_resources",
      "dpop_signing_alg_values_supported", "require_pushed_authorization_requests",
    ]
    func discover(_ members: String) async throws -> ServerMetadata {
      let body = #"{"issuer":"https://login.example","token_endpoint":"https://login.example/token"\#(members)}"#
      return try await ServerMetadata.discover(
        issuer: "https://login.example",
        transport: StubTransport { _ in HTTPResponse(status: 200, body: Array("\u{FEFF}\(body)".utf8)) })
    }
    let plain = try await discover("")
    #expect(try await discover(Self.members(names, form)) == plain)
    guard form != "0" else { return }
    let partly = try await discover(
      #","mtls_endpoint_aliases":{"token_endpoint":"https://m.example/t","x":\#(form)},"scopes_supported":["a",\#(form)]"#
    )
    #expect(partly.mtlsEndpointAliases?.count == 1 && partly.scopesSupported == ["a"])
  }
}
