// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import Foundation
import HTTPTransport
import OAuthJOSE
import Testing

/// Clients that authenticate by an assertion.
@Suite struct ClientTests {
  private func harness(_ authentication: Sandbox.Client.Authentication) throws -> SandboxHarness {
    try SandboxHarness {
      $0.clients = [
        .init(id: "app", name: "App", redirectURIs: [SandboxHarness.redirectURI], authentication: authentication)
      ]
    }
  }

  private static let good: [String: any Sendable] = [
    "iss": "app", "sub": "app", "aud": SandboxHarness.base, "exp": 1_767_225_660, "iat": 1_767_225_600, "jti": "1",
  ]

  private func answer(
    _ harness: SandboxHarness, _ key: SigningKey, _ changes: [String: (any Sendable)?]
  ) async throws -> Answer {
    var claims: [String: any Sendable] = Self.good
    for (name, value) in changes { claims[name] = value }
    let text = try JWS.sign(Array(try JSONSerialization.data(withJSONObject: claims)), with: key)
    let fields: FormFields = [
      "grant_type": "refresh_token", "refresh_token": "x", "client_assertion": text,
      "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    ]
    return try await harness.post("/token", fields)
  }

  @Test func onlyAGoodAssertionAuthenticates() async throws {
    let key = try SigningKey.generate(.es256)
    let harness = try harness(.privateKeyJWT(JWKSet([key.publicJWK])))
    // Who is authenticated is refused for the refresh token.
    #expect(try await answer(harness, key, [:])["error"] == "invalid_grant")
    #expect(try await answer(harness, key, [:])["error"] == "invalid_client", "It was used before.")
    let endpoint = SandboxHarness.base + "/token"
    #expect(try await answer(harness, key, ["jti": "2", "aud": ["x", endpoint]])["error"] == "invalid_grant")
    let bad: [[String: (any Sendable)?]] = [
      ["iss": "other"], ["sub": "other"], ["aud": "https://other.example"], ["exp": 1_767_225_600], ["exp": nil],
      ["exp": 1_767_229_201], ["iat": 1_767_225_601], ["nbf": 1_767_225_601], ["jti": nil], ["jti": ""],
    ]
    for (index, changes) in bad.enumerated() {
      let changes = ["jti": "bad \(index)"].merging(changes) { $1 }
      let refused = try await answer(harness, key, changes)
      #expect(refused["error"] == "invalid_client", "\(changes)")
      #expect(refused.status == 401)
    }
    let stranger = try SigningKey.generate(.es256)
    #expect(try await answer(harness, stranger, ["jti": "3"])["error"] == "invalid_client")
  }
}
