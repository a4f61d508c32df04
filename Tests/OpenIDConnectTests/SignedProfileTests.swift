// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthJOSE
import OpenIDConnect
import Testing
import TokenStore

@Suite struct SignedProfileTests {
  private func read(
    _ text: Secret, type: String = "application/jwt", subject: String? = "person", from issuer: SigningIssuer,
    hasVerifier: Bool = true, requiringSignature: Bool = false
  ) async throws -> UserProfile {
    let response = HTTPResponse(status: 200, fields: ["Content-Type": type], body: Array(text.reveal().utf8))
    return try await UserProfile.read(
      from: issuer.client.server, transport: StubTransport(response), subject: subject,
      verifier: hasVerifier ? issuer.verifier : nil, requiringSignature: requiringSignature)
  }

  @Test(arguments: ["application/jwt", "Application/JWT; charset=utf-8"])
  func signedProfileIsRead(_ type: String) async throws {
    let issuer = try SigningIssuer()
    let text = try issuer.sign(issuer.identity(["email": "a@example.com", "email_verified": true, "exp": nil]))
    let profile = try await read(text, type: type, from: issuer)
    #expect(profile.email == "a@example.com" && profile.isEmailVerified == true)
  }

  @Test(
    "Each claim of a signed profile is checked",
    arguments: [
      ("iss", "https://evil.example", OAuthError.Code.issuerMismatch), ("iss", 7, .invalidResponse), ("iss", nil, nil),
      ("aud", "other", .invalidResponse), ("aud", ["other", "app"], nil), ("aud", nil, nil),
      ("aud", 7, .invalidResponse),
      ("sub", "another", .invalidResponse), ("sub", nil, .invalidResponse), ("exp", 1, .invalidResponse),
      ("nbf", 9_999_999_999, .invalidResponse),
    ] as [(String, (any Sendable)?, OAuthError.Code?)])
  func claimIsChecked(_ name: String, _ value: (any Sendable)?, _ code: OAuthError.Code?) async throws {
    let issuer = try SigningIssuer()
    let text = try issuer.sign(issuer.identity([name: value]))
    try await expect(code) { _ = try await read(text, from: issuer) }
  }

  @Test(
    "Times of a signed profile, in seconds from now, at the boundaries of a leeway of 60",
    arguments: [("exp", -59, true), ("exp", -60, false), ("nbf", 60, true), ("nbf", 61, false)])
  func boundaryOfATime(_ name: String, _ seconds: Int, isAccepted: Bool) async throws {
    let issuer = try SigningIssuer()
    let text = try issuer.sign(issuer.identity([name: issuer.seconds(seconds)]))
    try await expect(isAccepted ? nil : .invalidResponse) { _ = try await read(text, from: issuer) }
  }

  @Test func aliasOfTheIssuerIsAccepted() async throws {
    let issuer = try SigningIssuer { $0.issuerAliases = ["login.example"] }
    let text = try issuer.sign(issuer.identity(["iss": "login.example"]))
    #expect(try await read(text, from: issuer).subject == "person")
  }

  @Test func signatureIsThatOfTheIssuer() async throws {
    let issuer = try SigningIssuer()
    let forged = try issuer.sign(issuer.identity(), with: SigningKey.generate(.es256))
    try await expect(.invalidResponse) { _ = try await read(forged, from: issuer) }
    let sound = try issuer.sign(issuer.identity())
    try await expect(.unsupported) { _ = try await read(sound, from: issuer, hasVerifier: false) }
    // Not signed, whatever the type says.
    try await expect(.invalidResponse) { _ = try await read(Secret(#"{"sub":"person"}"#), from: issuer) }
    try await expect(.invalidResponse) { _ = try await read(sound, type: "application/json", from: issuer) }
  }

  @Test func profileThatIsNotSignedIsRefusedWhereASignatureIsRequired() async throws {
    let issuer = try SigningIssuer()
    let plain = Secret(#"{"sub":"person"}"#)
    #expect(try await read(plain, type: "application/json", from: issuer).subject == "person")
    for type in ["application/json", "text/plain", "application/jwt+json"] {
      try await expect(.invalidResponse) {
        _ = try await read(plain, type: type, from: issuer, requiringSignature: true)
      }
    }
    let signed = try issuer.sign(issuer.identity())
    #expect(try await read(signed, from: issuer, requiringSignature: true).subject == "person")
  }

  @Test("The account verifies what the sandbox signs", arguments: [false, true])
  func accountVerifiesASignedProfile(_ hasVerifier: Bool) async throws {
    let clock = ManualClock()
    let sandbox = Sandbox(clock: clock) {
      $0.idTokenAlgorithm = .ps256
      $0.signsUserinfo = true
    }
    let transport = StubTransport { await sandbox.respond(to: $0) }
    let client = try OAuthClient(
      provider: sandbox.provider(), registration: ClientRegistration(clientID: Sandbox.Client.native.id),
      transport: transport, clock: clock)
    let verifier = IDTokenVerifier(client: client, transport: transport, clock: clock)
    let account = OAuthAccount(
      client: client, storage: InMemoryTokenStorage(), account: "me", scopes: ["openid", "email"],
      userAgent: sandbox.approvingUser, verifier: hasVerifier ? verifier : nil)
    try await account.authorize()
    #expect(try await account.profile().email == "person@example.com")
    #expect(try await account.profile(requiringSignature: true).email == "person@example.com")
    #expect(sandbox.requestCount(.userinfo) == 2)
    #expect(transport.requests.count { $0.url == client.server.jwksURI } == 1, "all calls share the keys")
  }

  @Test func profileOfAnIDTokenIsTheSameAsThatOfUserinfo() async throws {
    let issuer = try SigningIssuer()
    let claims = issuer.identity([
      "name": "Ana Muestra", "given_name": "Ana", "family_name": "Muestra", "email": "ana@example.com",
      "email_verified": "true", "picture": "https://example.com/a.png", "locale": "es",
    ])
    let profile = try await issuer.verifier.claims(of: issuer.sign(claims), nonce: nil).profile
    #expect(try await read(issuer.sign(claims), from: issuer) == profile)
    #expect(profile.name == "Ana Muestra" && profile.isEmailVerified == true && profile.locale == "es")
  }
}
