// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthFixtures
import Testing
import TokenStore

/// The client authentication methods that each endpoint lists.
@Suite struct EndpointAuthenticationTests {
  private static let basic = "client_secret_basic"
  private static let post = "client_secret_post"

  /// Returns the methods by which a client with a secret authenticates at the endpoints for revocation and introspection.
  private func methods(
    token: [String]?, revocation: [String]? = nil, introspection: [String]? = nil
  ) async throws -> [String] {
    let transport = StubTransport { request in
      request.url.path() == "/introspect" ? Fixtures.json(#"{"active":true}"#) : HTTPResponse(status: 200)
    }
    let client = try Fixtures.client(
      transport, server: Fixtures.fullServer, authentication: .clientSecret(Secret("s3cret"))
    ) {
      $0.server.tokenEndpointAuthMethodsSupported = token
      $0.server.revocationEndpointAuthMethodsSupported = revocation
      $0.server.introspectionEndpointAuthMethodsSupported = introspection
    }
    try await client.revoke(
      StoredToken(accessToken: Secret("access-1"), issuer: "https://login.example", clientID: "app"))
    _ = try await client.introspect(Secret("access-1"))
    return transport.requests.map { $0.form["client_secret"] == nil ? Self.basic : Self.post }
  }

  @Test func listOfTheEndpointDecides() async throws {
    #expect(try await methods(token: [Self.basic], revocation: [Self.post]) == [Self.post, Self.basic])
    #expect(try await methods(token: [Self.post], introspection: [Self.basic]) == [Self.post, Self.basic])
  }

  @Test(arguments: [nil, [], ["none"], ["private_key_jwt", "bearer"]])
  func listWithoutAMethodThatUsesASecretLeavesItToTheTokenEndpoint(_ list: [String]?) async throws {
    #expect(try await methods(token: [Self.post], revocation: list, introspection: list) == [Self.post, Self.post])
    #expect(try await methods(token: nil, revocation: list, introspection: list) == [Self.basic, Self.basic])
  }
}
