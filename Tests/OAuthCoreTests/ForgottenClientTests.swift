// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import HTTPTransport
import OAuthCore
import OAuthFixtures
import Testing
import TokenStore

/// Clients that register by what their server supports, and that it may forget.
@Suite struct ForgottenClientTests {
  private func isKnown(_ response: HTTPResponse) async throws -> Bool {
    try await Fixtures.client(StubTransport(response)).isKnownToServer(redirectURI: Fixtures.redirect)
  }

  @Test(arguments: [
    ("invalid_client", 401, false, "RFC 6749 § 5.2"), ("unauthorized_client", 401, false, "older MCP servers"),
    ("incorrect_client_credentials", 200, false, "GitHub"),
    ("invalid_grant", 400, true, "the code is refused, the client is not"), ("invalid_request", 400, true, ""),
    ("invalid_dpop_proof", 400, true, ""),
  ])
  func onlyARefusalOfTheClientMeansThatItIsForgotten(
    _ code: String, _ status: Int, _ isKnown: Bool, _ reason: String
  ) async throws {
    let response = Fixtures.json(#"{"error":"\#(code)"}"#, status: status)
    #expect(try await self.isKnown(response) == isKnown, "\(reason)")
  }

  @Test func responseWithoutAnErrorSaysNothing() async throws {
    #expect(try await isKnown(HTTPResponse(status: 404)))
    #expect(try await isKnown(HTTPResponse(status: 200)))
    await expectError(.serverUnavailable) { try await isKnown(HTTPResponse(status: 503)) }
  }

  @Test(
    arguments: [
      (nil, "none"), (["client_secret_basic", "none"], "none"),
      (["client_secret_post", "client_secret_basic"], "client_secret_post"),
      (["client_secret_basic", "client_secret_post"], "client_secret_basic"),
      (["private_key_jwt", "client_secret_post"], "client_secret_post"), (["client_secret_jwt"], "client_secret_jwt"),
      (["tls_client_auth"], nil), (["private_key_jwt"], nil), ([], "none"),
    ] as [([String]?, String?)])
  func registrationChoosesAMethodThatTheServerLists(_ listed: [String]?, _ chosen: String?) throws {
    var server = Fixtures.server()
    server.tokenEndpointAuthMethodsSupported = listed
    if let chosen {
      #expect(try ClientMetadata().authenticating(at: server).tokenEndpointAuthMethod == chosen)
    } else {
      let error = #expect(throws: OAuthError.self) { try ClientMetadata().authenticating(at: server) }
      #expect(error?.code == .clientRequired && listed.map { error?.message.contains($0[0]) == true } == true)
    }
    let own = ClientMetadata(tokenEndpointAuthMethod: "client_secret_post")
    #expect(try own.authenticating(at: server).tokenEndpointAuthMethod == "client_secret_post")
  }
}
