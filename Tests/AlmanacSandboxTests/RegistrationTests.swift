// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import Foundation
import HTTPTransport
import OAuthCore
import OAuthJOSE
import Testing

/// The client's side; `registration.txt` has the endpoint and its errors.
@Suite struct RegistrationTests {
  private static let redirect = URL(literal: "http://127.0.0.1:49152/callback")

  @Test func registeredClientSignsInIsChangedAndRemoved() async throws {
    let harness = try SandboxHarness { $0.registrationAccess = .open }
    #expect(harness.sandbox.provider().server.registrationEndpoint != nil)
    let key = try SigningKey.generate(.es256)
    let server = try await ServerMetadata.discover(issuer: SandboxHarness.base, transport: harness.transport)
    let registrar = ClientRegistrar(server: server, transport: harness.transport)
    for method in ["none", "client_secret_basic", "client_secret_post", "client_secret_jwt", "private_key_jwt"] {
      var metadata = ClientMetadata(clientName: "App", redirectURIs: [Self.redirect], tokenEndpointAuthMethod: method)
      if method == "private_key_jwt" { metadata.jwks = JWKSet([key.publicJWK]) }
      let registered = try await registrar.register(metadata)
      let client = try OAuthClient(
        server: server, registration: registered.registration(signingWith: key), transport: harness.transport,
        clock: harness.clock)
      let pending = try await client.beginAuthorization(scopes: ["email"], redirectURI: Self.redirect)
      let token = try await client.completeAuthorization(
        pending, callback: try harness.sandbox.approve(pending.authorizationURL))
      var changed = registered.metadata
      changed.clientName = "Renamed"
      let updated = try await registrar.update(try await registrar.read(registered), to: changed)
      #expect(updated.metadata.clientName == "Renamed" && updated.clientSecret == registered.clientSecret)
      try await registrar.delete(updated)
      await #expect(throws: OAuthError.self) { try await client.refresh(token) }
      await #expect(throws: OAuthError.self) { try await registrar.read(updated) }
    }
  }
}
