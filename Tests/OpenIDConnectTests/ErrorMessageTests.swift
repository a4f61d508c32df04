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

/// Every error of the module, with its whole message.
@Suite struct ErrorMessageTests {
  private typealias Row = Failure<OAuthError.Code>

  @Test("Every error states what failed", arguments: idTokens + signIns + keySets + profiles + logouts + logoutTokens)
  func statesWhatFailed(_ failure: Failure<OAuthError.Code>) async {
    let error = await #expect(throws: OAuthError.self) { try await failure.body() }
    #expect(error?.code == failure.code)
    #expect(error?.message == failure.message)
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

  /// The left half of SHA-256 of `access`, computed by OpenSSL.
  private static let halfOfSHA256 = "oFYf1knNtrqnhAVfBRuteQ"

  private static let idTokens: [Row] = [
    Row(
      "another type", .invalidResponse,
      "The ID token from https://login.example has another type in its header."
    ) { try await read(type: "at+jwt") },
    Row(
      "another issuer", .issuerMismatch, "The ID token names another issuer than https://login.example."
    ) { try await read(["iss": "https://evil.example"]) },
    Row(
      "another client", .invalidResponse, "The ID token from https://login.example is for another client."
    ) { try await read(["aud": "other"]) },
    Row(
      "another party", .invalidResponse, "The ID token from https://login.example was requested by another client."
    ) { try await read(["azp": "other"]) },
    Row(
      "several clients without a party", .invalidResponse,
      "The ID token from https://login.example was requested by another client."
    ) { try await read(["aud": ["app", "other"]]) },
    Row(
      "an expiry in the past", .invalidResponse,
      "The ID token from https://login.example has expired. Check this machine's clock."
    ) { try await read(["exp": 1]) },
    Row(
      "an issue in the future", .invalidResponse,
      "The ID token from https://login.example is from the future. Check this machine's clock."
    ) { try await read(["iat": 9_999_999_999]) },
    Row(
      "another nonce", .invalidResponse, "The ID token does not belong to this sign-in. Start the sign-in again."
    ) { try await read(["nonce": "n-1"], nonce: "n-2") },
    Row("another access token", .invalidResponse, "The ID token belongs to another access token.") {
      try await read(["at_hash": "AA"])
    },
    Row("another code", .invalidResponse, "The ID token belongs to another authorization code.") {
      try await read(["c_hash": "AA"])
    },
    Row(
      "a hash of another digest", .invalidResponse,
      "The at_hash in the ID token from https://login.example uses SHA-256, but a signature with ES384 requires another digest (SHA-512 for EdDSA). Report the error to the server's operator, or register the client for ID tokens signed with RS256 or ES256."
    ) {
      let issuer = try SigningIssuer()
      let key = try SigningKey.generate(.es384)
      let keys = Array(try JSONEncoder().encode(JWKSet([key.publicJWK])))
      let verifier = IDTokenVerifier(
        client: issuer.client, transport: StubTransport { _ in HTTPResponse(status: 200, body: keys) },
        clock: issuer.clock)
      let payload = try JSONSerialization.data(withJSONObject: issuer.identity(["at_hash": halfOfSHA256]))
      let text = try JWS.sign(Array(payload), with: key, keyID: key.publicJWK.keyID)
      _ = try await verifier.claims(of: Secret(text), nonce: nil, accessToken: Secret("access"))
    },
    Row(
      "no number", .invalidResponse,
      "The ID token's claim exp is missing or of another type; iss, sub, aud, exp and iat are required."
    ) { try await read(["exp": "soon"]) },
    Row("an empty subject", .invalidResponse, "The ID token's subject is empty.") { try await read(["sub": ""]) },
    Row("a repeated claim", .invalidResponse, "The ID token contains a claim twice.") {
      try await read(payload: #"{"sub":"1","sub":"2"}"#)
    },
    Row("an array", .invalidResponse, "The ID token's claims are not a JSON object.") {
      try await read(payload: "[]")
    },
    Row("no JSON", .invalidResponse, "The ID token's claims are not a JSON object.") {
      try await read(payload: "sub")
    },
    Row(
      "another key", .invalidResponse,
      "The ID token's signature is not valid: The signature does not match the content and the key."
    ) { try await read(signedBy: SigningKey.generate(.es256)) },
    Row(
      "no time of authentication", .invalidResponse,
      "The ID token from https://login.example lacks the requested time of the user's authentication."
    ) { try await read(authentication: recent) },
    Row(
      "an authentication in the future", .invalidResponse,
      "The ID token from https://login.example has an authentication in the future. Check this machine's clock."
    ) { try await read(["auth_time": 9_999_999_999], authentication: recent) },
    Row(
      "an old authentication", .insufficientAuthentication,
      "The user authenticated at https://login.example longer ago than allowed. Sign in again with prompt=login."
    ) { try await read(["auth_time": 1], authentication: recent) },
    Row(
      "another class of authentication", .insufficientAuthentication,
      "The user did not authenticate at https://login.example in any of the required ways. Sign in again."
    ) { try await read(authentication: .init(contextClasses: ["gold"], isContextClassEssential: true)) },
  ]
}

// MARK: - Sign-ins

extension ErrorMessageTests {
  private static func verify(scopes: [String], granted: [String]) async throws {
    let issuer = try SigningIssuer()
    let pending = try await issuer.client.beginAuthorization(
      scopes: scopes, redirectURI: URL(literal: "https://app.example/callback"))
    _ = try await issuer.verifier.claims(of: StoredToken(accessToken: Secret("a"), scopes: granted), for: pending)
  }

  private static let signIns: [Row] = [
    Row(
      "a sign-in without openid", .invalidConfiguration,
      "The sign-in did not request the scope openid, so the user is unknown. Request openid."
    ) { try await verify(scopes: ["email"], granted: ["email"]) },
    Row(
      "a scope that was refused", .accessDenied,
      "The user denied the scope openid at https://login.example. To identify the user, sign in again and allow it."
    ) { try await verify(scopes: ["openid"], granted: []) },
    Row(
      "a scope that was granted without an ID token", .invalidResponse,
      "https://login.example granted openid but sent no ID token."
    ) { try await verify(scopes: ["openid"], granted: ["openid"]) },
  ]
}

// MARK: - Key sets

extension ErrorMessageTests {
  private static func fetch(_ status: Int, times: Int = 1, from url: URL? = URL(literal: "https://login.example/keys"))
    async throws
  {
    let issuer = try SigningIssuer { $0.jwksURI = url }
    let verifier = IDTokenVerifier(
      client: issuer.client, transport: StubTransport { _ in HTTPResponse(status: status) }, clock: issuer.clock)
    let token = try issuer.sign(issuer.identity())
    for _ in 1..<times { _ = try? await verifier.claims(of: token, nonce: nil) }
    _ = try await verifier.claims(of: token, nonce: nil)
  }

  private static let keySets: [Row] = [
    Row(
      "no keys", .invalidResponse,
      "The keys at https://login.example/keys could not be read (status 404). Try again later."
    ) { try await fetch(404) },
    Row(
      "a failure that may pass", .serverUnavailable,
      "The keys at https://login.example/keys could not be read (status 503). Try again later."
    ) { try await fetch(503) },
    Row(
      "five requests in a minute", .serverUnavailable,
      "The keys at https://login.example/keys could not be read after several requests within a minute. Try again in a minute."
    ) { try await fetch(503, times: 5) },
    Row("no URL of keys", .unsupported, "The server publishes no keys for verifying ID tokens.") {
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

  private static let notNow =
    "The signed profile from https://login.example is not valid now. Check this machine's clock."

  private static let profiles: [Row] = [
    Row("no endpoint", .unsupported, "https://login.example has no userinfo endpoint.") {
      try await profile("{}") { $0.userinfoEndpoint = nil }
    },
    Row(
      "a token that is not accepted", .signInRequired,
      "The userinfo endpoint of https://login.example rejected the access token. Sign in again."
    ) { try await profile("", status: 401) },
    Row(
      "a failure that may pass", .serverUnavailable,
      "The userinfo endpoint of https://login.example responded with status 503. Try again later."
    ) { try await profile("", status: 503) },
    Row(
      "a refusal", .requestRejected,
      "The userinfo endpoint of https://login.example responded with status 403: the scope openid may not have been granted."
    ) { try await profile("", status: 403) },
    Row(
      "no subject", .invalidResponse,
      "The response of the userinfo endpoint of https://login.example is not a profile with a subject."
    ) { try await profile("{}") },
    Row(
      "a repeated claim", .invalidResponse,
      "The response of the userinfo endpoint of https://login.example is not a profile with a subject."
    ) { try await profile(#"{"sub":"1","sub":"2"}"#) },
    Row(
      "another user", .invalidResponse,
      "The profile belongs to a different user than the one who signed in. Sign in again."
    ) { try await profile(#"{"sub":"1"}"#, subject: "2") },
    Row(
      "no signature", .invalidResponse,
      "The userinfo endpoint of https://login.example returned an unsigned profile, but a signed one is required. Check that the client is registered for signed profiles."
    ) { try await profile(#"{"sub":"1"}"#, requiringSignature: true) },
    Row(
      "no verifier", .unsupported,
      "The userinfo endpoint of https://login.example returned a signed profile. Pass an IDTokenVerifier."
    ) { try await profile("a.b.c", type: "application/jwt") },
    Row("a signed array", .invalidResponse, "The signed profile is not a JSON object.") {
      try await signedProfile(payload: "[]")
    },
    Row("a repeated claim that is signed", .invalidResponse, "The signed profile is not a JSON object.") {
      try await signedProfile(payload: #"{"sub":"1","sub":"1"}"#)
    },
    Row("a claim of another type", .invalidResponse, "The signed profile's claim nbf is of the wrong type.") {
      try await signedProfile(["nbf": "soon"])
    },
    Row(
      "another issuer", .issuerMismatch, "The signed profile names another issuer than https://login.example."
    ) { try await signedProfile(["iss": "https://evil.example"]) },
    Row(
      "another client", .invalidResponse, "The signed profile from https://login.example is for another client."
    ) { try await signedProfile(["aud": "other"]) },
    Row("an expiry in the past", .invalidResponse, notNow) { try await signedProfile(["exp": 1]) },
    Row("a time in the future", .invalidResponse, notNow) { try await signedProfile(["nbf": 9_999_999_999]) },
    Row(
      "another key", .invalidResponse,
      "The signed profile's signature is not valid: The text is not a compact JWS of three Base64URL parts."
    ) { try await signedProfile("a", from: SigningIssuer()) },
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
    Row(
      "no endpoint", .unsupported,
      "https://login.example has no logout endpoint. Remove the tokens and end your own session."
    ) { _ = try SigningIssuer().client.beginLogout() },
    Row(
      "an endpoint with a fragment", .invalidConfiguration,
      "The end-session endpoint of https://login.example has a fragment, so no query can be added. Correct its URL."
    ) { _ = try issuer(end: "/end#a").client.beginLogout() },
    Row(
      "no redirect URI", .invalidCallback, "The logout was begun without a redirect URI, so there can be no callback."
    ) {
      let client = try issuer().client
      try client.completeLogout(client.beginLogout(), callback: signedOut)
    },
    Row(
      "another state", .stateMismatch, "The callback does not belong to this logout. Start the logout again."
    ) {
      let client = try issuer().client
      try client.completeLogout(client.beginLogout(redirectURI: signedOut), callback: signedOut)
    },
    Row(
      "another server", .issuerMismatch,
      "The logout was begun at another server than this client's, https://login.example."
    ) {
      let pending = try issuer("https://other.example").client.beginLogout(redirectURI: signedOut)
      let callback = try #require(URL(string: "\(signedOut)?state=\(pending.state?.reveal() ?? "")"))
      try issuer().client.completeLogout(pending, callback: callback)
    },
    Row(
      "a session without an issuer", .invalidCallback,
      "A logout request must have iss and sid once, or neither."
    ) { try frontChannel("sid=s-1") },
    Row(
      "no session", .invalidCallback,
      "The logout request names no session of https://login.example."
    ) { try frontChannel("") },
    Row(
      "another issuer", .issuerMismatch, "The logout request names another issuer than https://login.example."
    ) { try frontChannel("iss=https%3A%2F%2Fevil.example&sid=s-1") },
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

  private static let nameless = "The logout token names neither a user nor a session, or has an empty claim."
  private static let noForm = "A logout request must be a POST request with a form."

  private static let logoutTokens: [Row] = [
    Row("another method", .invalidCallback, noForm) { try await logOut(by: HTTPRequest(.get, endpoint)) },
    Row("bytes that are no text", .invalidCallback, noForm) {
      try await logOut(by: HTTPRequest(.post, endpoint, fields: form, body: [0xFF]))
    },
    Row("an empty form", .invalidCallback, "A logout request must have one logout_token.") {
      try await logOut(by: HTTPRequest(.post, endpoint, fields: form))
    },
    Row("another type", .invalidResponse, "The token from https://login.example is not of the type logout+jwt.") {
      try await logOut(type: "JWT")
    },
    Row("another issuer", .issuerMismatch, "The logout token names another issuer than https://login.example.") {
      try await logOut(["iss": "https://evil.example"])
    },
    Row("another client", .invalidResponse, "The logout token from https://login.example is for another client.") {
      try await logOut(["aud": "other"])
    },
    Row(
      "an issue in the future", .invalidResponse,
      "The logout token from https://login.example is from the future. Check this machine's clock."
    ) { try await logOut(["iat": 9_999_999_999]) },
    Row(
      "an expiry in the past", .invalidResponse,
      "The logout token from https://login.example has expired. Check this machine's clock."
    ) { try await logOut(["exp": 1]) },
    Row("a second use", .authorizationUsed, "The logout token from https://login.example was used before.") {
      try await logOut(times: 2)
    },
    Row(
      "no JWT", .invalidResponse,
      "The logout token's signature is not valid: The text is not a compact JWS of three Base64URL parts."
    ) { _ = try await BackChannelLogout(verifier: SigningIssuer().verifier).verify(Secret("a")) },
    Row(
      "an array", .invalidResponse, "The logout token's claims are not a JSON object with unique names."
    ) {
      let issuer = try SigningIssuer()
      let text = try JWS.sign(
        Array("[]".utf8), with: issuer.key, keyID: issuer.key.publicJWK.keyID, type: "logout+jwt")
      _ = try await BackChannelLogout(verifier: issuer.verifier).verify(Secret(text))
    },
    Row(
      "no identifier", .invalidResponse,
      "The logout token's claim jti is missing or of another type; iss, aud, iat and jti are required."
    ) { try await logOut(["jti": nil]) },
    Row("neither a user nor a session", .invalidResponse, nameless) { try await logOut(["sub": nil, "sid": nil]) },
    Row("an empty session", .invalidResponse, nameless) { try await logOut(["sid": ""]) },
    Row("another event", .invalidResponse, "The logout token contains no logout event.") {
      try await logOut(["events": nil])
    },
    Row("a nonce", .invalidResponse, "The logout token contains a nonce, which only ID tokens have.") {
      try await logOut(["nonce": "n-1"])
    },
  ]
}
