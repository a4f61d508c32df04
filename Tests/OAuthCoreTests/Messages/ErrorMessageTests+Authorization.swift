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
    _ scopes: [Scope] = [], redirectURI: URL = Fixtures.redirect, parameters: AuthorizationParameters = [:],
    set: (inout Parties) -> Void = { _ in }
  ) async throws {
    _ = try await client(StubTransport(Fixtures.json("{}")), set: set).beginAuthorization(
      scopes: scopes, redirectURI: redirectURI, parameters: parameters)
  }

  static let requests: [Row] = [
    Row("an empty client identifier", .invalidConfiguration, "Use the one") {
      _ = try client { $0.registration.clientID = "" }
    },
    Row(
      "an insecure endpoint", .invalidConfiguration, "token_endpoint, http://login.example/token, must be an https URL"
    ) {
      _ = try client { $0.provider.server.tokenEndpoint = URL(literal: "http://login.example/token") }
    },
    Row(
      "an insecure endpoint for certificates", .invalidConfiguration, "token_endpoint, ftp://a/, must be an https URL"
    ) {
      _ = try client { $0.provider.server.mtlsEndpointAliases = ["token_endpoint": URL(literal: "ftp://a/")] }
    },
    Row("an insecure redirect URI", .invalidConfiguration, "must be https, an app's own scheme, or http to loopback") {
      try await begin(redirectURI: URL(literal: "http://app.example/"))
    },
    Row("an authentication without an ID token", .invalidConfiguration, "Request the scope openid") {
      try await begin(parameters: ["max_age": "60"])
    },
    Row("an authentication without a verifier", .invalidConfiguration, "Add an IDTokenVerifier") {
      let account = OAuthAccount(
        client: try client(), storage: InMemoryTokenStorage(), account: "me", scopes: ["openid"],
        parameters: ["max_age": "60"])
      _ = try await account.beginSignIn(redirectURI: Fixtures.redirect)
    },
    Row("a server without PKCE", .invalidConfiguration, "Provide the client's credentials") {
      try await begin { $0.provider.quirks.checksPKCE = false }
    },
    Row("a parameter of the request", .invalidConfiguration, "state is set by the request itself. Remove it") {
      try await begin(parameters: ["state": "1"])
    },
    Row("an age that is no number", .invalidConfiguration, "max_age must be a number of seconds") {
      try await begin(["openid"], parameters: ["max_age": "soon"])
    },
    Row("claims that are no object", .invalidConfiguration, "claims must be a JSON object") {
      try await begin(parameters: ["claims": "[]"])
    },
    Row("a resource with a fragment", .invalidConfiguration, "not an absolute URI without a fragment") {
      var parameters: AuthorizationParameters = [:]
      parameters.resources = [URL(literal: "https://api.example/#a")]
      try await begin(parameters: parameters)
    },
    Row("no endpoint", .unsupported, "Use a grant that needs none, or complete its metadata") {
      try await begin { $0.provider.server.authorizationEndpoint = nil }
    },
    Row("an endpoint with a fragment", .invalidConfiguration, "Correct its URL") {
      try await begin { $0.provider.server.authorizationEndpoint = URL(literal: "https://login.example/#a") }
    },
    Row("no endpoint to push to", .unsupported, "Complete its metadata, or turn off pushed requests") {
      try await begin { $0.registration.pushesAuthorizationRequests = true }
    },
    Row("no reference to a pushed request", .invalidResponse, "https://login.example") {
      try await begin {
        $0.registration.pushesAuthorizationRequests = true
        $0.provider.server.pushedAuthorizationRequestEndpoint = URL(literal: "https://login.example/push")
      }
    },
    Row("no key for a required signature", .invalidConfiguration, "Set the registration's requestSigning") {
      try await begin { $0.provider.server.requireSignedRequestObject = true }
    },
    Row("an algorithm that is not accepted", .invalidConfiguration, "Use a key for one of its request_object_signing") {
      let key = try SigningKey.generate(.es256)
      try await begin {
        $0.registration.requestSigning = RequestSigning(key)
        $0.provider.server.requestObjectSigningAlgValuesSupported = ["RS256"]
      }
    },
    Row("a detail that is no object", .invalidConfiguration, "cannot be written as a JSON object") {
      _ = try AuthorizationDetail(type: "payment", [1])
    },
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
    let client = try Fixtures.client(
      StubTransport(Fixtures.json(#"{"access_token":"a"}"#)), issRequired: issRequired, clock: clock)
    let pending = try await client.beginAuthorization(scopes: [], redirectURI: Fixtures.redirect)
    clock.advance(by: wait)
    let callback = try Fixtures.callback(pending, query)
    for _ in 0..<times { _ = try await (other ?? client).completeAuthorization(pending, callback: callback) }
  }

  static let callbacks: [Row] = [
    Row("another path", .invalidCallback, "Pass the callback URL unchanged") {
      let client = try Self.client()
      let pending = try await client.beginAuthorization(scopes: [], redirectURI: Fixtures.redirect)
      _ = try await client.completeAuthorization(pending, callback: URL(literal: "http://127.0.0.1:4711/other"))
    },
    Row("parameters in the fragment", .invalidCallback, "Check the response mode") {
      try await complete("code=1&state=STATE#code=1")
    },
    Row("a form at a URL with parameters in the fragment", .invalidCallback, "Check the response mode") {
      let client = try Self.client()
      let pending = try await client.beginAuthorization(scopes: [], redirectURI: Fixtures.redirect)
      _ = try await client.completeAuthorization(
        pending, callback: URL(literal: "http://127.0.0.1:4711/callback#code=1"), form: Array("code=1".utf8))
    },
    Row("a repeated parameter", .invalidCallback, "repeats the parameter \"code\"") {
      try await complete("code=1&code=2&state=STATE")
    },
    Row("another state", .stateMismatch, "Start the sign-in again") { try await complete("code=1&state=other") },
    Row("another server's client", .issuerMismatch, "https://login.example, which is not this client's server") {
      try await complete("code=1&state=STATE", at: client { $0.provider.server.issuer = "https://other.example" })
    },
    Row("a late callback", .signInTimedOut, "Start it again") {
      try await complete("code=1&state=STATE", after: .seconds(601))
    },
    Row("a second use", .authorizationUsed, "Start a new one") { try await complete("code=1&state=STATE", times: 2) },
    Row("another issuer", .issuerMismatch, "Start the sign-in again") {
      try await complete("code=1&state=STATE&iss=https://evil.example")
    },
    Row("an error without its issuer", .issuerMismatch, "It reports the error \"server_error\"") {
      try await complete("error=server_error&state=STATE", issRequired: true)
    },
    Row("neither a code nor an error", .invalidCallback, "Start the sign-in again") {
      try await complete("state=STATE")
    },
  ]
}
