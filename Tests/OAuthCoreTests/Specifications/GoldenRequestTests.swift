// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthFixtures
import OAuthJOSE
import Testing
import TokenStore

/// The exact bytes of every request, by grant and client authentication.
@Suite struct GoldenRequestTests {
  private let clock = ManualClock()

  private func client(
    _ transport: StubTransport, _ authentication: any ClientAuthentication = .none,
    _ change: (inout ClientRegistration) -> Void = { _ in }
  ) throws -> OAuthClient {
    var server = Fixtures.server()
    server.deviceAuthorizationEndpoint = URL(literal: "https://login.example/device")
    server.introspectionEndpoint = URL(literal: "https://login.example/introspect")
    server.pushedAuthorizationRequestEndpoint = URL(literal: "https://login.example/par")
    var registration = ClientRegistration(clientID: "app", authentication: authentication)
    change(&registration)
    return try OAuthClient(server: server, registration: registration, transport: transport, clock: clock)
  }

  /// The requests that `body` makes.
  private func requests(
    _ response: HTTPResponse? = nil, authentication: any ClientAuthentication = .none,
    registration change: (inout ClientRegistration) -> Void = { _ in }, _ body: (OAuthClient) async throws -> Void
  ) async throws -> [HTTPRequest] {
    let token = Fixtures.json(
      """
      {"access_token":"a","token_type":"Bearer",
       "issued_token_type":"urn:ietf:params:oauth:token-type:access_token"}
      """)
    let transport = StubTransport { $0.url.path() == "/token" ? token : response ?? token }
    try await body(client(transport, authentication, change))
    return transport.requests
  }

  private static let form = "Accept: application/json\nContent-Type: application/x-www-form-urlencoded\n\n"

  // MARK: - Authorization code (RFC 6749 § 4.1, RFC 7636 § 4)

  private static let code =
    "grant_type=authorization_code&code=SplxlOBeZQQYbYS6WxSbIA"
    + "&redirect_uri=http%3A%2F%2F127.0.0.1%3A4711%2Fcallback&code_verifier=VERIFIER"

  @Test(
    "A code is exchanged",
    arguments: [
      (.none, "", "&client_id=app"),
      (.clientSecretPost(Secret("s&e=c ret")), "", "&client_id=app&client_secret=s%26e%3Dc+ret"),
      (.clientSecretBasic(Secret("s:1")), "Authorization: Basic YXBwOnMlM0Ex\n", ""),
      (.clientSecretBasicUnencoded(Secret("s:1")), "Authorization: Basic YXBwOnM6MQ==\n", ""),
    ] as [(any ClientAuthentication, String, String)])
  func code(_ authentication: any ClientAuthentication, _ field: String, _ parameters: String) async throws {
    let sent = try await requests(authentication: authentication) { client in
      let pending = try await client.beginAuthorization(scopes: [], redirectURI: Fixtures.redirect)
      _ = try await client.completeAuthorization(
        pending, callback: Fixtures.callback(pending, "code=SplxlOBeZQQYbYS6WxSbIA&state=STATE"))
    }
    let fields = Self.form.replacing("\nContent", with: "\n\(field)Content")
    #expect(
      sent.map { $0.golden(hiding: ["code_verifier": "VERIFIER"]) }
        == ["POST https://login.example/token\n\(fields)\(Self.code)\(parameters)"])
    #expect(sent[0].form["code_verifier"]?.utf8.count == 43)
  }

  @Test("A code is exchanged with a signed assertion (RFC 7523 § 2.2)", arguments: ["private", "shared"])
  func codeWithAnAssertion(_ kind: String) async throws {
    let key = try SigningKey.generate(.es256)
    let authentication: any ClientAuthentication =
      kind == "private" ? .privateKeyJWT(key) : try .clientSecretJWT(Secret("0123456789abcdef0123456789abcdef"))
    let sent = try await requests(authentication: authentication) { client in
      let pending = try await client.beginAuthorization(scopes: [], redirectURI: Fixtures.redirect)
      _ = try await client.completeAuthorization(
        pending, callback: Fixtures.callback(pending, "code=SplxlOBeZQQYbYS6WxSbIA&state=STATE"))
    }
    #expect(
      sent.map { $0.golden(hiding: ["code_verifier": "VERIFIER", "client_assertion": "JWT"]) } == [
        "POST https://login.example/token\n\(Self.form)\(Self.code)&client_id=app"
          + "&client_assertion_type=urn%3Aietf%3Aparams%3Aoauth%3Aclient-assertion-type%3Ajwt-bearer"
          + "&client_assertion=JWT"
      ])
  }

  /// RFC 8705 § 2: the identifier alone, and § 5: to the endpoint for certificates.
  @Test("A code is exchanged, tokens refreshed and revoked with a certificate", arguments: [false, true])
  func certificate(_ hasAliases: Bool) async throws {
    var server = Fixtures.server()
    if hasAliases {
      server.mtlsEndpointAliases = [
        "token_endpoint": URL(literal: "https://mtls.login.example/token"),
        "revocation_endpoint": URL(literal: "https://mtls.login.example/revoke"),
      ]
    }
    let transport = StubTransport { _ in Fixtures.json(#"{"access_token":"a","token_type":"Bearer"}"#) }
    let client = try OAuthClient(
      server: server, registration: ClientRegistration(clientID: "app", authentication: .tlsClientCertificate),
      transport: transport, clock: clock)
    let pending = try await client.beginAuthorization(scopes: [], redirectURI: Fixtures.redirect)
    _ = try await client.completeAuthorization(
      pending, callback: Fixtures.callback(pending, "code=SplxlOBeZQQYbYS6WxSbIA&state=STATE"))
    _ = try await client.refresh(Fixtures.expired(clock))
    let revoking = StubTransport { _ in Fixtures.json("") }
    try await OAuthClient(
      server: server, registration: client.registration, transport: revoking, clock: clock
    ).revoke(Fixtures.expired(clock))
    let host = hasAliases ? "mtls.login.example" : "login.example"
    #expect(
      (transport.requests + revoking.requests).map { $0.golden(hiding: ["code_verifier": "VERIFIER"]) } == [
        "POST https://\(host)/token\n\(Self.form)\(Self.code)&client_id=app",
        "POST https://\(host)/token\n\(Self.form)grant_type=refresh_token&refresh_token=refresh-1&client_id=app",
        "POST https://\(host)/revoke\n\(Self.form)token=refresh-1&token_type_hint=refresh_token&client_id=app",
        "POST https://\(host)/revoke\n\(Self.form)token=access-1&token_type_hint=access_token&client_id=app",
      ])
  }

  @Test func authorizationRequest() async throws {
    let pending = try await client(StubTransport()).beginAuthorization(
      scopes: ["openid", "a b"], redirectURI: Fixtures.redirect, prompt: [.consent], loginHint: "ada@example.com",
      parameters: ["access_type": "offline"])
    let url = pending.authorizationURL.absoluteString
      .replacing(pending.state.reveal(), with: "STATE").replacing(pending.pkce.challenge, with: "CHALLENGE")
      .replacing(pending.nonce?.reveal() ?? "none", with: "NONCE")
    #expect(
      url == "https://login.example/authorize?response_type=code&client_id=app"
        + "&redirect_uri=http%3A%2F%2F127.0.0.1%3A4711%2Fcallback&scope=openid+a+b&state=STATE"
        + "&code_challenge=CHALLENGE&code_challenge_method=S256&nonce=NONCE&access_type=offline"
        + "&login_hint=ada%40example.com&prompt=consent")
  }

  /// RFC 9126 § 2.1.
  @Test func pushedAuthorizationRequest() async throws {
    let pushed = Fixtures.json(
      #"{"request_uri":"urn:example:bwc4JK-ESC0w8acc191e-Y1LTC2","expires_in":90}"#, status: 201)
    var url = ""
    let sent = try await requests(
      pushed, authentication: .clientSecretPost(Secret("s")), registration: { $0.pushesAuthorizationRequests = true }
    ) {
      url = try await $0.beginAuthorization(scopes: ["a"], redirectURI: Fixtures.redirect).authorizationURL
        .absoluteString
    }
    #expect(
      sent.map { $0.golden(hiding: ["state": "STATE", "code_challenge": "CHALLENGE"]) } == [
        "POST https://login.example/par\n\(Self.form)response_type=code&client_id=app"
          + "&redirect_uri=http%3A%2F%2F127.0.0.1%3A4711%2Fcallback&scope=a&state=STATE"
          + "&code_challenge=CHALLENGE&code_challenge_method=S256&client_secret=s"
      ])
    #expect(
      url == "https://login.example/authorize?client_id=app"
        + "&request_uri=urn%3Aexample%3Abwc4JK-ESC0w8acc191e-Y1LTC2")
  }

  // MARK: - The other grants

  /// RFC 6749 § 6, RFC 8707 § 2.2.
  @Test func refresh() async throws {
    var token = Fixtures.expired(clock, refreshToken: "tGzv3JOkF0XG5Qx2TlKWIA")
    token.resources = ["https://api.example/v1"]
    let sent = try await requests { _ = try await $0.refresh(token) }
    #expect(
      sent.map { $0.golden() } == [
        "POST https://login.example/token\n\(Self.form)grant_type=refresh_token"
          + "&refresh_token=tGzv3JOkF0XG5Qx2TlKWIA&resource=https%3A%2F%2Fapi.example%2Fv1&client_id=app"
      ])
  }

  /// RFC 6749 § 4.4.2.
  @Test func clientCredentials() async throws {
    let sent = try await requests(authentication: .clientSecretPost(Secret("s"))) {
      _ = try await ClientCredentials(client: $0, scopes: ["a", "b"]).accessToken()
    }
    #expect(
      sent.map { $0.golden() } == [
        "POST https://login.example/token\n\(Self.form)grant_type=client_credentials&scope=a+b&client_id=app"
          + "&client_secret=s"
      ])
  }

  /// RFC 7523 § 2.1.
  @Test func assertion() async throws {
    let key = try SigningKey.generate(.es256)
    let sent = try await requests {
      _ = try await JWTBearer(client: $0, issuer: "i", subject: "s", key: key, scopes: ["a"]).accessToken()
    }
    #expect(
      sent.map { $0.golden(hiding: ["assertion": "JWT"]) } == [
        "POST https://login.example/token\n\(Self.form)"
          + "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=JWT&scope=a&client_id=app"
      ])
  }

  /// RFC 8693 § 2.1.
  @Test func exchange() async throws {
    let exchange = TokenExchange(of: .jwt, requestedType: .accessToken, audience: ["one", "two"], scopes: ["a"])
    let sent = try await requests { _ = try await $0.exchange(Secret("subject"), actor: Secret("actor"), by: exchange) }
    let type = "urn%3Aietf%3Aparams%3Aoauth%3Atoken-type%3A"
    #expect(
      sent.map { $0.golden() } == [
        "POST https://login.example/token\n\(Self.form)"
          + "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Atoken-exchange&subject_token=subject"
          + "&subject_token_type=\(type)jwt&actor_token=actor&actor_token_type=\(type)access_token"
          + "&requested_token_type=\(type)access_token&audience=one&audience=two&scope=a&client_id=app"
      ])
  }

  /// RFC 8628 § 3.1, § 3.4.
  @Test func device() async throws {
    let clock = ManualClock(skipsWaits: true)
    let begun = Fixtures.json(
      #"{"device_code":"GmRh","user_code":"WDJB","verification_uri":"https://login.example/d","expires_in":60}"#)
    let transport = StubTransport(begun, Fixtures.json(#"{"access_token":"a"}"#))
    var server = Fixtures.server()
    server.deviceAuthorizationEndpoint = URL(literal: "https://login.example/device")
    let client = try OAuthClient(
      server: server, registration: ClientRegistration(clientID: "app"), transport: transport, clock: clock)
    _ = try await client.completeDeviceAuthorization(client.beginDeviceAuthorization(scopes: ["a", "b"]))
    #expect(
      transport.requests.map { $0.golden() } == [
        "POST https://login.example/device\n\(Self.form)client_id=app&scope=a+b",
        "POST https://login.example/token\n\(Self.form)"
          + "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&device_code=GmRh&client_id=app",
      ])
  }

  /// RFC 8628 § 3.1: oauthlib's servers look for the identifier also where Basic credentials have it.
  @Test func deviceWithBasicCredentials() async throws {
    let begun = Fixtures.json(
      #"{"device_code":"GmRh","user_code":"WDJB","verification_uri":"https://login.example/d","expires_in":60}"#)
    let sent = try await requests(begun, authentication: .clientSecretBasic(Secret("s"))) {
      _ = try await $0.beginDeviceAuthorization(scopes: ["a"])
    }
    #expect(
      sent.map { $0.golden() } == [
        "POST https://login.example/device\nAccept: application/json\nAuthorization: Basic YXBwOnM=\n"
          + "Content-Type: application/x-www-form-urlencoded\n\nclient_id=app&scope=a"
      ])
  }

  // MARK: - The other endpoints

  /// RFC 7009 § 2.1: the refresh token first.
  @Test func revocation() async throws {
    let sent = try await requests(Fixtures.json("")) { try await $0.revoke(Fixtures.expired(clock)) }
    #expect(
      sent.map { $0.golden() } == [
        "POST https://login.example/revoke\n\(Self.form)token=refresh-1&token_type_hint=refresh_token&client_id=app",
        "POST https://login.example/revoke\n\(Self.form)token=access-1&token_type_hint=access_token&client_id=app",
      ])
  }

  /// RFC 7662 § 2.1.
  @Test func introspection() async throws {
    let sent = try await requests(Fixtures.json(#"{"active":false}"#), authentication: .clientSecretBasic(Secret("s")))
    {
      let introspection = try await $0.introspect(Secret("mF_9.B5f-4.1JqM"), hint: .accessToken)
      #expect(!introspection.isActive)
    }
    #expect(
      sent.map { $0.golden() } == [
        "POST https://login.example/introspect\nAccept: application/json\nAuthorization: Basic YXBwOnM=\n"
          + "Content-Type: application/x-www-form-urlencoded\n\ntoken=mF_9.B5f-4.1JqM&token_type_hint=access_token"
      ])
  }

  /// RFC 7591 § 3.1, RFC 7592 § 2.
  @Test func registration() async throws {
    var server = Fixtures.server()
    server.registrationEndpoint = URL(literal: "https://login.example/register")
    let registered = Fixtures.json(
      """
      {"client_id":"x","client_secret":"s","registration_access_token":"t",
       "registration_client_uri":"https://login.example/register/x"}
      """, status: 201)
    let transport = StubTransport(registered, registered, registered, HTTPResponse(status: 204))
    let registrar = ClientRegistrar(server: server, transport: transport)
    let metadata = ClientMetadata(clientName: "Reports", redirectURIs: [Fixtures.redirect])
    let client = try await registrar.register(metadata, initialAccessToken: Secret("first"))
    _ = try await registrar.read(client)
    _ = try await registrar.update(client, to: metadata)
    try await registrar.delete(client)
    let members = #""client_name":"Reports""#
    let uris = #""redirect_uris":["http://127.0.0.1:4711/callback"]"#
    let accept = "Accept: application/json\nAuthorization: Bearer "
    let json = "\nContent-Type: application/json\n\n"
    #expect(
      transport.requests.map { $0.golden() } == [
        "POST https://login.example/register\n\(accept)first\(json){\(members),\(uris)}",
        "GET https://login.example/register/x\n\(accept)t\n\n",
        "PUT https://login.example/register/x\n\(accept)t\(json)"
          + #"{"client_id":"x",\#(members),"client_secret":"s",\#(uris)}"#,
        "DELETE https://login.example/register/x\n\(accept)t\n\n",
      ])
  }
}
