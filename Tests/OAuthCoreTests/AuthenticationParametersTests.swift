// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthFixtures
import Synchronization
import TestSupport
import Testing
import TokenStore

/// The requirements on the user's authentication, as parameters of the request.
@Suite struct AuthenticationParametersTests {
  private func parameters(_ requirement: AuthenticationRequirement, over base: AuthorizationParameters = [:])
    -> AuthorizationParameters
  {
    var parameters = base
    parameters.authentication = requirement
    return parameters
  }

  @Test func requirementIsWrittenAndReadBack() {
    let wish = AuthenticationRequirement(maximumAge: .seconds(300), contextClasses: ["gold", "silver"])
    let wished = parameters(wish)
    #expect(wished["max_age"] == "300" && wished["acr_values"] == "gold silver" && wished["claims"] == nil)
    #expect(wished.authentication == wish && wish.isEnforced)
    #expect(!AuthenticationRequirement(contextClasses: ["gold"]).isEnforced)
    let essential = AuthenticationRequirement(contextClasses: ["gold", "silver"], isContextClassEssential: true)
    let required = parameters(essential, over: wished)
    #expect(required["max_age"] == nil && required["acr_values"] == nil)
    #expect(required["claims"] == #"{"id_token":{"acr":{"essential":true,"values":["gold","silver"]}}}"#)
    #expect(required.authentication == essential && essential.isEnforced)
    #expect(parameters(AuthenticationRequirement(), over: required) == [:])
  }

  @Test func otherClaimsAreKept() {
    let base: AuthorizationParameters = ["claims": #"{"id_token":{"email":null},"userinfo":{"name":null}}"#]
    let required = parameters(AuthenticationRequirement(isContextClassEssential: true), over: base)
    #expect(
      required["claims"] == #"{"id_token":{"acr":{"essential":true},"email":null},"userinfo":{"name":null}}"#)
    #expect(parameters(AuthenticationRequirement(), over: required) == base)
  }

  @Test(
    "A requirement counts however it was set",
    arguments: [
      (["max_age": "0"], .init(maximumAge: .zero)), (["acr_values": "a b"], .init(contextClasses: ["a", "b"])),
      (
        ["claims": #"{"id_token":{"acr":{"essential":true,"value":"a"}}}"#],
        .init(contextClasses: ["a"], isContextClassEssential: true)
      ),
      (["claims": #"{"id_token":{"acr":{"values":["a"]}}}"#], .init()), (["claims": "{}"], .init()),
    ] as [(AuthorizationParameters, AuthenticationRequirement)])
  func requirementIsReadFromTheParameters(_ parameters: AuthorizationParameters, _ expected: AuthenticationRequirement)
    async throws
  {
    #expect(parameters.authentication == expected)
    let client = try Fixtures.client()
    let pending = try await client.begin(["openid"], parameters: parameters)
    #expect(pending.authentication == expected)
  }

  @Test(
    "A requirement that a server would read in another way is refused",
    arguments: [
      ["max_age": "soon"], ["max_age": "-1"], ["max_age": "1.5"], ["claims": "[]"], ["claims": "{"],
      ["claims": #"{"id_token":{},"id_token":{}}"#],
    ] as [AuthorizationParameters])
  func malformedRequirementIsRefused(_ parameters: AuthorizationParameters) async throws {
    let client = try Fixtures.client()
    await expectError(.invalidConfiguration) {
      try await client.begin(["openid"], parameters: parameters)
    }
  }

  // MARK: - A requirement that nothing would verify

  private static let enforced = [
    AuthenticationRequirement(maximumAge: .seconds(300)),
    AuthenticationRequirement(contextClasses: ["gold"], isContextClassEssential: true),
  ]

  private struct AcceptingVerifier: TokenVerifier {
    func verify(_ token: StoredToken, for pending: PendingAuthorization) async throws {}
  }

  private struct Opened: Error {}

  private func account(
    _ parameters: AuthorizationParameters, scopes: [Scope], verifier: (any TokenVerifier)?,
    grantOf scope: Scope? = nil
  ) async throws -> OAuthAccount {
    let token = scope.map {
      StoredToken(accessToken: Secret("t"), scopes: [$0], issuer: "https://login.example", clientID: "app")
    }
    let storage = if let token { try await InMemoryTokenStorage.holding(token) } else { InMemoryTokenStorage() }
    return OAuthAccount(
      client: try Fixtures.client(), storage: storage, account: "me", scopes: scopes,
      parameters: parameters, userAgent: ScriptedUserAgent { _ in throw Opened() }, verifier: verifier)
  }

  @Test(arguments: enforced)
  func requirementWithoutAnIDTokenIsRefused(_ requirement: AuthenticationRequirement) async throws {
    let parameters = parameters(requirement)
    await expectError(.invalidConfiguration, "Request the scope openid") {
      try await Fixtures.client().begin(["email"], parameters: parameters)
    }
    await expectError(.unsupported, "Sign in through a browser") {
      try await Fixtures.client(server: Fixtures.fullServer)
        .beginDeviceAuthorization(scopes: ["openid"], parameters: parameters)
    }
  }

  @Test(arguments: enforced)
  func accountThatWouldNotVerifyShowsNoPage(_ requirement: AuthenticationRequirement) async throws {
    let parameters = parameters(requirement)
    for (scopes, verifier) in [(["email"], AcceptingVerifier()), (["openid"], nil)]
      as [([Scope], (any TokenVerifier)?)]
    {
      let plain = try await self.account([:], scopes: scopes, verifier: verifier)
      let account = try await account(parameters, scopes: scopes, verifier: verifier)
      for begin in [
        { _ = try await plain.signIn(parameters: parameters) },
        { _ = try await plain.beginSignIn(redirectURI: Fixtures.redirect, parameters: parameters) },
        { _ = try await account.signIn() }, { _ = try await account.authorize() },
        { _ = try await account.beginSignIn(redirectURI: Fixtures.redirect) },
      ] as [() async throws -> Void] {
        await expectError(.invalidConfiguration, verifier == nil ? "Add an IDTokenVerifier" : "openid") {
          try await begin()
        }
      }
    }
    let able = try await account(parameters, scopes: ["openid"], verifier: AcceptingVerifier())
    await #expect(throws: Opened.self) { try await able.signIn() }
  }

  @Test func signInWithParametersFailsWithNoOtherSignIn() async throws {
    let gate = AsyncGate()
    let pages = Mutex<[String?]>([])
    let agent = ScriptedUserAgent { pending in
      let locale = URLComponents(url: pending.authorizationURL, resolvingAgainstBaseURL: false)?.queryItems?.first {
        $0.name == "ui_locales"
      }
      pages.withLock { $0.append(locale?.value) }
      try await gate.pass()
      throw Opened()
    }
    let account = OAuthAccount(
      client: try Fixtures.client(), storage: InMemoryTokenStorage(), account: "me", scopes: ["email"], userAgent: agent
    )
    let other = Task { try await account.signIn() }
    await gate.waitForArrival()
    let executor = SerialTaskExecutor()
    let own = Task(executorPreference: executor) { try await account.signIn(parameters: ["ui_locales": "fr"]) }
    executor.drain()
    #expect(pages.withLock(\.self) == [nil])
    await gate.open()
    await #expect(throws: Opened.self) { try await other.value }
    await #expect(throws: Opened.self) { try await own.value }
    #expect(pages.withLock(\.self) == [nil, "fr"])
  }

  /// RFC 9470 § 5: the resource verifies it in the access token.
  @Test func demandOfAResourceNeedsNoVerifier() async throws {
    let demand = try #require(
      TokenChallenge(
        HTTPResponse(
          status: 401,
          fields: ["WWW-Authenticate": #"Bearer error="insufficient_user_authentication", max_age="5""#])))
    let account = try await account([:], scopes: ["email"], verifier: nil, grantOf: "email")
    await #expect(throws: Opened.self) { try await account.authorize(for: demand) }
  }
}
