// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthFixtures
import OAuthJOSE
import Testing
import Timekeeping
import TokenStore

/// Every provider's data against a server that speaks as the vendor documents: sign-in, refresh, refusals.
@Suite struct ProviderDialectTests {
  /// A provider, and how its server speaks by the vendor's own pages, independently of the provider's quirks.
  struct Subject: Sendable, CustomTestStringConvertible {
    let provider: Provider
    var dialect = Sandbox.Dialect()
    /// The client's authentication method.
    var authentication = Sandbox.Client.Authentication.clientSecretPost(Secret("s3cret"))
    /// Whether every refresh replaces the refresh token.
    var rotates = true
    var testDescription: String { provider.name }

    init(_ provider: Provider, _ change: (inout Subject) -> Void = { _ in }) {
      self.provider = provider
      let path = { (url: URL?) in url?.path(percentEncoded: true) ?? "" }
      dialect.authorizationPath = path(provider.server.authorizationEndpoint)
      dialect.tokenPath = path(provider.server.tokenEndpoint)
      dialect.namesItself = false
      change(&self)
    }
  }

  private static let basic = Sandbox.Client.Authentication.clientSecretBasic(Secret("s3cret"))

  static let subjects: [Subject] = [
    Subject(.discord) { $0.authentication = basic },
    Subject(.dropbox) {
      $0.authentication = basic
      $0.dialect.tokenType = "bearer"
      $0.dialect.offlineParameter = .init(name: "token_access_type", value: "offline")
      $0.rotates = false
    },
    Subject(.facebook) {
      $0.dialect.tokenType = "bearer"
      $0.dialect.scopeSeparator = ","
      $0.dialect.grantedScopes = .omitted
      $0.dialect.errors = .nested
      $0.dialect.refreshes = false
    },
    Subject(.gitHub) {
      $0.dialect.tokenType = "bearer"
      $0.dialect.grantedScopes = .text(separator: ",")
      $0.dialect.errorNames = ["invalid_grant": "bad_refresh_token"]
    },
    Subject(.gitLab) { $0.authentication = basic },
    Subject(.google) {
      $0.dialect.offlineParameter = .init(name: "access_type", value: "offline")
      $0.rotates = false
    },
    Subject(.linkedIn) {
      $0.dialect.tokenType = nil
      $0.dialect.grantedScopes = .text(separator: ",")
      $0.dialect.checksPKCE = false
      $0.rotates = false
    },
    Subject(.meetup) {
      $0.dialect.tokenType = "bearer"
      $0.dialect.grantedScopes = .omitted
    },
    slack(.slack, type: "bot", refused: "invalid_refresh_token"),
    slack(.slackUser, type: "user", refused: "token_revoked"),
    Subject(.spotify) { $0.authentication = basic },
    Subject(.twitch) {
      $0.dialect.tokenType = "bearer"
      $0.dialect.grantedScopes = .list
      $0.dialect.errors = .message
      $0.dialect.errorNames = ["invalid_grant": "Invalid refresh token", "invalid_client": "invalid client secret"]
      $0.dialect.checksPKCE = false
    },
    Subject(.zoom) {
      $0.authentication = basic
      $0.dialect.tokenType = "bearer"
      $0.dialect.errors = .reason
    },
  ]

  private static func slack(_ provider: Provider, type: String, refused: String) -> Subject {
    Subject(provider) {
      $0.authentication = basic
      $0.dialect.tokenType = type
      $0.dialect.scopeSeparator = ","
      $0.dialect.grantedScopes = .text(separator: ",")
      $0.dialect.errors = .flagged
      $0.dialect.errorNames = ["invalid_grant": refused]
    }
  }

  /// A sandbox that speaks like a provider, and a client of the provider, moved there.
  private struct Setting {
    let clock = ManualClock()
    let sandbox: Sandbox
    let client: OAuthClient
    static let redirect = URL(literal: "https://app.example/callback")
    static let scopes: [Scope] = ["calendar.readonly", "email"]

    init(_ subject: Subject, secret: String? = "s3cret") throws {
      sandbox = Sandbox(clock: clock) {
        $0.clients = [
          Sandbox.Client(
            id: "app", name: "App", redirectURIs: [Self.redirect.absoluteString], authentication: subject.authentication
          )
        ]
        $0.rotatesRefreshTokens = subject.rotates
        $0.scopes = Self.scopes.map { Sandbox.OfferedScope($0, $0.rawValue) }
        $0.dialect = subject.dialect
      }
      client = try OAuthClient(
        provider: subject.provider.hosted(at: Sandbox.inProcessURL),
        registration: ClientRegistration(clientID: "app", secret: secret.map { Secret($0) }),
        transport: sandbox.transport(), clock: clock)
    }

    func signIn() async throws -> StoredToken {
      let pending = try await client.beginAuthorization(scopes: Self.scopes, redirectURI: Self.redirect)
      return try await client.completeAuthorization(pending, callback: try sandbox.approve(pending.authorizationURL))
    }
  }

  @Test(arguments: subjects) func userSignsInAndTheTokenIsPresented(_ subject: Subject) async throws {
    let setting = try Setting(subject)
    let token = try await setting.signIn()
    #expect(token.scopes == Setting.scopes && token.expiresAt == setting.clock.now + .seconds(3600))
    var request = HTTPRequest(.get, URL(literal: "https://api.example/"))
    try BearerPresentation().authorize(&request, with: AccessToken(token.accessToken, type: token.tokenType))
    #expect((token.refreshToken != nil) == subject.dialect.refreshes)
  }

  @Test(arguments: subjects) func tokenIsRefreshedOrSignInRequired(_ subject: Subject) async throws {
    let setting = try Setting(subject)
    var token = try await setting.signIn()
    if subject.dialect.refreshes {
      let renewed = try await setting.client.refresh(token)
      #expect(renewed.accessToken != token.accessToken && renewed.scopes == token.scopes)
      #expect((renewed.refreshToken != token.refreshToken) == subject.rotates && renewed.refreshToken != nil)
      token = renewed
      setting.sandbox.revokeGrants()
    } else {
      token.refreshToken = Secret("r")
    }
    await expectError(.signInRequired) { try await setting.client.refresh(token) }
    #expect(subject.dialect.refreshes || setting.sandbox.refreshRequestCount == 0)
  }

  @Test(arguments: subjects) func clientThatIsNotKnownIsAnErrorOfItsOwn(_ subject: Subject) async throws {
    let setting = try Setting(subject, secret: "wrong")
    let error = await expectError(.requestRejected) { try await setting.signIn() }
    #expect(error?.serverCode?.isEmpty == false)
  }

  @Test(arguments: subjects) func deniedAccessIsReported(_ subject: Subject) async throws {
    let setting = try Setting(subject)
    let pending = try await setting.client.beginAuthorization(scopes: Setting.scopes, redirectURI: Setting.redirect)
    let callback = try setting.sandbox.deny(pending.authorizationURL)
    await expectError(.accessDenied) { try await setting.client.completeAuthorization(pending, callback: callback) }
  }

  @Test(arguments: subjects.filter { !$0.dialect.checksPKCE })
  func clientWithoutCredentialsIsRefusedWherePKCEIsNotChecked(_ subject: Subject) async throws {
    let setting = try Setting(subject, secret: nil)
    await expectError(.invalidConfiguration, "PKCE") { try await setting.signIn() }
  }

  @Test func quirksOfOneProviderDoNotHoldForAnother() async throws {
    // A server that speaks like Slack is not understood as one that follows the specification.
    let slack = try #require(Self.subjects.first { $0.provider == .slack })
    var plain = slack.provider
    plain.quirks = Provider.Quirks()
    let setting = try Setting(
      Subject(plain) {
        $0.dialect = slack.dialect; $0.authentication = slack.authentication
      })
    await #expect(throws: (any Error).self) { _ = try await setting.signIn() }
  }

  // MARK: - Errors

  /// A response as the provider's documentation has it, its meaning, and its code and description.
  private typealias Documented = (
    provider: Provider, status: Int, body: String, code: OAuthError.Code, serverCode: String, description: String?
  )

  private static let refused = "The provided authorization grant or refresh token is invalid, expired or revoked."

  private static let documented: [Documented] = [
    (.facebook, 400, #"{"error":{"message":"m","type":"x","code":100}}"#, .requestRejected, "100", "m"),
    (.facebook, 400, #"{"error":{"message":"Limit","code":4}}"#, .serverUnavailable, "4", "Limit"),
    (.gitHub, 200, #"{"error":"incorrect_client_credentials"}"#, .requestRejected, "incorrect_client_credentials", nil),
    (.gitHub, 200, #"{"error":"bad_refresh_token"}"#, .signInRequired, "bad_refresh_token", nil),
    (.google, 403, #"{"error_code":"rate_limit_exceeded"}"#, .serverUnavailable, "rate_limit_exceeded", nil),
    (.google, 400, #"{"error":"invalid_grant","error_description":"d"}"#, .signInRequired, "invalid_grant", "d"),
    (.google, 400, #"{"error":"admin_policy_enforced"}"#, .requestRejected, "admin_policy_enforced", nil),
    (
      .linkedIn, 400, #"{"error":"invalid_request","error_description":"\#(refused)"}"#, .signInRequired,
      "invalid_request", refused
    ),
    (.linkedIn, 400, #"{"error":"invalid_request","error_description":"d"}"#, .requestRejected, "invalid_request", "d"),
    (.slack, 200, #"{"ok":false,"error":"internal_error"}"#, .serverUnavailable, "internal_error", nil),
    (.slack, 200, #"{"ok":false,"error":"account_inactive"}"#, .signInRequired, "account_inactive", nil),
    (.slack, 200, #"{"ok":false,"error":"bad_client_secret"}"#, .requestRejected, "bad_client_secret", nil),
    (
      .twitch, 400, #"{"error":"Bad Request","status":400,"message":"Invalid refresh token"}"#, .signInRequired,
      "Invalid refresh token", "Invalid refresh token"
    ),
    (.twitch, 404, #"{"status":404,"message":"no client"}"#, .requestRejected, "no client", "no client"),
    (.zoom, 400, #"{"reason":"Invalid!","error":"invalid_grant"}"#, .signInRequired, "invalid_grant", "Invalid!"),
  ]

  private func client(of provider: Provider, _ transport: StubTransport) throws -> OAuthClient {
    try OAuthClient(
      provider: provider, registration: ClientRegistration(clientID: "app", secret: Secret("s")), transport: transport)
  }

  private func token(of provider: Provider) -> StoredToken {
    StoredToken(
      accessToken: Secret("access-token"), refreshToken: Secret("refresh-token"), issuer: provider.server.issuer,
      clientID: "app")
  }

  @Test func documentedErrorsAreUnderstood() async throws {
    for (provider, status, body, code, serverCode, description) in Self.documented {
      let client = try client(of: provider, StubTransport(Fixtures.json(body, status: status)))
      let error = await expectError(code) {
        if provider.quirks.supportsRefresh {
          _ = try await client.refresh(token(of: provider))
        } else {
          _ = try await client.requestAccessToken(["grant_type": "fb_exchange_token"])
        }
      }
      #expect(error?.serverCode == serverCode && error?.serverDescription == description)
    }
  }

  @Test func tokenThatTwitchDoesNotKnowCountsAsRevoked() async throws {
    let transport = StubTransport { _ in Fixtures.json(#"{"status":400,"message":"Invalid token"}"#, status: 400) }
    try await client(of: .twitch, transport).revoke(token(of: .twitch))
    #expect(transport.requests.map { $0.form["token"] } == ["refresh-token", "access-token"])
  }

  // MARK: - Apple

  private func apple(_ key: SigningKey) throws -> (Sandbox, OAuthClient, StubTransport) {
    let clock = ManualClock()
    var dialect = Sandbox.Dialect()
    dialect.authorizationPath = "/auth/authorize"
    dialect.tokenPath = "/auth/token"
    dialect.postsResponses = true
    dialect.namesItself = false
    // The secret is another one for each request: what the client sends is checked below.
    let sandbox = Sandbox(clock: clock) {
      $0.clients = [Sandbox.Client(id: "app", name: "App", redirectURIs: [Setting.redirect.absoluteString])]
      $0.rotatesRefreshTokens = false
      $0.dialect = dialect
    }
    let served = sandbox.transport()
    let transport = StubTransport { request in
      var form = request.form
      form["client_secret"] = nil
      var bare = request
      bare.body = FormEncoding.form.encodedBytes(form)
      return try await served.send(bare)
    }
    let client = try OAuthClient(
      provider: Provider.apple.hosted(at: Sandbox.inProcessURL),
      registration: ClientRegistration(
        clientID: "app", authentication: .appleClientSecret(teamID: "TEAM", keyID: "KEY", key: key)),
      transport: transport, clock: clock)
    return (sandbox, client, transport)
  }

  @Test func callbackOfAppleArrivesAsAForm() async throws {
    let key = try SigningKey.generate(.es256)
    let (sandbox, client, transport) = try apple(key)
    let pending = try await client.beginAuthorization(scopes: ["openid", "email"], redirectURI: Setting.redirect)
    #expect(pending.authorizationURL.query()?.contains("response_mode=form_post") == true)
    let (callback, form) = try sandbox.approveByForm(pending.authorizationURL)
    #expect(callback == Setting.redirect)
    let user = Array(#"&user=%7B%22name%22%3A%7B%22firstName%22%3A%22Ada+%26+Eve%22%7D%7D"#.utf8)
    let token = try await client.completeAuthorization(pending, callback: callback, form: form + user)
    #expect(token.idToken != nil && token.refreshToken != nil)
    _ = try await client.refresh(token)
    let secrets = transport.requests.compactMap {
      $0.form["client_secret"]
    }
    // One of its own for each request, signed with the key.
    #expect(secrets.count == 2 && secrets[0] != secrets[1])
    for secret in secrets {
      let jws = try JWS(compact: secret)
      #expect(jws.header.keyID == "KEY" && jws.header.algorithm == .es256)
      let claims = String(decoding: try jws.payload(verifiedWith: key.publicJWK, allowing: [.es256]), as: UTF8.self)
      #expect(
        claims
          == #"{"aud":"https://sandbox.invalid","exp":1767225900,"iat":1767225600,"iss":"TEAM","sub":"app"}"#)
    }
  }

  @Test func postedCallbackIsCheckedLikeAnyOther() async throws {
    let (sandbox, client, _) = try apple(try SigningKey.generate(.es256))
    let pending = try await client.beginAuthorization(scopes: ["email"], redirectURI: Setting.redirect)
    let (callback, form) = try sandbox.approveByForm(pending.authorizationURL)
    let other = URL(literal: "https://app.example/other")
    for (url, form, code) in [
      (other, form, OAuthError.Code.invalidCallback), (callback, Array("code=x&state=y".utf8), .stateMismatch),
      (callback, form + Array("&code=x".utf8), .invalidCallback), (callback, [], .stateMismatch),
      (callback, [0xFF], .stateMismatch),
    ] {
      await expectError(code) { try await client.completeAuthorization(pending, callback: url, form: form) }
    }
    let withFragment = try #require(URL(string: callback.absoluteString + "#_"))
    _ = try await client.completeAuthorization(pending, callback: withFragment, form: form)
    await expectError(.authorizationUsed) {
      try await client.completeAuthorization(pending, callback: callback, form: form)
    }
  }

  @Test func keyOfAnotherKindIsFoundBeforeTheUserIsAsked() async throws {
    let (_, client, transport) = try apple(try SigningKey.generate(.es384))
    await expectError(.invalidConfiguration, "Use the key for Sign in with Apple") { try await client.begin(["email"]) }
    #expect(transport.requests.isEmpty)
  }

  // MARK: - By discovery

  @Test(arguments: ["", "a/b", "https://a", "a?b", "a#b", "user@a", "a:1:2"])
  func nameThatIsNoDomainIsRefused(_ name: String) async throws {
    let transport = StubTransport()
    await expectError(.invalidConfiguration) { try await Provider.auth0(domain: name, transport: transport) }
    await expectError(.invalidConfiguration) { try await Provider.okta(domain: name, transport: transport) }
    if name.isEmpty || name.contains("/") {
      await expectError(.invalidConfiguration) {
        try await Provider.keycloak(at: URL(literal: "https://a.example"), realm: name, transport: transport)
      }
    }
    #expect(transport.requests.isEmpty)
  }
}
