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

/// The errors whose messages name a remedy, and those that no other suite causes.
@Suite struct ErrorMessageTests {
  private typealias Row = Failure<OAuthError.Code>

  @Test("Every error names its remedy", arguments: idTokens + signIns + keySets + profiles + logouts + logoutTokens)
  func errorNamesItsRemedy(_ failure: Failure<OAuthError.Code>) async throws {
    let error = try #require(
      await #expect(throws: OAuthError.self) {
        try await failure.body()
      })
    failure.expect(error.code, error.message)
  }
}

// MARK: - ID tokens

extension ErrorMessageTests {
  /// Reads a sound ID token with some of its claims replaced.
  private static func read(
    _ changes: [String: (any Sendable)?] = [:], type: String = "JWT", nonce: String? = nil,
    authentication: AuthenticationRequirement = AuthenticationRequirement(), signedBy other: SigningKey? = nil
  ) async throws {
    let issuer = try SigningIssuer()
    _ = try await issuer.verifier.claims(
      of: issuer.sign(issuer.identity(changes), type: type, with: other), nonce: nonce.map { Secret($0) },
      accessToken: Secret("access"), authorizationCode: Secret("code"), authentication: authentication)
  }

  /// Signs the payload of an ID token as it is, and reads it.
  private static func read(payload: String) async throws {
    let issuer = try SigningIssuer()
    let text = try JWS.sign(Array(payload.utf8), with: issuer.key, keyID: issuer.key.publicJWK.keyID)
    _ = try await issuer.verifier.claims(of: Secret(text), nonce: nil)
  }

  private static let recent = AuthenticationRequirement(maximumAge: .seconds(300))

  private static let idTokens: [Row] = [
    Row("another type", .invalidResponse, "has another type in its header") {
      try await read(type: "at+jwt")
    },
    Row("an expiry in the past", .invalidResponse, "Check this machine's clock") {
      try await read(["exp": 1])
    },
    Row("an issue in the future", .invalidResponse, "Check this machine's clock") {
      try await read(["iat": 9_999_999_999])
    },
    Row("another nonce", .invalidResponse, "Start the sign-in again") {
      try await read(["nonce": "n-1"], nonce: "n-2")
    },
    Row("no number", .invalidResponse, "iss, sub, aud, exp and iat are required") {
      try await read(["exp": "soon"])
    },
    Row("an array", .invalidResponse, "are not a JSON object") {
      try await read(payload: "[]")
    },
    Row("another key", .invalidResponse, "signature is not valid: ") {
      try await read(signedBy: SigningKey.generate(.es256))
    },
    Row("no time of authentication", .invalidResponse, "https://login.example lacks the requested time") {
      try await read(authentication: recent)
    },
    Row("an authentication in the future", .invalidResponse, "Check this machine's clock") {
      try await read(["auth_time": 9_999_999_999], authentication: recent)
    },
    Row("an old authentication", .insufficientAuthentication, "Sign in again with prompt=login") {
      try await read(["auth_time": 1], authentication: recent)
    },
    Row("another class of authentication", .insufficientAuthentication, "Sign in again") {
      try await read(authentication: .init(contextClasses: ["gold"], isContextClassEssential: true))
    },
  ]
}

// MARK: - Sign-ins

extension ErrorMessageTests {
  private static func verify(scopes: [Scope], granted: [Scope]) async throws {
    let issuer = try SigningIssuer()
    let pending = try await issuer.client.beginAuthorization(
      scopes: scopes, redirectURI: URL(literal: "https://app.example/callback"))
    _ = try await issuer.verifier.claims(of: StoredToken(accessToken: Secret("a"), scopes: granted), for: pending)
  }

  private static let signIns: [Row] = [
    Row("a sign-in without openid", .invalidConfiguration, "Request openid") {
      try await verify(scopes: ["email"], granted: ["email"])
    },
    Row("a scope that was refused", .accessDenied, "sign in again and allow it") {
      try await verify(scopes: ["openid"], granted: [])
    },
    Row("a scope that was granted without an ID token", .invalidResponse, "granted openid but sent no ID token") {
      try await verify(scopes: ["openid"], granted: ["openid"])
    },
  ]
}

// MARK: - Key sets

extension ErrorMessageTests {
  private static func fetch(
    _ status: Int, _ body: String = "", times: Int = 1, from url: URL? = URL(literal: "https://login.example/keys")
  ) async throws {
    let issuer = try SigningIssuer { $0.jwksURI = url }
    let verifier = IDTokenVerifier(
      client: issuer.client, transport: StubTransport { _ in HTTPResponse(status: status, body: Array(body.utf8)) },
      clock: issuer.clock)
    let token = try issuer.sign(issuer.identity())
    for _ in 1..<times { _ = try? await verifier.claims(of: token, nonce: nil) }
    _ = try await verifier.claims(of: token, nonce: nil)
  }

  private static let keySets: [Row] = [
    Row("no keys", .invalidResponse, "https://login.example/keys could not be read (status 404). Try again later") {
      try await fetch(404)
    },
    Row("a page", .invalidResponse, "(The text is not a JSON Web Key set, or names a member twice.)") {
      try await fetch(200, "<html>")
    },
    Row("too many keys", .invalidResponse, "1001 keys, where at most 1000 are accepted") {
      try await fetch(200, #"{"keys":[{}\#(String(repeating: ",{}", count: 1000))]}"#)
    },
    Row("too many bytes", .invalidResponse, "1048577 bytes, where at most 1 MiB is accepted") {
      try await fetch(200, String(repeating: " ", count: 1_048_577))
    },
    Row("a failure that may pass", .serverUnavailable, "(status 503). Try again later") {
      try await fetch(503)
    },
    Row("five requests in a minute", .serverUnavailable, "Try again in a minute") {
      try await fetch(503, times: 5)
    },
    Row("no URL of keys", .unsupported, "publishes no keys") {
      try await fetch(200, from: nil)
    },
  ]
}

// MARK: - Profiles

extension ErrorMessageTests {
  private static func profile(
    _ body: String, status: Int = 200, type: String = "application/json", subject: String? = nil,
    requiringSignature: Bool = false, _ complete: (inout ServerMetadata) -> Void = { _ in }
  ) async throws {
    let response = HTTPResponse(status: status, fields: ["Content-Type": type], body: Array(body.utf8))
    _ = try await UserProfile.read(
      from: SigningIssuer(complete).client.server, transport: StubTransport(response), subject: subject,
      requiringSignature: requiringSignature)
  }

  private static func signedProfile(_ changes: [String: (any Sendable)?]) async throws {
    let issuer = try SigningIssuer()
    try await signedProfile(issuer.sign(issuer.identity(changes)).reveal(), from: issuer)
  }

  private static func signedProfile(payload: String) async throws {
    let issuer = try SigningIssuer()
    let text = try JWS.sign(Array(payload.utf8), with: issuer.key, keyID: issuer.key.publicJWK.keyID)
    try await signedProfile(text, from: issuer)
  }

  private static func signedProfile(_ text: String, from issuer: SigningIssuer) async throws {
    let response = HTTPResponse(status: 200, fields: ["Content-Type": "application/jwt"], body: Array(text.utf8))
    _ = try await UserProfile.read(
      from: issuer.client.server, transport: StubTransport(response), verifier: issuer.verifier)
  }

  private static let profiles: [Row] = [
    Row("no endpoint", .unsupported, "https://login.example has no") {
      try await profile("{}") { $0.userinfoEndpoint = nil }
    },
    Row("a token that is not accepted", .signInRequired, "Sign in again") {
      try await profile("", status: 401)
    },
    Row("a failure that may pass", .serverUnavailable, "status 503. Try again later") {
      try await profile("", status: 503)
    },
    Row("a refusal", .requestRejected, "the scope openid may not have been granted") {
      try await profile("", status: 403)
    },
    Row("another user", .invalidResponse, "Sign in again") {
      try await profile(#"{"sub":"1"}"#, subject: "2")
    },
    Row("no signature", .invalidResponse, "Check that the client is registered for signed profiles") {
      try await profile(#"{"sub":"1"}"#, requiringSignature: true)
    },
    Row("no verifier", .unsupported, "Pass an IDTokenVerifier") {
      try await profile("a.b.c", type: "application/jwt")
    },
    Row("a signed array", .invalidResponse, "not a JSON object") {
      try await signedProfile(payload: "[]")
    },
    Row("a claim of another type", .invalidResponse, "claim nbf is of the wrong type") {
      try await signedProfile(["nbf": "soon"])
    },
    Row("an expiry in the past", .invalidResponse, "Check this machine's clock") {
      try await signedProfile(["exp": 1])
    },
    Row("a time in the future", .invalidResponse, "Check this machine's clock") {
      try await signedProfile(["nbf": 9_999_999_999])
    },
    Row("another key", .invalidResponse, "signature is not valid: ") {
      try await signedProfile("a", from: SigningIssuer())
    },
  ]
}

// MARK: - Logouts

extension ErrorMessageTests {
  private static let signedOut = URL(literal: "https://app.example/signed-out")

  private static func issuer(_ name: String = SigningIssuer.name, end: String = "/end") throws -> SigningIssuer {
    try SigningIssuer {
      $0.issuer = name
      $0.endSessionEndpoint = URL(string: name + end)
    }
  }

  private static func frontChannel(_ query: String) throws {
    _ = try FrontChannelLogout(
      #require(URL(string: "https://app.example/end?\(query)")), from: SigningIssuer().client.server)
  }

  private static let logouts: [Row] = [
    Row("no endpoint", .unsupported, "https://login.example has no") { _ = try SigningIssuer().client.beginLogout() },
    Row("an endpoint with a fragment", .invalidConfiguration, "Correct its URL") {
      _ = try issuer(end: "/end#a").client.beginLogout()
    },
    Row("no redirect URI", .invalidCallback, "begun without a redirect URI") {
      let client = try issuer().client
      try client.completeLogout(client.beginLogout(), callback: signedOut)
    },
    Row("another state", .stateMismatch, "Start the logout again") {
      let client = try issuer().client
      try client.completeLogout(client.beginLogout(redirectURI: signedOut), callback: signedOut)
    },
    Row("another server", .issuerMismatch, "another server than this client's, https://login.example") {
      let pending = try issuer("https://other.example").client.beginLogout(redirectURI: signedOut)
      let callback = try #require(URL(string: "\(signedOut)?state=\(pending.state?.reveal() ?? "")"))
      try issuer().client.completeLogout(pending, callback: callback)
    },
    Row("a session without an issuer", .invalidCallback, "must have iss and sid once, or neither") {
      try frontChannel("sid=s-1")
    },
    Row("no session", .invalidCallback, "names no session of https://login.example") {
      try frontChannel("")
    },
  ]
}

// MARK: - Logout tokens

extension ErrorMessageTests {
  /// Verifies a sound logout token with some of its claims replaced, once or more.
  private static func logOut(
    _ changes: [String: (any Sendable)?] = [:], type: String = "logout+jwt", times: Int = 1
  ) async throws {
    let issuer = try SigningIssuer()
    let event = ["http://schemas.openid.net/event/backchannel-logout": [String: String]()]
    let sound: [String: (any Sendable)?] = ["jti": "t-1", "sid": "s-1", "events": event]
    let token = try issuer.sign(issuer.identity(sound.merging(changes) { $1 }), type: type)
    let logout = BackChannelLogout(verifier: issuer.verifier)
    for _ in 0..<times { _ = try await logout.verify(token) }
  }

  private static func logOut(by request: HTTPRequest) async throws {
    _ = try await BackChannelLogout(verifier: SigningIssuer().verifier).verify(request)
  }

  private static let endpoint = URL(literal: "https://app.example/logout")
  private static let form: HTTPFields = ["Content-Type": "application/x-www-form-urlencoded"]

  private static let logoutTokens: [Row] = [
    Row("another method", .invalidCallback, "must be a POST request with a form") {
      try await logOut(by: HTTPRequest(.get, endpoint))
    },
    Row("an empty form", .invalidCallback, "must have one logout_token") {
      try await logOut(by: HTTPRequest(.post, endpoint, fields: form))
    },
    Row("an issue in the future", .invalidResponse, "Check this machine's clock") {
      try await logOut(["iat": 9_999_999_999])
    },
    Row("a second use", .authorizationUsed, "was used before") {
      try await logOut(times: 2)
    },
    Row("no JWT", .invalidResponse, "signature is not valid: ") {
      _ = try await BackChannelLogout(verifier: SigningIssuer().verifier).verify(Secret("a"))
    },
    Row("an array", .invalidResponse, "are not a JSON object") {
      let issuer = try SigningIssuer()
      let text = try JWS.sign(
        Array("[]".utf8), with: issuer.key, keyID: issuer.key.publicJWK.keyID, type: "logout+jwt")
      _ = try await BackChannelLogout(verifier: issuer.verifier).verify(Secret(text))
    },
    Row("no identifier", .invalidResponse, "iss, aud, iat and jti are required") {
      try await logOut(["jti": nil])
    },
    Row("neither a user nor a session", .invalidResponse, "names neither a user nor a session") {
      try await logOut(["sub": nil, "sid": nil])
    },
  ]
}
