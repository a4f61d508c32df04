// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthFixtures
import OAuthJOSE
import TestSupport
import Testing
import TokenStore

// MARK: - Stored tokens

extension ErrorMessageTests {
  /// Obtains a token from a storage that holds `stored`.
  private static func use(
    _ stored: StoredToken?, response: HTTPResponse = Fixtures.json("{}"), resources: [URL] = [],
    rejecting rejected: String? = nil, set: (inout Parties) -> Void = { _ in }
  ) async throws {
    let storage = try await stored.asyncMap { try await InMemoryTokenStorage.holding($0) } ?? InMemoryTokenStorage()
    var parameters: AuthorizationParameters = [:]
    parameters.resources = resources
    let account = OAuthAccount(
      client: try client(StubTransport(response), set: set), storage: storage,
      account: "me", scopes: [], parameters: parameters)
    _ = try await account.tokens.accessToken(replacing: rejected.map { AccessToken(Secret($0)) })
  }

  private static func account(_ storage: InMemoryTokenStorage = InMemoryTokenStorage()) throws -> OAuthAccount {
    OAuthAccount(client: try client(), storage: storage, account: "me", scopes: [])
  }

  static let tokens: [Row] = [
    Row("no token", .signInRequired, "No token is stored. Sign in.") { try await use(nil) },
    Row("no user agent", .signInRequired, "No user is signed in. Begin a sign-in.") {
      _ = try await account().authorize()
    },
    Row(
      "no user agent for more scopes", .signInRequired,
      "The stored tokens are not sufficient. Begin a sign-in for more scopes."
    ) { _ = try await account(.holding(token())).authorize(adding: ["write"]) },
    Row(
      "no refresh token", .signInRequired, "The access token expired, and there is no refresh token. Sign in again."
    ) { try await use(token()) },
    Row(
      "a server that refreshes none", .signInRequired,
      "The access token expired, and https://login.example does not support refresh tokens. Sign in again."
    ) { try await use(token { $0.refreshToken = Secret("r") }) { $0.provider.quirks.supportsRefresh = false } },
    Row(
      "a refresh token that is refused", .signInRequired,
      "https://login.example no longer accepts the refresh token. Sign in again."
    ) {
      try await use(
        token { $0.refreshToken = Secret("r") }, response: Fixtures.json(#"{"error":"invalid_grant"}"#, status: 400))
    },
    Row(
      "no issuer", .issuerMismatch,
      "The stored token does not name its issuer. Set the record's issuer if you know it, or sign in again."
    ) { try await use(token { $0.issuer = nil }) },
    Row(
      "another issuer", .issuerMismatch,
      "The stored token was issued by https://other.example, which is not this client's server, https://login.example. Use another account name, or sign in again."
    ) { try await use(token { $0.issuer = "https://other.example" }) },
    Row(
      "no client", .clientMismatch,
      "The stored token does not name its client. Set the record's client identifier if you know it, or sign in again."
    ) { try await use(token { $0.clientID = nil }) },
    Row(
      "another client", .clientMismatch,
      "The stored token was issued to the client other, not to app. Use that client or another account name, or sign in again."
    ) { try await use(token { $0.clientID = "other" }) },
    Row(
      "another resource", .resourceMismatch,
      "The stored token is not for https://a.example/ https://b.example/. Use another account name, or sign in again."
    ) {
      try await use(token(), resources: [URL(literal: "https://a.example/"), URL(literal: "https://b.example/")])
    },
    Row(
      "a rejected token that cannot be replaced", .signInRequired,
      "The server rejected the access token, and there is no refresh token. If it rejects other requests too, sign in again."
    ) { try await use(token { $0.expiresAt = nil }, rejecting: "access-1") },
    Row(
      "a rejected token of one value", .signInRequired,
      "The server rejected the access token, and its source has no other. Obtain a new access token."
    ) { _ = try await StaticTokenSource(Secret("a")).accessToken(replacing: AccessToken(Secret("a"))) },
    Row(
      "the token of a user", .clientMismatch,
      "The stored token belongs to a user's sign-in. Use another account name for this token source."
    ) {
      let source = StaticTokenSource(Secret("a")).cached(
        in: try await InMemoryTokenStorage.holding(token()), account: "me", clock: ManualClock())
      _ = try await source.accessToken()
    },
    Row(
      "no endpoint to revoke at", .unsupported,
      "https://login.example has no revocation endpoint. Remove the stored token, and revoke the access in the user's account settings."
    ) { try await client { $0.provider.server.revocationEndpoint = nil }.revoke(token()) },
    Row(
      "another user", .subjectMismatch,
      "A different user signed in. The stored tokens were kept. Sign in as the user they belong to, or sign out first."
    ) {
      func idToken(_ subject: String) -> String { "e30.\(Base64URL.encode(Array(#"{"sub":"\#(subject)"}"#.utf8))).AA" }
      let transport = StubTransport(
        Fixtures.json(#"{"access_token":"a","id_token":"\#(idToken("2"))","scope":"openid"}"#))
      let account = OAuthAccount(
        client: try client(transport),
        storage: try await InMemoryTokenStorage.holding(token { $0.idToken = Secret(idToken("1")) }), account: "me",
        scopes: ["openid"],
        userAgent: ScriptedUserAgent(redirectURI: Fixtures.redirect) {
          try Fixtures.callback($0, "code=1&state=STATE")
        })
      _ = try await account.authorize(adding: ["write"])
    },
    Row(
      "a token of another type", .unsupportedTokenType,
      "The access token is of type \"MAC\", not Bearer. Use a token presentation for this type."
    ) {
      var request = HTTPRequest(.get, URL(literal: "https://api.example/"))
      try BearerPresentation().authorize(&request, with: AccessToken(Secret("a"), type: "MAC"))
    },
    Row(
      "a token that is not bound", .unsupportedTokenType,
      "The access token is of type \"Bearer\", not DPoP. Use a token presentation for this type."
    ) {
      var request = HTTPRequest(.get, URL(literal: "https://api.example/"))
      try DPoPPresentation().authorize(&request, with: AccessToken(Secret("a")))
    },
  ]
}

extension Optional {
  fileprivate func asyncMap<Result>(_ transform: (Wrapped) async throws -> Result) async rethrows -> Result? {
    guard let self else { return nil }
    return try await transform(self)
  }
}

// MARK: - Endpoints

extension ErrorMessageTests {
  private static func request(
    _ response: HTTPResponse, endpoint: URL = URL(literal: "https://login.example/token"),
    authentication: any ClientAuthentication = .none, set: (inout Parties) -> Void = { _ in }
  ) async throws {
    let client = try Self.client(StubTransport(response)) {
      $0.registration.authentication = authentication
      $0.provider.server.tokenEndpoint = endpoint
      set(&$0)
    }
    _ = try await client.requestAccessToken(["grant_type": "client_credentials"])
  }

  private static func refused(_ code: String, status: Int = 400) async throws {
    try await request(Fixtures.json(#"{"error":"\#(code)"}"#, status: status))
  }

  private static func authenticated(_ method: any ClientAuthentication, methods: [String]? = nil) async throws {
    try await request(Fixtures.json("{}"), authentication: method) {
      $0.provider.server.tokenEndpointAuthMethodsSupported = methods
      $0.provider.server.tokenEndpointAuthSigningAlgValuesSupported = ["RS256"]
    }
  }

  private static func introspect(_ response: String, at endpoint: URL?) async throws {
    let client = try Self.client(StubTransport(Fixtures.json(response))) {
      $0.provider.server.introspectionEndpoint = endpoint
    }
    _ = try await client.introspect(Secret("a"))
  }

  /// A key that cannot sign.
  private struct BrokenKey: JWSSigningKey {
    let algorithm = JWS.Algorithm.es256
    func signature(for message: [UInt8]) throws(JOSEError) -> [UInt8] {
      throw JOSEError(.cryptographyFailed, "The module is locked.")
    }
  }

  /// Each code of a specification, with its advice.
  private static let advice: [(code: String, advice: String)] = [
    (
      "invalid_request",
      "A parameter is missing, repeated or malformed: compare the parameters with the server's documentation."
    ),
    ("unsupported_response_type", "The client may not use the code grant: allow it in the client's registration."),
    (
      "invalid_scope",
      "A scope is unknown or not allowed for this client: request only scopes that the server supports."
    ),
    (
      "invalid_grant",
      "The code, token or assertion has expired, was used or revoked, or belongs to another client: obtain a new one."
    ),
    ("unsupported_grant_type", "The server does not support this grant: see grant_types_supported in its metadata."),
    (
      "invalid_token",
      "The access token has expired, was revoked or belongs to another server: refresh it, or sign in again."
    ),
    ("insufficient_scope", "The access token lacks scopes: sign in again for them."),
    (
      "unsupported_token_type",
      "The server does not revoke tokens of this type: remove the token and let it expire."
    ),
    (
      "invalid_redirect_uri",
      "A redirect URI is not accepted: register https, http to loopback, or a private-use scheme."
    ),
    (
      "invalid_client_metadata", "A member of the client's metadata is not accepted: correct or remove it."
    ),
    ("invalid_software_statement", "The software statement is not valid: obtain a new one from its issuer."),
    (
      "unapproved_software_statement",
      "The server does not trust the issuer of the software statement: obtain one from an approved issuer."
    ),
    ("authorization_pending", "The user has not decided yet: poll again after the interval."),
    ("expired_token", "The device code has expired: start the sign-in again."),
    (
      "invalid_target", "A resource or audience is unknown or not allowed for this client: check its name."
    ),
    ("invalid_request_uri", "The pushed request has expired or was used: begin the authorization again."),
    (
      "invalid_request_object",
      "The signed request is not accepted: check that its key is registered, and check this machine's clock."
    ),
    (
      "request_not_supported",
      "The server does not support signed requests: remove requestSigning from the registration."
    ),
    (
      "request_uri_not_supported",
      "The server does not support pushed authorization requests: set pushesAuthorizationRequests to false."
    ),
    (
      "registration_not_supported",
      "The server does not support registration within a request: register the client beforehand."
    ),
    (
      "invalid_authorization_details",
      "An authorization detail is malformed or of an unknown type: see authorization_details_types_supported."
    ),
    (
      "bad_verification_code", "The code is unknown, was used or has expired: start the sign-in again."
    ), ("incorrect_device_code", "The code is unknown, was used or has expired: start the sign-in again."),
    ("invalid device code", "The code is unknown, was used or has expired: start the sign-in again."),
    ("invalid_code", "The code is unknown, was used or has expired: start the sign-in again."),
    ("code_already_used", "The code is unknown, was used or has expired: start the sign-in again."),
    ("bad_redirect_uri", "The redirect URI is not registered for this client: register it."),
    ("pkce_not_allowed", "The client may not use PKCE: allow it in the app's settings at the server."),
    (
      "unauthorized_scope_error",
      "A scope is unknown or not allowed for this client: request only scopes that the server supports."
    ),
    ("invalid_resource", "A resource or audience is unknown or not allowed for this client: check its name."),
    (
      "admin_policy_enforced",
      "The user's organization does not allow these scopes for this client: ask its administrator to allow them."
    ),
    ("application_suspended", "The server has suspended the client: contact the server's support."),
    ("org_internal", "The client is for users of its own organization: sign in as one of them."),
    (
      "device_flow_disabled", "The client may not use the device grant: allow it in the client's registration."
    ), ("redirect_uri_mismatch", "The redirect URI is not registered for this client: register it."),
    (
      "unverified_user_email",
      "The user must verify their e-mail address at the server: sign in again after that."
    ),
    ("invalid_dpop_proof", "The DPoP proof is not accepted: check the key and this machine's clock."),
    ("use_dpop_nonce", "The DPoP proof lacks the server's nonce: repeat the request with it."),
    (
      "insufficient_user_authentication",
      "The resource requires a more recent or stronger sign-in: sign in again."
    ),
  ]

  private static let noClient =
    "https://login.example does not accept this client. Check its identifier, secret and authentication."

  static let endpoints: [Row] =
    advice.map { code, advice in
      Row(code, .requestRejected, "https://login.example refused the request. \(advice)") { try await refused(code) }
    } + [
      Row("a code of the server's own", .requestRejected, "https://login.example refused the request.") {
        try await refused("server_is_asleep")
      },
      Row("invalid_client", .requestRejected, noClient) { try await refused("invalid_client", status: 401) },
      Row("unauthorized_client", .requestRejected, noClient) { try await refused("unauthorized_client") },
      Row(
        "a code that may pass", .serverUnavailable,
        "https://login.example is temporarily unavailable (status 400). Try again later."
      ) { try await refused("temporarily_unavailable") },
      Row(
        "a status that may pass", .serverUnavailable,
        "https://login.example:8443 is temporarily unavailable (status 503). Try again later."
      ) {
        try await request(HTTPResponse(status: 503), endpoint: URL(literal: "https://login.example:8443/token"))
      },
      Row(
        "no error", .invalidResponse, "https://login.example responded with status 404 and without an OAuth error."
      ) { try await request(HTTPResponse(status: 404)) },
      Row(
        "no token", .invalidResponse,
        "The response of the token endpoint of https://login.example contains no access token. Check the endpoint's URL, and that no proxy or login page responds instead."
      ) { try await request(Fixtures.json("{}")) },
      Row(
        "no type of an exchanged token", .invalidResponse,
        "The response of the token endpoint of https://login.example lacks the type of the issued token."
      ) {
        let client = try Self.client(StubTransport(Fixtures.json(#"{"access_token":"a"}"#)))
        _ = try await client.exchange(Secret("s"), by: TokenExchange())
      },
      Row(
        "a parameter of the request", .invalidConfiguration,
        "The parameter scope is set by the request itself. Remove it."
      ) { _ = try await ClientCredentials(client: client(), parameters: ["scope": "a"]).accessToken() },
      Row(
        "no method that uses a secret", .invalidConfiguration,
        "https://login.example lists no client authentication that uses a secret. It lists: none. Register the client for one of them, and set the authentication method of its registration."
      ) { try await authenticated(.clientSecret(Secret("s")), methods: []) },
      Row(
        "another algorithm of an assertion", .invalidConfiguration,
        "https://login.example does not accept client assertions signed with ES256. Use a key for one of its token_endpoint_auth_signing_alg_values_supported."
      ) { try await authenticated(.privateKeyJWT(SigningKey.generate(.es256))) },
      Row(
        "a shared secret as a private key", .invalidConfiguration,
        "The key for private_key_jwt is a shared secret. Use a private key, or client_secret_jwt."
      ) {
        let secret = try ClientSecretKey(bytes: [UInt8](repeating: 1, count: 32))
        try await authenticated(PrivateKeyJWT(secret, keyID: nil))
      },
      Row(
        "a short secret", .invalidConfiguration,
        "A secret for HS256 must have at least 32 bytes. Use another client authentication."
      ) { _ = try ClientSecretJWT(Secret("s")) },
      Row(
        "another key than Apple's", .invalidConfiguration,
        "Apple requires an ES256 key. Use the key for Sign in with Apple."
      ) {
        try await authenticated(AppleClientSecret(teamID: "t", keyID: "k", key: SigningKey.generate(.es384)))
      },
      Row(
        "a key that cannot sign", .invalidConfiguration, "The request cannot be signed: The module is locked."
      ) { try await authenticated(AppleClientSecret(teamID: "t", keyID: "k", key: BrokenKey())) },
      Row(
        "no introspection endpoint", .unsupported,
        "https://login.example has no introspection endpoint. Verify the token itself, or test it with an API call."
      ) { try await introspect("{}", at: nil) },
      Row(
        "no activity", .invalidResponse,
        "The response of the introspection endpoint of https://login.example does not say whether the token is active."
      ) { try await introspect("{}", at: URL(literal: "https://login.example/introspect")) },
    ]
}
