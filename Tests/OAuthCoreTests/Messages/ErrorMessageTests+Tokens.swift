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
  private static let withRefreshToken = token { $0.refreshToken = Secret("s3cret") }

  /// Obtains a token from a storage that holds `stored`.
  private static func use(
    _ stored: StoredToken, resources: [URL] = [], rejecting rejected: String? = nil,
    set: (inout Parties) -> Void = { _ in }
  ) async throws {
    var parameters: AuthorizationParameters = [:]
    parameters.resources = resources
    let account = OAuthAccount(
      client: try client(StubTransport(Fixtures.json(#"{"error":"invalid_grant"}"#, status: 400)), set: set),
      storage: try await InMemoryTokenStorage.holding(stored), account: "me", scopes: [], parameters: parameters)
    _ = try await account.tokens.accessToken(replacing: rejected.map { AccessToken(Secret($0)) })
  }

  private static func account(_ storage: InMemoryTokenStorage = InMemoryTokenStorage()) throws -> OAuthAccount {
    OAuthAccount(client: try client(), storage: storage, account: "me", scopes: [])
  }

  static let tokens: [Row] = [
    Row("no token", .signInRequired, "Sign in") { _ = try await account().tokens.accessToken() },
    Row("no user agent", .signInRequired, "Begin a sign-in") { _ = try await account().authorize() },
    Row("no user agent for more scopes", .signInRequired, "Begin a sign-in for more scopes") {
      _ = try await account(.holding(token())).authorize(adding: ["write"])
    },
    Row("no refresh token", .signInRequired, "Sign in again") { try await use(token()) },
    Row("a server that refreshes none", .signInRequired, "does not support refresh tokens. Sign in again") {
      try await use(withRefreshToken) { $0.provider.quirks.supportsRefresh = false }
    },
    Row("a refresh token that is refused", .signInRequired, "Sign in again") { try await use(withRefreshToken) },
    Row("no issuer", .issuerMismatch, "Set the record's issuer if you know it") {
      try await use(token { $0.issuer = nil })
    },
    Row("another issuer", .issuerMismatch, "this client's server, https://login.example. Use another account name") {
      try await use(token { $0.issuer = "https://other.example" })
    },
    Row("no client", .clientMismatch, "Set the record's client identifier if you know it") {
      try await use(token { $0.clientID = nil })
    },
    Row("another client", .clientMismatch, "to the client other, not to app. Use that client or another account name") {
      try await use(token { $0.clientID = "other" })
    },
    Row("another resource", .resourceMismatch, "https://a.example/ https://b.example/. Use another account name") {
      try await use(token(), resources: [URL(literal: "https://a.example/"), URL(literal: "https://b.example/")])
    },
    Row("a rejected token that cannot be replaced", .signInRequired, "sign in again") {
      try await use(token { $0.expiresAt = nil }, rejecting: "access-1")
    },
    Row("a rejected token of one value", .signInRequired, "Obtain a new access token") {
      _ = try await StaticTokenSource(Secret("a")).accessToken(replacing: AccessToken(Secret("a")))
    },
    Row("the token of a user", .clientMismatch, "Use another account name") {
      let source = StaticTokenSource(Secret("a")).cached(
        in: try await InMemoryTokenStorage.holding(token()), account: "me", clock: ManualClock())
      _ = try await source.accessToken()
    },
    Row("no endpoint to revoke at", .unsupported, "Remove the stored token") {
      try await client { $0.provider.server.revocationEndpoint = nil }.revoke(token())
    },
    Row("a token of another type", .unsupportedTokenType, "\"MAC\", not Bearer. Use a token presentation") {
      var request = HTTPRequest(.get, URL(literal: "https://api.example/"))
      try BearerPresentation().authorize(&request, with: AccessToken(Secret("a"), type: "MAC"))
    },
    Row("a token that is not bound", .unsupportedTokenType, "\"Bearer\", not DPoP. Use a token presentation") {
      var request = HTTPRequest(.get, URL(literal: "https://api.example/"))
      try DPoPPresentation().authorize(&request, with: AccessToken(Secret("a")))
    },
    Row("another origin", .originNotAllowed, "https://api.example:8443. Name its origin") {
      _ = try await StubTransport().authorized(by: StaticTokenSource(Secret("s3cret")), for: [] as Set<Origin>).send(
        HTTPRequest(.get, URL(literal: "https://api.example:8443/items?key=s3cret")))
    },
    Row("a URL without an origin", .originNotAllowed, "Name its origin") {
      _ = try await StubTransport().authorized(by: StaticTokenSource(Secret("s3cret")), for: [] as Set<Origin>).send(
        HTTPRequest(.get, URL(literal: "mailto:s3cret@b.example")))
    },
  ]
}

// MARK: - Endpoints

extension ErrorMessageTests {
  private static func request(
    _ response: HTTPResponse, authentication: any ClientAuthentication = .none, set: (inout Parties) -> Void = { _ in }
  ) async throws {
    let client = try Self.client(StubTransport(response)) {
      $0.registration.authentication = authentication
      set(&$0)
    }
    _ = try await client.requestAccessToken(["grant_type": "client_credentials"])
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
    _ = try await client.introspect(Secret("s3cret"))
  }

  /// A key that cannot sign.
  private struct BrokenKey: JWSSigningKey {
    let algorithm = JWS.Algorithm.es256
    func signature(for message: [UInt8]) throws(JOSEError) -> [UInt8] {
      throw JOSEError(.cryptographyFailed, "The module is locked.")
    }
  }

  /// The codes of no specification in `SpecificationError`, with a part of their advice.
  private static let advice: [(code: String, advice: String)] = [
    ("authorization_pending", "poll again after the interval"), ("expired_token", "start the sign-in again"),
    ("bad_verification_code", "start the sign-in again"), ("incorrect_device_code", "start the sign-in again"),
    ("invalid device code", "start the sign-in again"), ("org_internal", "sign in as one of them"),
    ("invalid_code", "start the sign-in again"), ("code_already_used", "start the sign-in again"),
    ("bad_redirect_uri", "register it"), ("pkce_not_allowed", "allow it in the app's settings"),
    ("unauthorized_scope_error", "request only scopes"), ("invalid_resource", "check its name"),
    ("application_suspended", "contact the server's support"),
    ("device_flow_disabled", "allow it in the client's registration"),
    ("redirect_uri_mismatch", "register it"), ("unverified_user_email", "sign in again after that"),
    ("invalid_dpop_proof", "check the key and this machine's clock"), ("use_dpop_nonce", "repeat the request with it"),
  ]

  static let endpoints: [Row] =
    advice.map { code, advice in
      Row(code, .requestRejected, advice) {
        try await request(Fixtures.json(#"{"error":"\#(code)"}"#, status: 400))
      }
    } + [
      Row(
        "a status that may pass", .serverUnavailable,
        "https://login.example is temporarily unavailable (status 503). Try again later"
      ) {
        try await request(HTTPResponse(status: 503))
      },
      Row("no error", .invalidResponse, "https://login.example responded with status 404") {
        try await request(HTTPResponse(status: 404))
      },
      Row("no token", .invalidResponse, "https://login.example contains no access token. Check the endpoint's URL") {
        try await request(Fixtures.json("{}"))
      },
      Row("no type of an exchanged token", .invalidResponse, "lacks the type of the issued token") {
        let client = try Self.client(StubTransport(Fixtures.json(#"{"access_token":"s3cret"}"#)))
        _ = try await client.exchange(Secret("s"), by: TokenExchange())
      },
      Row("a parameter of the request", .invalidConfiguration, "scope is set by the request itself. Remove it") {
        _ = try await ClientCredentials(client: client(), parameters: ["scope": "a"]).accessToken()
      },
      Row("no method that uses a secret", .invalidConfiguration, "It lists: none. Register the client for one of them")
      {
        try await authenticated(.clientSecret(Secret("s3cret")), methods: [])
      },
      Row("another algorithm of an assertion", .invalidConfiguration, "Use a key for one of its token_endpoint_auth") {
        try await authenticated(.privateKeyJWT(SigningKey.generate(.es256)))
      },
      Row("another algorithm of a secret's assertion", .invalidConfiguration, "signed with HS256") {
        try await authenticated(.clientSecretJWT(Secret(String(repeating: "s3cret", count: 6))))
      },
      Row("a shared secret as a private key", .invalidConfiguration, "Use a private key, or client_secret_jwt") {
        let secret = try ClientSecretKey(bytes: [UInt8](repeating: 1, count: 32))
        try await authenticated(PrivateKeyJWT(secret, keyID: nil))
      },
      Row("a short secret", .invalidConfiguration, "at least 32 bytes. Use another client authentication") {
        _ = try ClientSecretJWT(Secret("31 bytes are one fewer than due"))
      },
      Row("another key than Apple's", .invalidConfiguration, "Use the key for Sign in with Apple") {
        try await authenticated(AppleClientSecret(teamID: "t", keyID: "k", key: SigningKey.generate(.es384)))
      },
      Row("a key that cannot sign", .invalidConfiguration, "The request cannot be signed: The module is locked") {
        try await authenticated(AppleClientSecret(teamID: "t", keyID: "k", key: BrokenKey()))
      },
      Row("no introspection endpoint", .unsupported, "Verify the token itself, or test it with an API call") {
        try await introspect("{}", at: nil)
      },
      Row("no activity", .invalidResponse, "https://login.example does not say whether the token is active") {
        try await introspect("{}", at: URL(literal: "https://login.example/introspect"))
      },
    ]
}

// MARK: - Keys that tokens are bound to

extension ErrorMessageTests {
  private static func bound(_ dpop: DPoPUse, _ response: String = "{}", algorithms: [String]? = nil) async throws {
    try await request(Fixtures.json(response)) {
      $0.registration.dpop = dpop
      $0.provider.server.dpopSigningAlgValuesSupported = algorithms
    }
  }

  static let keys: [Row] = [
    Row("an algorithm of a shared secret", .invalidConfiguration, "The DPoP key cannot be generated: ") {
      _ = try await DPoPKey.generate(.hs256)
    },
    Row("a key that is damaged", .signInRequired, "Sign in again") {
      _ = try DPoPKey(ProofKey(algorithm: "ES256", privateKey: Secret("s3cret")))
    },
    Row("a token without its key", .signInRequired, "Sign in again") {
      var request = HTTPRequest(.get, URL(literal: "https://api.example/"))
      try DPoPPresentation().authorize(&request, with: AccessToken(Secret("a"), type: "DPoP"))
    },
    Row("a stored token that is not bound", .signInRequired, "Sign in again") {
      try await use(withRefreshToken) { $0.registration.dpop = .required }
    },
    Row("no algorithm that is known", .invalidConfiguration, "Do not require DPoP, or use another server") {
      try await bound(.required, algorithms: ["ES999"])
    },
    Row("a bearer token where a bound one is required", .unsupportedTokenType, "Do not require DPoP for this server") {
      try await bound(.required, #"{"access_token":"s3cret","token_type":"Bearer"}"#)
    },
    Row("a bound token where no proof was sent", .unsupportedTokenType, "Set the registration's dpop to preferred") {
      try await bound(.off, #"{"access_token":"s3cret","token_type":"DPoP"}"#)
    },
  ]
}

// MARK: - Devices

extension ErrorMessageTests {
  private static let endpoint = URL(literal: "https://login.example/device")
  private static let device = #"{"device_code":"s3cret","user_code":"u","verification_uri":"https://login.example/"}"#

  private static func begin(
    _ response: String = device, at endpoint: URL? = endpoint, parameters: AuthorizationParameters = [:]
  ) async throws -> DeviceAuthorization {
    let client = try Self.client(StubTransport(Fixtures.json(response))) {
      $0.provider.server.deviceAuthorizationEndpoint = endpoint
    }
    return try await client.beginDeviceAuthorization(scopes: [], parameters: parameters)
  }

  /// A verifier of sign-ins in a browser alone.
  private struct BrowserVerifier: TokenVerifier {
    func verify(_ token: StoredToken, for pending: PendingAuthorization) async throws {}
  }

  static let devices: [Row] = [
    Row("no endpoint", .unsupported, "Sign in through a browser") { _ = try await begin(at: nil) },
    Row("an authentication that is required", .unsupported, "Sign in through a browser") {
      _ = try await begin(parameters: ["max_age": "60"])
    },
    Row("no code", .invalidResponse, "Check the endpoint's URL") { _ = try await begin("{}") },
    Row("another server's client", .issuerMismatch, "not this client's server, https://other.example") {
      _ = try await client { $0.provider.server.issuer = "https://other.example" }
        .completeDeviceAuthorization(begin())
    },
    Row("a verifier of other sign-ins", .unsupported, "Use a verifier that does") {
      try await BrowserVerifier().verify(token(), for: begin())
    },
  ]
}
