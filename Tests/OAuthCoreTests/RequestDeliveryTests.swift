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

/// Pushed and signed authorization requests.
@Suite struct RequestDeliveryTests {
  private let clock = ManualClock()
  private let key: SigningKey

  init() throws { key = try SigningKey.generate(.es256) }

  /// The response of RFC 9126 § 2.2.
  private static let pushed = Fixtures.json(
    #"{"request_uri":"urn:ietf:params:oauth:request_uri:6esc_11ACC5bwc014ltc14eY22c","expires_in":60}"#, status: 201)

  private func client(_ transport: some Transport, _ change: (inout Fixtures.Parties) -> Void) throws -> OAuthClient {
    try Fixtures.client(
      transport, server: Fixtures.fullServer, authentication: .clientSecretPost(Secret("s3cret")), clock: clock,
      set: change)
  }

  private func begin(
    _ client: OAuthClient, parameters: AuthorizationParameters = [:]
  ) async throws -> (pending: PendingAuthorization, query: FormFields) {
    let pending = try await client.begin(["openid", "read"], parameters: parameters)
    return (pending, pending.query)
  }

  // MARK: - Pushed (RFC 9126)

  @Test(arguments: [true, false])
  func requestIsPushedWhereTheServerOrTheRegistrationWantsIt(_ isRequired: Bool) async throws {
    let transport = StubTransport(Self.pushed)
    let client = try client(transport) {
      if isRequired { $0.server.requirePushedAuthorizationRequests = true }
      $0.registration.pushesAuthorizationRequests = !isRequired
    }
    let (pending, query) = try await begin(client, parameters: ["acr_values": "gold"])
    #expect(
      query == ["client_id": "app", "request_uri": "urn:ietf:params:oauth:request_uri:6esc_11ACC5bwc014ltc14eY22c"])
    let request = try #require(transport.requests.first)
    #expect(request.method == .post && request.url.absoluteString == "https://login.example/par")
    #expect(
      request.form == [
        "response_type": "code", "client_id": "app", "redirect_uri": "http://127.0.0.1:4711/callback",
        "scope": "openid read", "state": pending.state.reveal(), "code_challenge": pending.pkce.challenge,
        "code_challenge_method": "S256", "nonce": pending.nonce?.reveal() ?? "", "acr_values": "gold",
        "client_secret": "s3cret",
      ])
  }

  @Test func requestIsNotPushedOtherwise() async throws {
    let transport = StubTransport()
    let (_, query) = try await begin(try client(transport) { _ in })
    #expect(query["state"] != nil && transport.requests.isEmpty)
  }

  @Test(arguments: [(201, "{}"), (201, #"{"request_uri":""}"#), (200, "<html>")])
  func responseWithoutAReferenceIsATypedError(_ status: Int, _ body: String) async throws {
    let client = try client(StubTransport(Fixtures.json(body, status: status))) {
      $0.registration.pushesAuthorizationRequests = true
    }
    await expectError(.invalidResponse) { try await begin(client) }
  }

  // MARK: - Signed (RFC 9101)

  private func object(_ text: String?) throws -> [String: Any] {
    let jws = try JWS(compact: try #require(text))
    #expect(jws.header.type == "oauth-authz-req+jwt" && jws.header.keyID == key.publicJWK.keyID)
    let payload = try jws.payload(verifiedWith: key.publicJWK, allowing: [.es256])
    return try #require(try JSONSerialization.jsonObject(with: Data(payload)) as? [String: Any])
  }

  @Test func signedRequestHoldsEveryParameter() async throws {
    let key = key
    var parameters: AuthorizationParameters = ["claims": #"{"id_token":{"acr":{"essential":true}}}"#]
    parameters.maximumAge = .seconds(90)
    parameters.resources = [URL(literal: "https://one.example/"), URL(literal: "https://two.example")]
    parameters.authorizationDetails = [AuthorizationDetail(type: "payment")]
    let client = try client(StubTransport()) { $0.registration.requestSigning = RequestSigning(key) }
    let (pending, query) = try await begin(client, parameters: parameters)
    #expect(Set(query.map(\.name)) == ["client_id", "request", "response_type", "scope"])
    var object = try object(query["request"])
    #expect((object.removeValue(forKey: "jti") as? String)?.isEmpty == false)
    let text = try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
    let expected = """
      {"aud":"https://login.example","authorization_details":[{"type":"payment"}],\
      "claims":{"id_token":{"acr":{"essential":true}}},"client_id":"app","code_challenge":"\(pending.pkce.challenge)",\
      "code_challenge_method":"S256","exp":1767225900,"iat":1767225600,"iss":"app","max_age":90,"nbf":1767225600,\
      "nonce":"\(pending.nonce?.reveal() ?? "")","redirect_uri":"http://127.0.0.1:4711/callback",\
      "resource":["https://one.example/","https://two.example"],"response_type":"code","scope":"openid read",\
      "state":"\(pending.state.reveal())"}
      """
    #expect(String(decoding: text, as: UTF8.self) == expected)
  }

  /// OpenID Connect Core § 6.1: servers that follow it alone, not RFC 9101, do not look into the object otherwise.
  @Test func signedOpenIDRequestShowsWhatItIs() async throws {
    let key = key
    let client = try client(StubTransport()) { $0.registration.requestSigning = RequestSigning(key) }
    let (_, query) = try await begin(client)
    #expect(query["response_type"] == "code" && query["scope"] == "openid read")
    let pending = try await client.begin(["read"])
    let other = pending.query
    #expect(other.map(\.name) == ["client_id", "request"])
  }

  @Test func signedRequestIsPushed() async throws {
    let key = key
    let transport = StubTransport(Self.pushed)
    let client = try client(transport) {
      $0.server.requirePushedAuthorizationRequests = true
      $0.registration.requestSigning = RequestSigning(key, lifetime: .seconds(60))
    }
    let (pending, query) = try await begin(client)
    #expect(query["request_uri"] != nil && query["request"] == nil)
    let form = try #require(transport.requests.first).form
    #expect(form.map(\.name) == ["client_id", "request", "client_secret"])
    #expect(try object(form["request"])["state"] as? String == pending.state.reveal())
    #expect(try object(form["request"])["exp"] as? Int == 1_767_225_660)
  }
}
