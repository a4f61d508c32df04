// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthJOSE
import OpenIDConnect
import Synchronization
import Testing
import Timekeeping
import TokenStore

/// Signing out that the server announces by a request of its own.
@Suite struct BackChannelLogoutTests {
  private static let event = ["http://schemas.openid.net/event/backchannel-logout": [String: String]()]

  private func claims(_ issuer: SigningIssuer, _ changes: [String: (any Sendable)?] = [:]) -> [String: any Sendable] {
    issuer.identity(
      ["exp": issuer.seconds(120), "jti": "t-1", "sid": "s-1", "events": Self.event].merging(changes) { $1 })
  }

  /// Verifies a sound logout token with some of its claims replaced.
  @discardableResult
  private func verify(
    _ changes: [String: (any Sendable)?] = [:], type: String? = "logout+jwt", requiresType: Bool = true,
    with other: SigningKey? = nil
  ) async throws -> LogoutToken {
    let issuer = try SigningIssuer()
    return try await BackChannelLogout(verifier: issuer.verifier, requiresType: requiresType)
      .verify(issuer.sign(claims(issuer, changes), type: type, with: other))
  }

  private func request(_ body: String, type: String = "application/x-www-form-urlencoded") -> HTTPRequest {
    HTTPRequest(
      .post, URL(literal: "https://app.example/logout"), fields: ["Content-Type": type], body: Array(body.utf8))
  }

  @Test func soundTokenSaysWhoseSessionEnds() async throws {
    let token = try await verify()
    #expect(token.subject == "person" && token.sessionID == "s-1" && token.identifier == "t-1")
    #expect(token.issuer == SigningIssuer.name && token.issuedAt == ManualClock().now)
  }

  @Test(
    "Each claim is checked",
    arguments: [
      ("iss", "https://evil.example", OAuthError.Code.issuerMismatch), ("iss", nil, .invalidResponse),
      ("aud", "other", .invalidResponse), ("aud", ["other", "app"], nil), ("aud", nil, .invalidResponse),
      ("iat", nil, .invalidResponse), ("iat", "now", .invalidResponse), ("jti", nil, .invalidResponse),
      ("jti", "", .invalidResponse), ("sub", nil, nil), ("sid", nil, nil), ("sub", "", .invalidResponse),
      ("sid", 7, .invalidResponse), ("exp", nil, nil), ("exp", "never", .invalidResponse),
      ("nonce", "n-1", .invalidResponse), ("nonce", "", .invalidResponse),
      ("events", nil, .invalidResponse), ("events", [String: String](), .invalidResponse),
      ("events", ["http://schemas.openid.net/event/backchannel-logout": "yes"], .invalidResponse),
      ("events", ["https://other.example/event": [String: String]()], .invalidResponse),
      ("events", ["http://schemas.openid.net/event/backchannel-logout"], .invalidResponse),
    ] as [(String, (any Sendable)?, OAuthError.Code?)])
  func claimIsChecked(_ name: String, _ value: (any Sendable)?, _ code: OAuthError.Code?) async throws {
    try await expect(code) { try await verify([name: value]) }
  }

  @Test func userOrSessionMustBeNamed() async throws {
    try await expect(.invalidResponse, "names neither a user nor a session") {
      try await verify(["sub": nil, "sid": nil])
    }
  }

  @Test(
    "The type keeps other tokens of the server away",
    arguments: [
      ("logout+jwt", true, true), ("LOGOUT+JWT", true, true), ("application/logout+jwt", true, true),
      ("JWT", true, false), (nil, true, false), ("at+jwt", true, false), ("JWT", false, true), (nil, false, true),
      ("at+jwt", false, false),
    ] as [(String?, Bool, Bool)])
  func typeIsChecked(_ type: String?, isRequired: Bool, isAccepted: Bool) async throws {
    try await expect(isAccepted ? nil : .invalidResponse) { try await verify(type: type, requiresType: isRequired) }
  }

  @Test(
    "Times in seconds from now, with a leeway of 60",
    arguments: [
      (0, 120, true), (60, 180, true), (61, 180, false), (-359, 120, true), (-360, 120, false), (-100, -59, true),
      (-100, -60, false), (-359, nil, true), (-360, nil, false),
    ] as [(Int, Int?, Bool)])
  func timesAreChecked(_ issuedAt: Int, _ expiresAt: Int?, isAccepted: Bool) async throws {
    let now = Int(ManualClock().now.secondsSince1970)
    try await expect(isAccepted ? nil : .invalidResponse) {
      try await verify(["iat": now + issuedAt, "exp": expiresAt.map { now + $0 }])
    }
  }

  @Test func signatureIsThatOfTheIssuer() async throws {
    try await expect(.invalidResponse) { try await verify(with: SigningKey.generate(.es256)) }
  }

  @Test func claimThatStandsTwiceIsRefused() async throws {
    let issuer = try SigningIssuer()
    let json = String(decoding: try JSONSerialization.data(withJSONObject: claims(issuer)), as: UTF8.self)
    let text = try JWS.sign(
      Array((#"{"sid":"s-1","# + json.dropFirst()).utf8), with: issuer.key, keyID: issuer.key.publicJWK.keyID,
      type: "logout+jwt")
    try await expect(.invalidResponse) {
      _ = try await BackChannelLogout(verifier: issuer.verifier).verify(Secret(text))
    }
  }

  @Test func tokenCountsOnceAndARefusedOneNotAtAll() async throws {
    let issuer = try SigningIssuer()
    let logout = BackChannelLogout(verifier: issuer.verifier)
    try await expect(.invalidResponse) {
      _ = try await logout.verify(issuer.sign(claims(issuer, ["aud": "other"]), type: "logout+jwt"))
    }
    _ = try await logout.verify(issuer.sign(claims(issuer), type: "logout+jwt"))
    let again = try issuer.sign(claims(issuer, ["sid": "s-2"]), type: "logout+jwt")
    try await expect(.authorizationUsed) { _ = try await logout.verify(again) }
    _ = try await logout.verify(issuer.sign(claims(issuer, ["jti": "t-2"]), type: "logout+jwt"))
    // Until the token's own time is over it is remembered, and then it has expired.
    issuer.clock.advance(by: .seconds(179))
    try await expect(.authorizationUsed) { _ = try await logout.verify(again) }
    issuer.clock.advance(by: .seconds(1))
    try await expect(.invalidResponse) { _ = try await logout.verify(again) }
    _ = try await logout.verify(issuer.sign(claims(issuer), type: "logout+jwt"))
  }

  @Test func responseTellsTheServer() async throws {
    let issuer = try SigningIssuer()
    let logout = BackChannelLogout(verifier: issuer.verifier)
    let ended = Mutex<[String?]>([])
    let token = try issuer.sign(claims(issuer), type: "logout+jwt").reveal()
    let sound = await logout.response(to: request("logout_token=\(token)")) { token in
      ended.withLock { $0.append(token.sessionID) }
    }
    #expect(sound.status == 200 && sound.fields["Cache-Control"] == "no-store")
    #expect(ended.withLock(\.self) == ["s-1"])
    for refused in [
      request("logout_token=\(token)"), request("logout_token=\(token)&logout_token=\(token)"), request(""),
      request("logout_token=\(token)", type: "application/json"),
      HTTPRequest(.get, URL(literal: "https://app.example/logout?logout_token=a.b.c")),
    ] {
      let response = await logout.response(to: refused) { _ in Issue.record("A session was ended.") }
      #expect(response.status == 400 && response.fields["Cache-Control"] == "no-store")
      let body = try JSONDecoder().decode([String: String].self, from: Data(response.body))
      #expect(body["error"] == "invalid_request" && body["error_description"]?.contains(token) == false)
    }
    struct Full: Error {}
    let next = try issuer.sign(claims(issuer, ["jti": "t-2"]), type: "logout+jwt").reveal()
    let failed = await logout.response(to: request("logout_token=\(next)")) { _ in throw Full() }
    #expect(failed.status == 400 && String(decoding: failed.body, as: UTF8.self).contains("server_error"))
    // The server may try again, since nothing has ended.
    #expect(await logout.response(to: request("logout_token=\(next)")) { _ in }.status == 200)
    #expect(await logout.response(to: request("logout_token=\(next)")) { _ in }.status == 400)
  }

  /// A server whose keys cannot be read now tries again.
  @Test func keysThatCannotBeReadAreAFailureOfThisSide() async throws {
    let issuer = try SigningIssuer()
    let verifier = IDTokenVerifier(
      client: issuer.client, transport: StubTransport { _ in HTTPResponse(status: 503) }, clock: issuer.clock)
    let token = try issuer.sign(claims(issuer), type: "logout+jwt").reveal()
    let response = await BackChannelLogout(verifier: verifier).response(to: request("logout_token=\(token)")) { _ in
      Issue.record("A session was ended.")
    }
    #expect(response.status == 400 && String(decoding: response.body, as: UTF8.self).contains(#""server_error""#))
  }

  @Test(
    "The type of the request, regardless of case and parameters",
    arguments: [
      ("application/x-www-form-urlencoded", true), ("Application/X-WWW-Form-URLEncoded ; charset=UTF-8", true),
      ("text/plain", false), ("", false),
    ])
  func typeOfTheRequestIsChecked(_ type: String, isAccepted: Bool) async throws {
    let issuer = try SigningIssuer()
    let token = try issuer.sign(claims(issuer), type: "logout+jwt").reveal()
    let logout = BackChannelLogout(verifier: issuer.verifier)
    try await expect(isAccepted ? nil : .invalidCallback) {
      _ = try await logout.verify(request("logout_token=\(token)", type: type))
    }
  }

  @Test(
    arguments: [
      (nil, true), ("JWT", true), ("jwt", true), ("application/jwt", true), ("at+jwt", false), ("logout+jwt", false),
      ("secevent+jwt", false), ("", false),
    ] as [(String?, Bool)])
  func aTokenThatSaysItIsSomethingElseIsNoIDToken(_ type: String?, isAccepted: Bool) async throws {
    let issuer = try SigningIssuer()
    let token = try issuer.sign(issuer.identity(), type: type)
    try await expect(isAccepted ? nil : .invalidResponse) {
      _ = try await issuer.verifier.claims(of: token, nonce: nil)
    }
  }

  @Test func sandboxTellsTheClientsOfTheSession() async throws {
    let clock = ManualClock()
    let received = Mutex<[HTTPRequest]>([])
    var clients = [Sandbox.Client.native, Sandbox.Client.native]
    clients[0].backChannelLogoutURI = URL(literal: "https://app.example/logout")
    clients[1].id = "another"
    clients[1].backChannelLogoutURI = URL(literal: "https://another.example/logout")
    let sandbox = Sandbox(clock: clock) {
      $0.clients = clients
      $0.idTokenAlgorithm = .es256
      $0.logoutTransport = StubTransport { request in
        received.withLock { $0.append(request) }
        return HTTPResponse(status: 200)
      }
    }
    let client = try OAuthClient(
      provider: sandbox.provider(), registration: ClientRegistration(clientID: "almanac"),
      transport: sandbox.transport(), clock: clock)
    let verifier = IDTokenVerifier(client: client, transport: sandbox.transport(), clock: clock)
    let pending = try await client.beginAuthorization(
      scopes: ["openid"], redirectURI: URL(literal: "http://127.0.0.1:4711/callback"))
    let stored = try await client.completeAuthorization(pending, callback: sandbox.approve(pending.authorizationURL))
    let claims = try await verifier.claims(of: stored, for: pending)
    await sandbox.endUserSession()
    let requests = received.withLock(\.self)
    #expect(requests.map(\.url.absoluteString) == ["https://app.example/logout"])
    let token = try await BackChannelLogout(verifier: verifier).verify(#require(requests.first))
    #expect(token.sessionID == claims.sessionID && token.subject == claims.subject)
    #expect(sandbox.log.contains { $0.kind == .logoutSent && $0.client == "almanac" && $0.detail == "status 200" })
    await sandbox.endUserSession()
    #expect(received.withLock(\.count) == 1, "no session is left")
  }
}
