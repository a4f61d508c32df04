// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthJOSE
import OpenIDConnect
import Testing
import Timekeeping
import TokenStore

/// The ID token is checked against the requested authentication.
@Suite struct AuthenticationRequirementTests {
  @Test(
    "The time of authentication, in seconds from now, where 300 seconds are allowed with a leeway of 60",
    arguments: [
      (-360, nil), (-361, OAuthError.Code.insufficientAuthentication), (0, nil), (60, nil), (61, .invalidResponse),
    ] as [(Int, OAuthError.Code?)])
  func ageIsCompared(_ offset: Int, _ code: OAuthError.Code?) async throws {
    let issuer = try SigningIssuer()
    let token = try issuer.sign(issuer.identity(["auth_time": issuer.seconds(offset)]))
    try await expect(code) {
      _ = try await issuer.verifier.claims(
        of: token, nonce: nil, authentication: AuthenticationRequirement(maximumAge: .seconds(300)))
    }
  }

  @Test func timesAreThoseOfTheServersClock() async throws {
    let issuer = try SigningIssuer()
    let token = try issuer.sign(issuer.identity(["auth_time": issuer.seconds(-400)]))
    let requirement = AuthenticationRequirement(maximumAge: .seconds(300))
    _ = try await issuer.verifier.claims(
      of: token, nonce: nil, authentication: requirement, serverClockOffset: .seconds(-50))
    try await expect(.insufficientAuthentication, "Sign in again with prompt=login") {
      _ = try await issuer.verifier.claims(of: token, nonce: nil, authentication: requirement)
    }
  }

  @Test(
    "A server that was asked must say when the user authenticated",
    arguments: [nil, "yesterday", true] as [(any Sendable)?])
  func missingTimeIsRefused(_ time: (any Sendable)?) async throws {
    let issuer = try SigningIssuer()
    let token = try issuer.sign(issuer.identity(["auth_time": time]))
    #expect(try await issuer.verifier.claims(of: token, nonce: nil).authenticatedAt == nil, "not asked")
    try await expect(.invalidResponse) {
      _ = try await issuer.verifier.claims(
        of: token, nonce: nil, authentication: AuthenticationRequirement(maximumAge: .seconds(300)))
    }
  }

  @Test(
    "The class of the authentication",
    arguments: [
      (["gold", "silver"], true, "gold", nil), (["gold", "silver"], true, "silver", nil),
      (["gold", "silver"], true, "bronze", OAuthError.Code.insufficientAuthentication),
      (["gold", "silver"], true, nil, .insufficientAuthentication),
      (["caf\u{E9}"], true, "cafe\u{301}", .insufficientAuthentication),
      ([], true, "bronze", nil), ([], true, nil, .insufficientAuthentication),
      (["gold"], false, "bronze", nil), (["gold"], false, nil, nil),
    ] as [([String], Bool, String?, OAuthError.Code?)])
  func classIsCompared(_ classes: [String], isEssential: Bool, _ claimed: String?, _ code: OAuthError.Code?)
    async throws
  {
    let issuer = try SigningIssuer()
    let token = try issuer.sign(issuer.identity(["acr": claimed]))
    let requirement = AuthenticationRequirement(contextClasses: classes, isContextClassEssential: isEssential)
    try await expect(code) {
      let claims = try await issuer.verifier.claims(of: token, nonce: nil, authentication: requirement)
      #expect(claims.authenticationContextClass == claimed)
    }
  }

  @Test("What the request asked for is kept until the callback, also through a restart", arguments: [false, true])
  func requirementIsKeptWithThePendingAuthorization(_ isStored: Bool) async throws {
    let issuer = try SigningIssuer()
    var parameters: AuthorizationParameters = [:]
    parameters.authentication = AuthenticationRequirement(
      maximumAge: .seconds(300), contextClasses: ["gold"], isContextClassEssential: true)
    var pending = try await issuer.client.beginAuthorization(
      scopes: ["openid"], redirectURI: URL(literal: "https://app.example/callback"), parameters: parameters)
    if isStored {
      pending = try JSONDecoder().decode(PendingAuthorization.self, from: JSONEncoder().encode(pending))
    }
    #expect(pending.authentication == parameters.authentication)
    for (changes, code) in [
      (["auth_time": issuer.seconds(), "acr": "gold"], nil),
      (["auth_time": issuer.seconds(-361), "acr": "gold"], .insufficientAuthentication),
      (["acr": "gold"], .invalidResponse), (["auth_time": issuer.seconds()], .insufficientAuthentication),
    ] as [([String: any Sendable], OAuthError.Code?)] {
      let claims = issuer.identity(changes.merging(["nonce": pending.nonce?.reveal() ?? ""]) { $1 })
      let idToken = try issuer.sign(claims)
      let token = StoredToken(accessToken: Secret("a"), scopes: ["openid"]) { $0.idToken = idToken }
      try await expect(code) { try await issuer.verifier.verify(token, for: pending) }
      try await expect(code) { _ = try await issuer.verifier.claims(of: token, for: pending) }
    }
    // Without an ID token nothing shows that the requirement is met.
    let bare = StoredToken(accessToken: Secret("a"), scopes: ["email"])
    try await expect(.accessDenied) { try await issuer.verifier.verify(bare, for: pending) }
  }

  /// A user who has authenticated at the sandbox an hour ago signs in again.
  private func secondSignIn(
    _ requirement: AuthenticationRequirement, prompt: [AuthorizationParameters.Prompt] = [],
    _ configure: (inout Sandbox.Configuration) -> Void = { _ in }
  ) async throws -> (IDTokenClaims, Sandbox) {
    let clock = ManualClock()
    let sandbox = Sandbox(clock: clock) {
      $0.idTokenAlgorithm = .es256
      $0.authenticationContextClasses = ["phr", "pwd"]
      configure(&$0)
    }
    let client = try OAuthClient(
      provider: sandbox.provider(), registration: ClientRegistration(clientID: Sandbox.Client.native.id),
      transport: sandbox.transport(), clock: clock)
    let verifier = IDTokenVerifier(client: client, transport: sandbox.transport(), clock: clock)
    func signIn(_ parameters: AuthorizationParameters, prompt: [AuthorizationParameters.Prompt]) async throws
      -> IDTokenClaims
    {
      let pending = try await client.beginAuthorization(
        scopes: ["openid"], redirectURI: URL(literal: "http://127.0.0.1:4711/callback"), prompt: prompt,
        parameters: parameters)
      let callback = try sandbox.approve(pending.authorizationURL)
      return try await verifier.claims(of: client.completeAuthorization(pending, callback: callback), for: pending)
    }
    let first = try await signIn([:], prompt: [])
    #expect(first.authenticationContextClass == "pwd")
    clock.advance(by: .seconds(3600))
    var parameters: AuthorizationParameters = [:]
    parameters.authentication = requirement
    let second = try await signIn(parameters, prompt: prompt)
    #expect((second.sessionID == first.sessionID) == (second.authenticatedAt == first.authenticatedAt))
    #expect(second.authenticatedAt == first.authenticatedAt || second.authenticatedAt == clock.now)
    return (second, sandbox)
  }

  @Test func sandboxAuthenticatesAgainWhereItIsAskedTo() async throws {
    let now = ManualClock().now
    let again = now + .seconds(3600)
    #expect(try await secondSignIn(.init()).0.authenticatedAt == now)
    #expect(try await secondSignIn(.init(maximumAge: .seconds(3600))).0.authenticatedAt == now)
    #expect(try await secondSignIn(.init(maximumAge: .seconds(3599))).0.authenticatedAt == again)
    #expect(try await secondSignIn(.init(), prompt: [.login]).0.authenticatedAt == again)
    for isEssential in [false, true] {
      let claims = try await secondSignIn(
        .init(contextClasses: ["unknown", "phr"], isContextClassEssential: isEssential)
      ).0
      #expect(claims.authenticationContextClass == "phr" && claims.authenticatedAt == again)
    }
    #expect(try await secondSignIn(.init(contextClasses: ["unknown"])).0.authenticatedAt == now)
  }

  @Test func serverThatIgnoresTheRequirementIsFoundOut() async throws {
    for requirement in [
      AuthenticationRequirement(maximumAge: .seconds(3000)),
      AuthenticationRequirement(contextClasses: ["phr"], isContextClassEssential: true),
    ] {
      try await expect(.insufficientAuthentication) {
        _ = try await secondSignIn(requirement) { $0.ignoresAuthenticationRequirements = true }
      }
    }
    try await expect(.insufficientAuthentication) {
      _ = try await secondSignIn(.init(contextClasses: ["unknown"], isContextClassEssential: true))
    }
  }
}

/// Runs `body`, which succeeds without a code, and else throws an `OAuthError` with it, whose message is a sentence that names `remedy`.
func expect(
  _ code: OAuthError.Code?, _ remedy: String = "", sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () async throws -> Void
) async throws {
  guard let code else { return try await body() }
  let error = await #expect(throws: OAuthError.self, sourceLocation: sourceLocation) { try await body() }
  guard let error else { return }
  let isSound = error.message.hasSuffix(".") && (remedy.isEmpty || error.message.contains(remedy))
  #expect(error.code == code && isSound, "\(error.code): \(error.message)", sourceLocation: sourceLocation)
}
