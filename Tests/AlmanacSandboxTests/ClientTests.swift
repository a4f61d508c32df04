// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import Foundation
import HTTPTransport
import OAuthCore
import OAuthJOSE
import Testing
import TokenStore

/// The library's client with the sandbox: its authentication, grants and registration.
@Suite struct ClientTests {
  private static let secret = Secret("a secret of at least thirty-two bytes")
  private static let certificate: [UInt8] = Array("certificate".utf8)

  private func harness(_ authentication: Sandbox.Client.Authentication) throws -> SandboxHarness {
    try SandboxHarness {
      $0.clients = [
        .init(id: "app", name: "App", redirectURIs: [SandboxHarness.redirectURI], authentication: authentication)
      ]
    }
  }

  private func signIn(
    _ harness: SandboxHarness, _ authentication: any ClientAuthentication, certificate: [UInt8]? = nil
  ) async throws -> StoredToken {
    let client = try harness.client(
      ClientRegistration(clientID: "app", authentication: authentication),
      transport: PresentingTransport(base: harness.transport, certificate: certificate))
    return try await harness.signIn(client)
  }

  @Test func everyMethodSignsIn() async throws {
    let key = try SigningKey.generate(.es256)
    let byKey = try await signIn(try harness(.privateKeyJWT(JWKSet([key.publicJWK]))), .privateKeyJWT(key))
    #expect(byKey.scopes == ["email"])
    _ = try await signIn(try harness(.clientSecretJWT(Self.secret)), try .clientSecretJWT(Self.secret))
    let harness = try harness(.tlsClientCertificate(Self.certificate))
    _ = try await signIn(harness, .tlsClientCertificate, certificate: Self.certificate)
    await #expect(throws: OAuthError.self) { try await signIn(harness, .tlsClientCertificate) }
  }

  /// A transport with a proxy that passes the client's certificate on.
  private struct PresentingTransport: Transport {
    let base: any Transport
    let certificate: [UInt8]?
    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      var request = request
      request.fields["Client-Cert"] = certificate.map { ":\(Data($0).base64EncodedString()):" }
      return try await base.send(request)
    }
  }

  private static let good: [String: any Sendable] = [
    "iss": "app", "sub": "app", "aud": SandboxHarness.base, "exp": 1_767_225_660, "iat": 1_767_225_600, "jti": "1",
  ]

  private func answer(
    _ harness: SandboxHarness, _ key: SigningKey, _ changes: [String: (any Sendable)?],
    form: KeyValuePairs<String, String?> = [:]
  ) async throws -> Answer {
    var claims: [String: any Sendable] = Self.good
    for (name, value) in changes { claims[name] = value }
    let text = try JWS.sign(Array(try JSONSerialization.data(withJSONObject: claims)), with: key)
    var fields: FormFields = [
      "grant_type": "refresh_token", "refresh_token": "x", "client_assertion": text,
      "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    ]
    for (name, value) in form { fields[name] = value }
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

  @Test func registeredMethodIsTheOnlyOne() async throws {
    let key = try SigningKey.generate(.es256)
    for authentication: Sandbox.Client.Authentication in [
      .none, .clientSecretPost(Self.secret), .clientSecretJWT(Self.secret), .tlsClientCertificate(Self.certificate),
    ] {
      #expect(try await answer(try harness(authentication), key, [:])["error"] == "invalid_client")
    }
    await #expect(throws: OAuthError.self) {
      try await signIn(try harness(.privateKeyJWT(JWKSet([key.publicJWK]))), .none)
    }
  }

  /// The refusals are in `token.txt`.
  @Test func everyGrantOfAServiceLeadsToAToken() async throws {
    let key = try SigningKey.generate(.es256)
    let keys = JWKSet([key.publicJWK])
    let harness = try SandboxHarness {
      $0.clients.append(
        .init(id: "service", name: "Service", redirectURIs: [], authentication: .privateKeyJWT(keys)))
      $0.assertionIssuers = ["reports": keys]
      $0.exchangeAudiences = ["backend"]
    }
    let client = try harness.client(ClientRegistration(clientID: "service", authentication: .privateKeyJWT(key)))
    let own = try await ClientCredentials(client: client, scopes: [Scope(SandboxHarness.calendarScope)]).accessToken()
    #expect(try await harness.isGood(own.value.reveal()))
    let asserted = JWTBearer(client: client, issuer: "reports", subject: "ada", key: key) {
      $0.audience = .tokenEndpoint
      $0.claims = ["scope": "profile"]
    }
    #expect(try await asserted.accessToken().scopes == ["profile"])
    let subject = Secret(try await harness.accessToken(scope: "email profile"))
    let exchanged = try await client.exchange(subject, by: TokenExchange(audience: ["backend"], scopes: ["email"]))
    #expect(exchanged.token.scopes == ["email"] && exchanged.issuedType == .accessToken)
  }

  /// `registration.txt` has the endpoint and its errors.
  @Test func registeredClientSignsInIsChangedAndRemoved() async throws {
    let harness = try SandboxHarness { $0.registrationAccess = .open }
    #expect(harness.sandbox.provider().server.registrationEndpoint != nil)
    let key = try SigningKey.generate(.es256)
    let server = try await ServerMetadata.discover(issuer: SandboxHarness.base, transport: harness.transport)
    let registrar = ClientRegistrar(server: server, transport: harness.transport)
    let redirect = URL(literal: "http://127.0.0.1:49152/callback")
    for method in ["none", "client_secret_basic", "client_secret_post", "client_secret_jwt", "private_key_jwt"] {
      var metadata = ClientMetadata(clientName: "App", redirectURIs: [redirect], tokenEndpointAuthMethod: method)
      if method == "private_key_jwt" { metadata.jwks = JWKSet([key.publicJWK]) }
      let registered = try await registrar.register(metadata)
      let client = try OAuthClient(
        server: server, registration: registered.registration(signingWith: key), transport: harness.transport,
        clock: harness.clock)
      let token = try await harness.signIn(client)
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
