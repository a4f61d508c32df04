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

// MARK: - Keys that tokens are bound to

extension ErrorMessageTests {
  private static func request(
    _ response: HTTPResponse = Fixtures.json("{}"), dpop: DPoPUse, algorithms: [String]? = nil
  ) async throws {
    let client = try Self.client(StubTransport(response)) {
      $0.registration.dpop = dpop
      $0.provider.server.dpopSigningAlgValuesSupported = algorithms
    }
    _ = try await client.requestAccessToken(["grant_type": "client_credentials"])
  }

  private static func use(
    dpop: DPoPUse = .off, _ change: (inout StoredToken) -> Void
  ) async throws {
    let client = try Self.client { $0.registration.dpop = dpop }
    let source = RefreshingTokenSource(
      client: client, storage: try await InMemoryTokenStorage.holding(token(change)), account: "me")
    _ = try await source.accessToken()
  }

  static let keys: [Row] = [
    Row(
      "an algorithm of a shared secret", .invalidConfiguration,
      "The DPoP key cannot be generated: Only keys for RSA have a number of bits."
    ) { _ = try await DPoPKey.generate(.hs256) },
    Row(
      "a key that is damaged", .signInRequired, "The DPoP key for these tokens is damaged. Sign in again."
    ) { _ = try DPoPKey(ProofKey(algorithm: "ES256", privateKey: Secret("a"))) },
    Row(
      "a token without its key", .signInRequired, "The DPoP key for these tokens is missing. Sign in again."
    ) {
      var request = HTTPRequest(.get, URL(literal: "https://api.example/"))
      try DPoPPresentation().authorize(&request, with: AccessToken(Secret("a"), type: "DPoP"))
    },
    Row(
      "a stored token without its key", .signInRequired,
      "The DPoP key for these tokens is missing. Sign in again."
    ) { try await use { $0.tokenType = "DPoP" } },
    Row(
      "a stored token that is not bound", .signInRequired,
      "The stored token is not bound to a key, but the registration requires DPoP. Sign in again."
    ) { try await use(dpop: .required) { _ in } },
    Row(
      "no algorithm that is known", .invalidConfiguration,
      "https://login.example supports none of the client's algorithms for DPoP. Do not require DPoP, or use another server."
    ) { try await request(dpop: .required, algorithms: ["ES999"]) },
    Row(
      "a bearer token where a bound one is required", .unsupportedTokenType,
      "https://login.example issued a bearer token, but the registration requires DPoP. Do not require DPoP for this server."
    ) { try await request(Fixtures.json(#"{"access_token":"a","token_type":"Bearer"}"#), dpop: .required) },
    Row(
      "a bound token where no proof was sent", .unsupportedTokenType,
      "https://login.example issued a DPoP-bound token, although the client sent no proof. Set the registration's dpop to preferred, and report the error to the server's operator."
    ) { try await request(Fixtures.json(#"{"access_token":"a","token_type":"DPoP"}"#), dpop: .off) },
  ]
}

// MARK: - Devices

extension ErrorMessageTests {
  private static let endpoint = URL(literal: "https://login.example/device")

  private static func begin(
    _ response: String, at endpoint: URL? = endpoint, parameters: AuthorizationParameters = [:]
  ) async throws {
    let client = try Self.client(StubTransport(Fixtures.json(response))) {
      $0.provider.server.deviceAuthorizationEndpoint = endpoint
    }
    _ = try await client.beginDeviceAuthorization(scopes: [], parameters: parameters)
  }

  /// Completes a sign-in on another device, of which the token endpoint says `error`.
  private static func complete(_ error: String, at other: OAuthClient? = nil, lifetime: Int = 600) async throws {
    let device =
      #"{"device_code":"d","user_code":"u","verification_uri":"https://login.example/","expires_in":\#(lifetime)}"#
    let transport = StubTransport {
      $0.url == endpoint ? Fixtures.json(device) : Fixtures.json(#"{"error":"\#(error)"}"#, status: 400)
    }
    let client = try Self.client(transport, clock: ManualClock(skipsWaits: true)) {
      $0.provider.server.deviceAuthorizationEndpoint = endpoint
    }
    let authorization = try await client.beginDeviceAuthorization(scopes: [])
    _ = try await (other ?? client).completeDeviceAuthorization(authorization)
  }

  /// A verifier of sign-ins in a browser alone.
  private struct BrowserVerifier: TokenVerifier {
    func verify(_ token: StoredToken, for pending: PendingAuthorization) async throws {}
  }

  private static let unusable =
    "The response of the device authorization endpoint of https://login.example lacks a code or an https verification URL. Check the endpoint's URL."
  private static let late = "The sign-in took longer than allowed. Start it again."

  static let devices: [Row] = [
    Row(
      "no endpoint", .unsupported,
      "https://login.example has no device authorization endpoint. Sign in through a browser."
    ) { try await begin("{}", at: nil) },
    Row(
      "an authentication that is required", .unsupported,
      "A sign-in on another device does not support authentication requirements. Sign in through a browser."
    ) { try await begin("{}", parameters: ["max_age": "60"]) },
    Row("no code", .invalidResponse, unusable) { try await begin("{}") },
    Row("an empty code", .invalidResponse, unusable) {
      try await begin(#"{"device_code":"","user_code":"u","verification_uri":"https://login.example/"}"#)
    },
    Row("an empty code of the user", .invalidResponse, unusable) {
      try await begin(#"{"device_code":"d","user_code":"","verification_uri":"https://login.example/"}"#)
    },
    Row("a URL that is not secure", .invalidResponse, unusable) {
      try await begin(#"{"device_code":"d","user_code":"u","verification_uri":"http://login.example/"}"#)
    },
    Row(
      "another server's client", .issuerMismatch,
      "The authorization was begun at https://login.example, which is not this client's server, https://other.example."
    ) { try await complete("", at: client { $0.provider.server.issuer = "https://other.example" }) },
    Row(
      "a refusal", .accessDenied, "The user denied access. To continue, sign in again and allow access."
    ) { try await complete("access_denied") },
    Row("a code that has expired", .signInTimedOut, late) { try await complete("expired_token") },
    Row("a user who takes too long", .signInTimedOut, late) {
      try await complete("authorization_pending", lifetime: 9)
    },
    Row(
      "a verifier of other sign-ins", .unsupported,
      "The account's verifier does not support sign-ins on another device. Use a verifier that does."
    ) {
      let response = #"{"device_code":"d","user_code":"u","verification_uri":"https://login.example/"}"#
      let client = try Self.client(StubTransport(Fixtures.json(response))) {
        $0.provider.server.deviceAuthorizationEndpoint = endpoint
      }
      let device = try await client.beginDeviceAuthorization(scopes: [])
      try await BrowserVerifier().verify(token(), for: device)
    },
  ]
}
