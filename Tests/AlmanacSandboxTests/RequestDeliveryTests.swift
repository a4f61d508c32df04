// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthJOSE
import Testing
import TokenStore

@Suite struct RequestDeliveryTests {
  private static let secret = Secret("sandbox-secret")
  private let key: SigningKey

  init() throws { key = try SigningKey.generate(.es256) }

  private func harness(_ change: (inout Sandbox.Configuration) -> Void = { _ in }) throws -> SandboxHarness {
    var client = Sandbox.Client(
      id: "app", name: "App", redirectURIs: [SandboxHarness.redirectURI], authentication: .clientSecretPost(Self.secret)
    )
    client.requestObjectKeys = JWKSet([key.publicJWK])
    return try SandboxHarness {
      $0.clients = [.native, client]
      $0.resources = ["https://api.example/", "https://other.example/"]
      $0.authorizationDetailsTypes = ["payment"]
      change(&$0)
    }
  }

  @Test func clientSignsInByEachWay() async throws {
    let key = key
    var parameters: AuthorizationParameters = [:]
    parameters.resources = [URL(literal: "https://api.example/")]
    parameters.authorizationDetails = [try AuthorizationDetail(type: "payment", ["currency": "EUR"])]
    for (pushes, signs) in [(false, false), (true, false), (false, true), (true, true)] {
      let harness = try harness { $0.requiresPushedAuthorizationRequests = pushes }
      var registration = ClientRegistration(clientID: "app", authentication: .clientSecretPost(Self.secret))
      registration.requestSigning = signs ? RequestSigning(key) : nil
      let token = try await harness.signIn(harness.client(registration), parameters: parameters)
      #expect(harness.sandbox.requestCount(.pushedAuthorization) == (pushes ? 1 : 0))
      #expect(token.resources == ["https://api.example/"])
      #expect(try token.grantedDetails.first?.decode([String: String].self)["currency"] == "EUR")
    }
  }

  private func requestObject(
    of client: String = "app", _ changes: [String: (any Sendable)?] = [:], key: SigningKey,
    type: String = "oauth-authz-req+jwt"
  ) throws -> String {
    var claims: [String: any Sendable] = [
      "iss": client, "aud": SandboxHarness.base, "exp": 1_767_225_660, "client_id": client, "response_type": "code",
      "redirect_uri": SandboxHarness.redirectURI, "scope": "email", "code_challenge": SandboxHarness.challenge,
      "code_challenge_method": "S256", "state": "s",
    ]
    for (name, value) in changes { claims[name] = value }
    return try JWS.sign(Array(try JSONSerialization.data(withJSONObject: claims)), with: key, type: type)
  }

  /// A client with `jwks` and no other keys: configured, and registered with each way to authenticate.
  @Test(arguments: ["configured", "private_key_jwt", "client_secret_basic", "none"])
  func requestObjectIsVerifiedWithTheOnlyKeysOfAClient(_ client: String) async throws {
    let keys = JWKSet([key.publicJWK])
    let harness = try harness {
      $0.registrationAccess = .open
      $0.clients[1].id = "configured"
      $0.clients[1].requestObjectKeys = nil
      $0.clients[1].authentication = .privateKeyJWT(keys)
    }
    var id = client
    if client != "configured" {
      let metadata = try JSONSerialization.data(withJSONObject: [
        "redirect_uris": [SandboxHarness.redirectURI], "token_endpoint_auth_method": client,
        "jwks": try JSONSerialization.jsonObject(with: JSONEncoder().encode(keys)),
      ])
      let url = URL(literal: "https://sandbox.example/register")
      let registered = try await harness.send(
        HTTPRequest(.post, url, fields: ["Content-Type": "application/json"], body: Array(metadata)))
      id = registered["client_id"] ?? "\(registered.text)"
    }
    func approve(_ key: SigningKey) throws -> URL {
      try harness.sandbox.approve(harness.url(["client_id": id, "request": requestObject(of: id, key: key)]))
    }
    #expect(harness.parameters(of: try approve(key))["code"] != nil)
    #expect(throws: SandboxError.self) { try approve(SigningKey.generate(.es256)) }
  }

  @Test func requestObjectIsChecked() async throws {
    let harness = try harness()
    func approve(_ changes: [String: (any Sendable)?], key: SigningKey, type: String = "oauth-authz-req+jwt") throws
      -> URL
    {
      let text = try requestObject(changes, key: key, type: type)
      return try harness.sandbox.approve(harness.url(["client_id": "app", "request": text]))
    }
    #expect(harness.parameters(of: try approve([:], key: key))["code"] != nil)
    let bad: [[String: (any Sendable)?]] = [
      ["iss": "other"], ["aud": "https://other.example"], ["exp": 1_767_225_600], ["exp": nil],
      ["client_id": "almanac"],
      ["request": "x"], ["request_uri": "x"],
    ]
    for changes in bad { #expect(throws: SandboxError.self, "\(changes)") { try approve(changes, key: key) } }
    #expect(throws: SandboxError.self) { try approve([:], key: key, type: "JWT") }
    #expect(throws: SandboxError.self) { try approve([:], key: SigningKey.generate(.es256)) }
  }

  @Test func tokenIsForNoOtherServiceThanTheUserWasAskedAbout() async throws {
    let harness = try harness()
    let code = try harness.code(["resource": "https://api.example/"])
    #expect(try await harness.redeem(code, ["resource": "https://other.example/"])["error"] == "invalid_target")
    let again = try harness.code(["resource": "https://api.example/"])
    #expect(try await harness.redeem(again, ["resource": "https://api.example/"]).status == 200)
    let unknown = try harness.code()
    #expect(try await harness.redeem(unknown, ["resource": "https://evil.example/"])["error"] == "invalid_target")
  }
}
