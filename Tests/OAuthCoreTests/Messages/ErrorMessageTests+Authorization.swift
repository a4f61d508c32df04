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

// MARK: - Authorization requests

extension ErrorMessageTests {
  private static func begin(
    _ scopes: [String] = [], redirectURI: URL = Fixtures.redirect, parameters: AuthorizationParameters = [:],
    response: HTTPResponse = Fixtures.json("{}"), set: (inout Parties) -> Void = { _ in }
  ) async throws {
    _ = try await client(StubTransport(response), set: set).beginAuthorization(
      scopes: scopes, redirectURI: redirectURI, parameters: parameters)
  }

  private static var recent: AuthorizationParameters {
    var parameters: AuthorizationParameters = [:]
    parameters.maximumAge = .seconds(60)
    return parameters
  }

  private static func resource(_ url: URL) -> AuthorizationParameters {
    var parameters: AuthorizationParameters = [:]
    parameters.resources = [url]
    return parameters
  }

  static let requests: [Row] = [
    Row(
      "an empty client identifier", .invalidConfiguration,
      "The client identifier is empty. Use the one that the provider issued."
    ) { _ = try client { $0.registration.clientID = "" } },
    Row(
      "an endpoint that is not secure", .invalidConfiguration,
      "The server's token_endpoint, http://login.example/token, must be an https URL; plain http is for loopback only."
    ) { _ = try client { $0.provider.server.tokenEndpoint = URL(literal: "http://login.example/token") } },
    Row(
      "an endpoint for certificates that is not secure", .invalidConfiguration,
      "The server's token_endpoint, ftp://login.example/, must be an https URL; plain http is for loopback only."
    ) {
      _ = try client {
        $0.provider.server.mtlsEndpointAliases = ["token_endpoint": URL(literal: "ftp://login.example/")]
      }
    },
    Row(
      "a redirect URI that is not secure", .invalidConfiguration,
      "The redirect URI http://app.example/ must be https, an app's own scheme, or http to loopback, and have no fragment."
    ) { try await begin(redirectURI: URL(literal: "http://app.example/")) },
    Row(
      "an authentication without an ID token", .invalidConfiguration,
      "The sign-in has authentication requirements, which only an ID token can prove. Request the scope openid."
    ) { try await begin(parameters: recent) },
    Row(
      "an authentication without a verifier", .invalidConfiguration,
      "The account has authentication requirements, but no verifier to check them. Add an IDTokenVerifier."
    ) {
      let account = OAuthAccount(
        client: try client(), storage: InMemoryTokenStorage(), account: "me", scopes: ["openid"], parameters: recent)
      _ = try await account.beginSignIn(redirectURI: Fixtures.redirect)
    },
    Row(
      "a server without PKCE", .invalidConfiguration,
      "https://login.example does not verify PKCE, so a client without credentials is not safe. Provide the client's credentials."
    ) { try await begin { $0.provider.quirks.checksPKCE = false } },
    Row(
      "a parameter of the request", .invalidConfiguration,
      "The parameter state is set by the request itself. Remove it."
    ) { try await begin(parameters: ["state": "1"]) },
    Row("an age that is no number", .invalidConfiguration, "The parameter max_age must be a number of seconds.") {
      try await begin(["openid"], parameters: ["max_age": "soon"])
    },
    Row("a negative age", .invalidConfiguration, "The parameter max_age must be a number of seconds.") {
      try await begin(["openid"], parameters: ["max_age": "-1"])
    },
    Row("claims that are no object", .invalidConfiguration, "The parameter claims must be a JSON object.") {
      try await begin(parameters: ["claims": "[]"])
    },
    Row(
      "a resource with a fragment", .invalidConfiguration,
      "The resource https://api.example/#a is not an absolute URI without a fragment."
    ) { try await begin(parameters: resource(URL(literal: "https://api.example/#a"))) },
    Row(
      "a relative resource", .invalidConfiguration, "The resource api is not an absolute URI without a fragment."
    ) { try await begin(parameters: resource(URL(literal: "api"))) },
    Row(
      "no endpoint", .unsupported,
      "https://login.example has no authorization endpoint. Use a grant that needs none, or complete its metadata."
    ) { try await begin { $0.provider.server.authorizationEndpoint = nil } },
    Row(
      "an endpoint with a fragment", .invalidConfiguration,
      "The authorization endpoint of https://login.example has a fragment, so no query can be added. Correct its URL."
    ) { try await begin { $0.provider.server.authorizationEndpoint = URL(literal: "https://login.example/#a") } },
    Row(
      "no endpoint to push to", .unsupported,
      "https://login.example has no endpoint for pushed authorization requests. Complete its metadata, or turn off pushed requests."
    ) { try await begin { $0.registration.pushesAuthorizationRequests = true } },
    Row(
      "no reference to a pushed request", .invalidResponse,
      "The response of https://login.example to the pushed authorization request has no request_uri."
    ) {
      try await begin {
        $0.registration.pushesAuthorizationRequests = true
        $0.provider.server.pushedAuthorizationRequestEndpoint = URL(literal: "https://login.example/push")
      }
    },
    Row(
      "an empty reference to a pushed request", .invalidResponse,
      "The response of https://login.example to the pushed authorization request has no request_uri."
    ) {
      try await begin(response: Fixtures.json(#"{"request_uri":""}"#)) {
        $0.registration.pushesAuthorizationRequests = true
        $0.provider.server.pushedAuthorizationRequestEndpoint = URL(literal: "https://login.example/push")
      }
    },
    Row(
      "no key for a signature that is required", .invalidConfiguration,
      "https://login.example requires signed authorization requests. Set the registration's requestSigning."
    ) { try await begin { $0.provider.server.requireSignedRequestObject = true } },
    Row(
      "an algorithm that is not accepted", .invalidConfiguration,
      "https://login.example does not accept requests signed with ES256. Use a key for one of its request_object_signing_alg_values_supported."
    ) {
      let key = try SigningKey.generate(.es256)
      try await begin {
        $0.registration.requestSigning = RequestSigning(key)
        $0.provider.server.requestObjectSigningAlgValuesSupported = ["RS256"]
      }
    },
    Row(
      "a detail that is no object", .invalidConfiguration,
      "The members of the authorization detail cannot be written as a JSON object."
    ) { _ = try AuthorizationDetail(type: "payment", [1]) },
  ]
}

// MARK: - Callbacks

extension ErrorMessageTests {
  /// Completes a sign-in with a callback, which holds `STATE` for the `state` of the sign-in.
  private static func complete(
    _ query: String, after wait: Duration = .zero, at other: OAuthClient? = nil, times: Int = 1,
    issRequired: Bool? = nil
  ) async throws {
    let clock = ManualClock()
    let response = Fixtures.json(#"{"access_token":"a"}"#)
    let client = try Fixtures.client(StubTransport(response), issRequired: issRequired, clock: clock)
    let pending = try await client.beginAuthorization(scopes: [], redirectURI: Fixtures.redirect)
    clock.advance(by: wait)
    let callback = try Fixtures.callback(pending, query)
    for _ in 0..<times { _ = try await (other ?? client).completeAuthorization(pending, callback: callback) }
  }

  private static func refused(_ error: String) async throws { try await complete("error=\(error)&state=STATE") }

  private static let anotherURL =
    "The callback is not at the redirect URI, http://127.0.0.1:4711/callback. Pass the callback URL unchanged."

  private static let inFragment =
    "The callback has parameters in its fragment, but they were requested in the query. Check the response mode in the request's parameters and in the client's registration."

  static let callbacks: [Row] = [
    Row("another path", .invalidCallback, anotherURL) {
      let client = try Self.client()
      let pending = try await client.beginAuthorization(scopes: [], redirectURI: Fixtures.redirect)
      _ = try await client.completeAuthorization(pending, callback: URL(literal: "http://127.0.0.1:4711/other"))
    },
    Row("parameters in the fragment", .invalidCallback, inFragment) {
      try await complete("code=1&state=STATE#code=1")
    },
    Row("a form at a URL with parameters in the fragment", .invalidCallback, inFragment) {
      let client = try Self.client()
      let pending = try await client.beginAuthorization(scopes: [], redirectURI: Fixtures.redirect)
      _ = try await client.completeAuthorization(
        pending, callback: URL(literal: "http://127.0.0.1:4711/callback#code=1"), form: Array("code=1".utf8))
    },
    Row(
      "a repeated parameter", .invalidCallback,
      "The callback repeats the parameter \"code\", so it is not an authorization response."
    ) { try await complete("code=1&code=2&state=STATE") },
    Row(
      "another state", .stateMismatch, "The callback does not belong to this sign-in. Start the sign-in again."
    ) { try await complete("code=1&state=other") },
    Row(
      "another server's client", .issuerMismatch,
      "The authorization was begun at https://login.example, which is not this client's server, https://other.example."
    ) { try await complete("code=1&state=STATE", at: client { $0.provider.server.issuer = "https://other.example" }) },
    Row("a late callback", .signInTimedOut, "The sign-in took longer than allowed. Start it again.") {
      try await complete("code=1&state=STATE", after: .seconds(601))
    },
    Row("a second use", .authorizationUsed, "This sign-in was already completed. Start a new one.") {
      try await complete("code=1&state=STATE", times: 2)
    },
    Row(
      "another issuer", .issuerMismatch,
      "The response comes from https://evil.example, but https://login.example was expected. Start the sign-in again."
    ) { try await complete("code=1&state=STATE&iss=https://evil.example") },
    Row(
      "no issuer", .issuerMismatch,
      "The authorization response has no issuer, although https://login.example announces one for every response."
    ) { try await complete("code=1&state=STATE", issRequired: true) },
    Row(
      "an error without its issuer", .issuerMismatch,
      "The authorization response has no issuer, although https://login.example announces one for every response. It reports the error \"server_error\"."
    ) { try await complete("error=server_error&state=STATE", issRequired: true) },
    Row(
      "neither a code nor an error", .invalidCallback,
      "The callback from https://login.example contains neither a code nor an error. Start the sign-in again."
    ) { try await complete("state=STATE") },
    Row(
      "an empty code", .invalidCallback,
      "The callback from https://login.example contains neither a code nor an error. Start the sign-in again."
    ) { try await complete("code=&state=STATE") },
    Row(
      "access_denied", .accessDenied, "The user denied access. To continue, sign in again and allow access."
    ) { try await refused("access_denied") },
    Row(
      "unmet_authentication_requirements", .insufficientAuthentication,
      "https://login.example cannot authenticate the user as requested. Request another authentication context class."
    ) { try await refused("unmet_authentication_requirements") },
    Row(
      "temporarily_unavailable", .serverUnavailable,
      "https://login.example is temporarily unavailable. Try again later."
    ) { try await refused("temporarily_unavailable") },
    Row(
      "server_error", .serverUnavailable, "https://login.example is temporarily unavailable. Try again later."
    ) { try await refused("server_error") },
    Row(
      "interaction_required", .signInRequired,
      "https://login.example must interact with the user. The user must interact with the server's page: remove prompt=none."
    ) { try await refused("interaction_required") },
    Row(
      "login_required", .signInRequired,
      "https://login.example must interact with the user. The user must sign in at the server: remove prompt=none."
    ) { try await refused("login_required") },
    Row(
      "account_selection_required", .signInRequired,
      "https://login.example must interact with the user. The user must choose an account: remove prompt=none."
    ) { try await refused("account_selection_required") },
    Row(
      "consent_required", .signInRequired,
      "https://login.example must interact with the user. The user must consent: remove prompt=none."
    ) { try await refused("consent_required") },
    Row(
      "a code that is known", .requestRejected,
      "https://login.example refused the request. A scope is unknown or not allowed for this client: request only scopes that the server supports."
    ) { try await refused("invalid_scope") },
    Row("a code of the server's own", .requestRejected, "https://login.example refused the request.") {
      try await refused("server_is_asleep")
    },
  ]
}
