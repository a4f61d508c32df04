// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthJOSE
import Testing
import Timekeeping
import TokenStore

/// Registration and introspection.
@Suite struct RegistrationTests {
  private static let redirect = URL(literal: "http://127.0.0.1:49152/callback")

  private func harness(_ access: Sandbox.RegistrationAccess? = .open) throws -> SandboxHarness {
    try SandboxHarness {
      $0.clients = [
        .native, .init(id: "api", name: "API", redirectURIs: [], authentication: .clientSecretPost(Secret("s"))),
      ]
      $0.registrationAccess = access
    }
  }

  private func provider(_ harness: SandboxHarness) -> Provider {
    harness.sandbox.provider(at: URL(literal: "https://sandbox.example/"))
  }

  @Test func registeredClientSignsInIsChangedAndRemoved() async throws {
    let harness = try harness()
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

  @Test func metadataIsChecked() async throws {
    let harness = try harness()
    let registrar = ClientRegistrar(server: provider(harness).server, transport: harness.transport)
    func refusal(_ change: (inout ClientMetadata) -> Void) async -> String? {
      var metadata = ClientMetadata(redirectURIs: [Self.redirect])
      change(&metadata)
      return await #expect(throws: OAuthError.self) { try await registrar.register(metadata) }?.serverCode
    }
    #expect(await refusal { $0.redirectURIs = nil } == "invalid_redirect_uri")
    #expect(await refusal { $0.redirectURIs = [URL(literal: "http://app.example/")] } == "invalid_redirect_uri")
    #expect(await refusal { $0.redirectURIs = [URL(literal: "https://app.example/#x")] } == "invalid_redirect_uri")
    #expect(await refusal { $0.tokenEndpointAuthMethod = "new" } == "invalid_client_metadata")
    #expect(await refusal { $0.tokenEndpointAuthMethod = "private_key_jwt" } == "invalid_client_metadata")
    #expect(await refusal { $0.grantTypes = ["password"] } == "invalid_client_metadata")
    #expect(await refusal { $0.softwareStatement = "x" } == "unapproved_software_statement")
    #expect(try await harness.post("/register", ["a": "b"])["error"] == "invalid_client_metadata")
  }

  @Test func registrationMayNeedAToken() async throws {
    let harness = try harness(.withToken(Secret("initial")))
    let registrar = ClientRegistrar(server: provider(harness).server, transport: harness.transport)
    let metadata = ClientMetadata(redirectURIs: [Self.redirect])
    for token in [nil, Secret("wrong")] {
      let error = await #expect(throws: OAuthError.self) {
        try await registrar.register(metadata, initialAccessToken: token)
      }
      #expect(error?.serverCode == "invalid_token")
    }
    _ = try await registrar.register(metadata, initialAccessToken: Secret("initial"))
    #expect(provider(try self.harness(nil)).server.registrationEndpoint == nil)
  }

  @Test func tokenIsIntrospected() async throws {
    let harness = try harness()
    let client = try OAuthClient(
      provider: provider(harness),
      registration: ClientRegistration(clientID: "api", authentication: .clientSecretPost(Secret("s"))),
      transport: harness.transport, clock: harness.clock)
    let answer = try await harness.signIn(scope: "email")
    let (access, refresh) = (try #require(answer["access_token"]), try #require(answer["refresh_token"]))
    let found = try await client.introspect(Secret(access))
    #expect(found.isActive && found.scopes == ["email"] && found.clientID == "almanac" && found.tokenType == "Bearer")
    #expect(found.expiresAt == harness.clock.now + .seconds(3600) && found.issuer == SandboxHarness.base)
    #expect(try await client.introspect(Secret(refresh), hint: .refreshToken).isActive)
    #expect(try await client.introspect(Secret("forged")).isActive == false)
    harness.sandbox.revokeGrants()
    #expect(try await client.introspect(Secret(access)).isActive == false)
    let anonymous = try await harness.post("/introspect", ["token": access, "client_id": "almanac"])
    #expect(anonymous["error"] == "invalid_client")
    #expect(
      try await harness.post("/introspect", ["client_id": "api", "client_secret": "s"])["error"] == "invalid_request")
  }
}
