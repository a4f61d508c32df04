// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthJOSE
import OpenIDConnect
import TestSupport
import Testing
import TokenStore

/// The errors that no other suite causes, with their remedies.
@Suite struct ErrorMessageTests {
  private typealias Row = Failure<OAuthError.Code>

  @Test("Every error names its remedy", arguments: tokens + keySets + profiles + logouts)
  func errorNamesItsRemedy(_ failure: Failure<OAuthError.Code>) async throws {
    try await expect(failure.code, failure.remedy, failure.body)
  }

  /// Signs a payload that is no object.
  private static func array(_ issuer: SigningIssuer, type: String = "JWT") throws -> Secret {
    Secret(try JWS.sign(Array("[]".utf8), with: issuer.key, keyID: issuer.key.publicJWK.keyID, type: type))
  }

  private static func verify(scopes: [Scope], granted: [Scope]) async throws {
    let issuer = try SigningIssuer()
    let pending = try await issuer.client.beginAuthorization(
      scopes: scopes, redirectURI: URL(literal: "https://app.example/callback"))
    _ = try await issuer.verifier.claims(of: StoredToken(accessToken: Secret("a"), scopes: granted), for: pending)
  }

  private static let tokens: [Row] = [
    Row("an array", .invalidResponse, "are not a JSON object") {
      let issuer = try SigningIssuer()
      _ = try await issuer.verifier.claims(of: array(issuer), nonce: nil)
    },
    Row("a sign-in without openid", .invalidConfiguration, "Request openid") {
      try await verify(scopes: ["email"], granted: ["email"])
    },
    Row("a scope that was granted without an ID token", .invalidResponse, "granted openid but sent no ID token") {
      try await verify(scopes: ["openid"], granted: ["openid"])
    },
    Row("no URL of keys", .unsupported, "publishes no keys") {
      let issuer = try SigningIssuer { $0.jwksURI = nil }
      let verifier = IDTokenVerifier(client: issuer.client, transport: StubTransport(), clock: issuer.clock)
      _ = try await verifier.claims(of: issuer.sign(issuer.identity()), nonce: nil)
    },
  ]

  private static func readKeys(_ body: String) async throws {
    let issuer = try SigningIssuer { $0.jwksURI = URL(literal: "https://login.example/keys") }
    let transport = StubTransport { _ in HTTPResponse(status: 200, body: Array(body.utf8)) }
    let verifier = IDTokenVerifier(client: issuer.client, transport: transport, clock: issuer.clock)
    _ = try await verifier.claims(of: issuer.sign(issuer.identity()), nonce: nil)
  }

  private static let keySets: [Row] = [
    Row("a page", .invalidResponse, "(The text is not a JSON Web Key set, or has a duplicate member.)") {
      try await readKeys("<html>")
    },
    Row("too many keys", .invalidResponse, "1001 keys. At most 1000 are accepted") {
      try await readKeys(#"{"keys":[{}\#(String(repeating: ",{}", count: 1000))]}"#)
    },
    Row("too many bytes", .invalidResponse, "1048577 bytes. At most 1 MiB is accepted") {
      try await readKeys(String(repeating: " ", count: 1_048_577))
    },
  ]

  private static func signedProfile(_ text: Secret, from issuer: SigningIssuer) async throws {
    let response = HTTPResponse(
      status: 200, fields: ["Content-Type": "application/jwt"], body: Array(text.reveal().utf8))
    _ = try await UserProfile.read(
      from: issuer.client.server, transport: StubTransport(response), verifier: issuer.verifier)
  }

  private static let profiles: [Row] = [
    Row("no endpoint", .unsupported, "https://login.example has no") {
      _ = try await UserProfile.read(
        from: SigningIssuer { $0.userinfoEndpoint = nil }.client.server, transport: StubTransport())
    },
    Row("a signed array", .invalidResponse, "not a JSON object") {
      let issuer = try SigningIssuer()
      try await signedProfile(array(issuer), from: issuer)
    },
    Row("a claim of another type", .invalidResponse, "claim nbf is of the wrong type") {
      let issuer = try SigningIssuer()
      try await signedProfile(issuer.sign(issuer.identity(["nbf": "soon"])), from: issuer)
    },
  ]

  private static let signedOut = URL(literal: "https://app.example/signed-out")

  private static func client(_ name: String = SigningIssuer.name, end: String = "/end") throws -> OAuthClient {
    try SigningIssuer {
      $0.issuer = name
      $0.endSessionEndpoint = URL(string: name + end)
    }.client
  }

  private static func logOut(_ token: (SigningIssuer) throws -> Secret) async throws {
    let issuer = try SigningIssuer()
    _ = try await BackChannelLogout(verifier: issuer.verifier).verify(token(issuer))
  }

  private static let logouts: [Row] = [
    Row("an endpoint with a fragment", .invalidConfiguration, "Correct its URL") {
      _ = try client(end: "/end#a").beginLogout()
    },
    Row("no redirect URI", .invalidCallback, "no redirect URI") {
      try client().completeLogout(client().beginLogout(), callback: signedOut)
    },
    Row("another server", .issuerMismatch, "a different server than this client's, https://login.example") {
      let pending = try client("https://other.example").beginLogout(redirectURI: signedOut)
      let callback = try #require(URL(string: "\(signedOut)?state=\(pending.state?.reveal() ?? "")"))
      try client().completeLogout(pending, callback: callback)
    },
    Row("a logout token that is no JWT", .invalidResponse, "signature is not valid: ") {
      try await logOut { _ in Secret("a") }
    },
    Row("a logout token that is an array", .invalidResponse, "are not a JSON object") {
      try await logOut { try array($0, type: "logout+jwt") }
    },
  ]
}
