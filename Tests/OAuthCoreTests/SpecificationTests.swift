// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthFixtures
import Testing
import TokenStore

/// Every error code of every specification becomes a typed error that says what to do.
@Suite struct SpecificationTests {
  private let clock = ManualClock(skipsWaits: true)

  private func client(_ response: HTTPResponse) throws -> OAuthClient {
    let transport = StubTransport { request in
      guard request.url.path() == "/device" else { return response }
      return Fixtures.json(
        #"{"device_code":"d","user_code":"u","verification_uri":"https://login.example/d","expires_in":60}"#)
    }
    return try Fixtures.client(transport, server: Fixtures.fullServer, clock: clock)
  }

  /// Does what the error is a response to.
  private func provoke(_ error: SpecificationError, _ response: HTTPResponse) async throws {
    let client = try client(response)
    switch error.place {
    case .authorization:
      try await client.signIn(["openid"], by: "error=\(error.serverCode)&error_description=why&state=STATE")
    case .token:
      try await client.signIn(["openid"])
    case .refresh:
      _ = try await client.refresh(Fixtures.expired(clock))
    case .service:
      _ = try await ClientCredentials(client: client).accessToken()
    case .exchange:
      _ = try await client.exchange(Secret("subject"), by: TokenExchange(audience: ["api"]))
    case .device:
      _ = try await client.completeDeviceAuthorization(client.beginDeviceAuthorization(scopes: []))
    case .revocation:
      try await client.revoke(Fixtures.expired(clock))
    case .introspection:
      _ = try await client.introspect(Secret("mF_9.B5f-4.1JqM"))
    case .pushedRequest:
      _ = try await Fixtures.client(StubTransport(response), server: client.server) {
        $0.registration.pushesAuthorizationRequests = true
      }.begin(["openid"])
    case .registration, .management:
      let registrar = ClientRegistrar(server: client.server, transport: StubTransport(response))
      guard error.place == .management else {
        _ = try await registrar.register(ClientMetadata())
        return
      }
      let registered = Fixtures.json(
        """
        {"client_id":"x","registration_access_token":"t",
         "registration_client_uri":"https://login.example/register/x"}
        """)
      let client = try await ClientRegistrar(server: client.server, transport: StubTransport(registered))
        .register(ClientMetadata())
      _ = try await registrar.update(client, to: ClientMetadata())
    case .resource:
      let demand = try #require(TokenChallenge(response))
      throw demand.error
    }
  }

  @Test(arguments: SpecificationError.all)
  func codeIsATypedErrorWithAdvice(_ expected: SpecificationError) async throws {
    let code = expected.serverCode
    var response = Fixtures.json(
      code.isEmpty ? "" : #"{"error":"\#(code)","error_description":"why"}"#, status: expected.status)
    if expected.place == .resource {
      response.fields["WWW-Authenticate"] = #"Bearer error="\#(code)", error_description="why""#
    }
    let error = try #require(await expectError(expected.code) { try await provoke(expected, response) })
    #expect(error.serverCode == (code.isEmpty ? nil : code) && error.serverDescription == (code.isEmpty ? nil : "why"))
    #expect(!error.message.contains("why") && !error.message.contains(".."), "the server's words are no advice of ours")
    #expect(code.isEmpty || error.message.contains(". "), "\(error.message)")
  }

  /// RFC 6749 § 8.5: a server may have codes of its own.
  @Test(arguments: [SpecificationError.Place.authorization, .token, .registration, .revocation])
  func codeOfNoSpecificationIsReportedAsItIs(_ place: SpecificationError.Place) async throws {
    let unknown = SpecificationError(place: place, status: 400, code: .requestRejected, serverCode: "own_code")
    let error = await expectError(.requestRejected) {
      try await provoke(unknown, Fixtures.json(#"{"error":"own_code"}"#, status: 400))
    }
    #expect(error?.serverCode == "own_code")
    #expect(error?.message.contains("own_code") == false, "the message holds nothing that a server chose")
  }
}

/// An error code of a specification, where it arrives, and what becomes of it.
struct SpecificationError: Sendable, CustomTestStringConvertible {
  /// The place at which a code arrives.
  enum Place: Sendable {
    /// The callback of an authorization request.
    case authorization
    /// The token endpoint: code, refresh token, or a grant without a user.
    case token, refresh, service, exchange
    /// The device's requests for its tokens.
    case device
    case revocation, introspection, registration, management, pushedRequest
    /// The `WWW-Authenticate` field of an API.
    case resource
  }

  let place: Place
  let status: Int
  let code: OAuthError.Code
  let serverCode: String

  var testDescription: String { "\(place) \(serverCode)" }

  /// Every code, in the order of the specifications; an empty one is a response without a code.
  static let all = rows.flatMap { place, status, code, serverCodes in
    serverCodes.map { SpecificationError(place: place, status: status, code: code, serverCode: $0) }
  }

  private static let rows: [(Place, Int, OAuthError.Code, [String])] = [
    // RFC 6749 § 4.1.2.1 and § 5.2, RFC 7636 § 4.4.1 and § 4.6.
    (.authorization, 400, .requestRejected, ["invalid_request", "unauthorized_client", "unsupported_response_type"]),
    (.authorization, 400, .requestRejected, ["invalid_scope"]), (.authorization, 400, .accessDenied, ["access_denied"]),
    (.authorization, 400, .serverUnavailable, ["server_error", "temporarily_unavailable"]),
    (.token, 400, .requestRejected, ["invalid_request", "invalid_grant"]),
    (.token, 401, .requestRejected, ["invalid_client"]), (.refresh, 400, .signInRequired, ["invalid_grant"]),
    (.refresh, 400, .requestRejected, ["invalid_scope"]),
    (.service, 400, .requestRejected, ["unauthorized_client", "unsupported_grant_type"]),
    // RFC 6750 § 3.1.
    (.resource, 400, .requestRejected, ["invalid_request"]), (.resource, 401, .requestRejected, ["invalid_token"]),
    (.resource, 403, .requestRejected, ["insufficient_scope"]),
    // RFC 7009 § 2.2.1.
    (.revocation, 400, .requestRejected, ["unsupported_token_type"]),
    (.revocation, 401, .requestRejected, ["invalid_client"]), (.revocation, 503, .serverUnavailable, [""]),
    // RFC 7591 § 3.2.2, RFC 7592 § 2.
    (.registration, 400, .requestRejected, ["invalid_redirect_uri", "invalid_client_metadata"]),
    (.registration, 400, .requestRejected, ["invalid_software_statement", "unapproved_software_statement"]),
    (.management, 401, .requestRejected, ["invalid_token", ""]),
    (.management, 400, .requestRejected, ["invalid_client_metadata"]),
    // RFC 7662 § 2.3.
    (.introspection, 401, .requestRejected, ["invalid_client", "invalid_token"]),
    // RFC 8628 § 3.5.
    (.device, 400, .accessDenied, ["access_denied"]), (.device, 400, .signInTimedOut, ["expired_token"]),
    // RFC 8693 § 2.2.2, RFC 8707 § 2.
    (.exchange, 400, .requestRejected, ["invalid_request", "invalid_target"]),
    (.authorization, 400, .requestRejected, ["invalid_target"]), (.token, 400, .requestRejected, ["invalid_target"]),
    // RFC 9101 § 5 and § 6.1.
    (.authorization, 400, .requestRejected, ["invalid_request_object", "invalid_request_uri"]),
    (.authorization, 400, .requestRejected, ["request_not_supported", "request_uri_not_supported"]),
    // RFC 9126 § 2.3.
    (.pushedRequest, 400, .requestRejected, ["invalid_request", "invalid_request_object"]),
    (.pushedRequest, 405, .invalidResponse, [""]), (.pushedRequest, 413, .invalidResponse, [""]),
    (.pushedRequest, 429, .serverUnavailable, [""]),
    // RFC 9396 § 5, RFC 9470 § 3.
    (.authorization, 400, .requestRejected, ["invalid_authorization_details"]),
    (.token, 400, .requestRejected, ["invalid_authorization_details"]),
    (.resource, 401, .insufficientAuthentication, ["insufficient_user_authentication"]),
    // OpenID Connect Core § 3.1.2.6, Unmet Authentication Requirements § 3.
    (.authorization, 400, .signInRequired, ["interaction_required", "login_required", "consent_required"]),
    (.authorization, 400, .signInRequired, ["account_selection_required"]),
    (.authorization, 400, .requestRejected, ["registration_not_supported"]),
    (.authorization, 400, .insufficientAuthentication, ["unmet_authentication_requirements"]),
    // Providers.
    (.service, 400, .requestRejected, ["authorization_pending", "expired_token", "bad_verification_code"]),
    (
      .service, 400, .requestRejected, ["incorrect_device_code", "invalid device code", "org_internal", "invalid_code"]
    ),
    (.service, 400, .requestRejected, ["code_already_used", "bad_redirect_uri", "pkce_not_allowed"]),
    (.service, 400, .requestRejected, ["unauthorized_scope_error", "invalid_resource", "application_suspended"]),
    (.service, 400, .requestRejected, ["device_flow_disabled", "redirect_uri_mismatch", "unverified_user_email"]),
    (.service, 400, .requestRejected, ["invalid_dpop_proof", "use_dpop_nonce"]),
  ]
}
