// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthFixtures
import OAuthJOSE
import Testing
import Timekeeping
import TokenStore

/// Tokens that are bound to a key, from the sign-in to the last request (RFC 9449).
@Suite struct DPoPTests {
  private func stored(_ harness: DPoPHarness) async throws -> StoredToken {
    try #require(try await harness.account.storedToken)
  }

  @Test func tokensAreBoundFromTheSignInOn() async throws {
    let harness = try DPoPHarness()
    try await harness.account.authorize()
    let token = try await stored(harness)
    #expect(token.tokenType == "DPoP")
    let thumbprint = try DPoPKey(try #require(token.proofKey)).thumbprint
    let exchange = try #require(harness.transport.requests(for: "/token").first)
    #expect(try exchange.proof.header.publicKey?.thumbprint == thumbprint)
    #expect(try exchange.proof.claims["htu"] as? String == "https://sandbox.invalid/token")
    #expect(try exchange.proof.claims["ath"] == nil)

    #expect(try await harness.call() == 200)
    harness.clock.advance(by: .seconds(3600))
    #expect(try await harness.call() == 200)
    let calls = harness.transport.requests(for: "/userinfo")
    #expect(calls.count == 2 && harness.transport.requests(for: "/token").count == 2)
    for call in calls {
      #expect(call.fields["Authorization"]?.hasPrefix("DPoP ") == true)
      #expect(try call.proof.header.publicKey?.thumbprint == thumbprint)
      let access = try #require(call.fields["Authorization"]?.dropFirst(5))
      #expect(try call.proof.claims["ath"] as? String == Base64URL.encode(MessageDigest.sha256(String(access))))
    }
    #expect(try await stored(harness).proofKey == token.proofKey, "the key stays the same in a refresh")
  }

  @Test func authorizationRequestNamesTheKey() async throws {
    let harness = try DPoPHarness()
    let pending = try await harness.client.begin(["email"])
    let query = pending.query
    #expect(query["dpop_jkt"] == (try DPoPKey(try #require(pending.proofKey)).thumbprint))
    let other = try await harness.client.begin(["email"])
    #expect(pending.proofKey != other.proofKey, "each sign-in has its own key")
  }

  @Test(arguments: [
    ("DPoP", true), ("dpop", true), ("DPOP", true), ("MACS", false), ("DPoPs", false), ("Bearer", false), ("", false),
  ])
  func tokenOfAnotherTypeIsNotPresented(_ type: String, isBound: Bool) async throws {
    let token = AccessToken(Secret("a"), type: type, proofKey: try await DPoPKey.generate().record())
    var request = HTTPRequest(.get, DPoPHarness.userinfo)
    let present = { try DPoPPresentation().authorize(&request, with: token) }
    if isBound { try present() } else { await expectError(.unsupportedTokenType, "not DPoP") { try present() } }
    #expect((request.fields["DPoP"] != nil) == isBound)
  }

  @Test func eachTokenIsPresentedWithItsOwnKey() async throws {
    let authorization = DPoPPresentation(clock: ManualClock())
    let keys = try [DPoPKey(SigningKey.generate(.es256)), DPoPKey(SigningKey.generate(.es256))]
    let tokens = try keys.map { AccessToken(Secret("a"), type: "DPoP", proofKey: try $0.record()) }
    for index in [0, 1, 1, 0] {
      var request = HTTPRequest(.get, DPoPHarness.userinfo)
      try authorization.authorize(&request, with: tokens[index])
      #expect(try request.proof.header.publicKey?.thumbprint == keys[index].thumbprint)
    }
  }

  /// The nonce of another origin is not the server's, and a request is not sent again for it.
  @Test func refusalThatComesFromAnotherOriginIsNotRepeated() async throws {
    var refusal = Fixtures.json(#"{"error":"use_dpop_nonce"}"#, status: 400)
    refusal.fields["DPoP-Nonce"] = "n"
    for (origin, requests) in [(Origin?.none, 2), (Origin("https://evil.example"), 1)] {
      refusal.redirectedOrigin = origin
      let transport = StubTransport { [refusal] _ in refusal }
      let client = try Fixtures.client(transport) { $0.registration.dpop = .required }
      let error = await #expect(throws: OAuthError.self) {
        try await client.requestAccessToken(["grant_type": "client_credentials"])
      }
      #expect(error?.serverCode == "use_dpop_nonce")
      #expect(transport.requests.count == requests)
    }
  }

  @Test func pushedRequestIsProvenToo() async throws {
    let harness = try DPoPHarness(configure: { $0.requiresPushedAuthorizationRequests = true })
    try await harness.account.authorize()
    let pushed = try #require(harness.transport.requests(for: "/par").first)
    let exchange = try #require(harness.transport.requests(for: "/token").first)
    let thumbprint = try pushed.proof.header.publicKey?.thumbprint
    #expect(pushed.form["dpop_jkt"] == thumbprint)
    #expect(try exchange.proof.header.publicKey?.thumbprint == thumbprint)
    #expect(try await harness.call() == 200)
  }

  @Test func tokensOfADeviceAreBound() async throws {
    let harness = try DPoPHarness()
    let device = try await harness.client.beginDeviceAuthorization(scopes: ["openid"])
    let kept = try JSONDecoder().decode(DeviceAuthorization.self, from: JSONEncoder().encode(device))
    #expect(kept == device && kept.proofKey != nil)
    try harness.sandbox.approve(userCode: device.userCode)
    async let token = harness.client.completeDeviceAuthorization(kept)
    await harness.clock.waitForSleepers()
    harness.clock.advance(by: .seconds(5))
    #expect(try await token.tokenType == "DPoP")
    #expect(try await token.proofKey == device.proofKey)
  }

  @Test func tokensOfAServiceAreBoundAndKeptWithTheirKey() async throws {
    let service = Sandbox.Client(
      id: "service", name: "Service", redirectURIs: [], authentication: .clientSecretPost(Secret("secret")))
    let harness = try DPoPHarness(
      configure: { $0.clients.append(service) },
      register: {
        $0 = ClientRegistration(clientID: "service", authentication: .clientSecretPost(Secret("secret")))
        $0.dpop = .required
      })
    let tokens = ClientCredentials(client: harness.client, scopes: ["email"])
      .cached(in: harness.storage, account: "service", clock: harness.clock)
    let token = try await tokens.accessToken()
    #expect(token.type == "DPoP" && token.proofKey != nil)
    let again = ClientCredentials(client: harness.client, scopes: ["email"])
      .cached(in: harness.storage, account: "service", clock: harness.clock)
    #expect(try await again.accessToken() == token, "another process uses the key that is stored")
  }

  // MARK: - What the registration says

  private static let careless = {
    var policy = Sandbox.ProofPolicy()
    policy.ignoresProofs = true
    return policy
  }()

  /// The server names no algorithm, DPoP is off, or the server ignores the proof.
  @Test(
    arguments: [(nil, .preferred), (Sandbox.ProofPolicy(), .off), (careless, .preferred)]
      as [(Sandbox.ProofPolicy?, DPoPUse)])
  func tokenIsABearerTokenWhereNothingIsBound(_ policy: Sandbox.ProofPolicy?, _ use: DPoPUse) async throws {
    let harness = try DPoPHarness(policy, register: { $0.dpop = use })
    try await harness.account.authorize()
    let token = try await stored(harness)
    #expect(token.tokenType == "Bearer" && (token.proofKey == nil || policy?.ignoresProofs == true))
    #expect(try await harness.call() == 200)
    let proven = harness.transport.requests.filter { $0.fields["DPoP"] != nil }
    #expect(proven.allSatisfy { $0.url.path() == "/token" } && (proven.isEmpty || policy?.ignoresProofs == true))
  }

  @Test func bearerTokenIsRefusedWhereBoundOnesAreRequired() async throws {
    let harness = try DPoPHarness(
      nil, register: { $0.dpop = .required })
    await expectError(.unsupportedTokenType) { try await harness.account.authorize() }
    #expect(try await harness.account.storedToken == nil)
    #expect(harness.sandbox.log.contains { $0.kind == .tokenRevoked }, "the token does not stay valid")
  }

  /// RFC 9449 § 5: a token is bound to the key of a proof.
  @Test(arguments: ["DPoP", "dpop"])
  func boundTokenWithoutAProofIsRefused(_ type: String) async throws {
    let transport = StubTransport(
      Fixtures.json(#"{"access_token":"a","token_type":"\#(type)","refresh_token":"r"}"#), HTTPResponse(status: 200),
      HTTPResponse(status: 200))
    let client = try Fixtures.client(transport)
    await expectError(.unsupportedTokenType, "no proof") { try await client.requestAccessToken(["grant_type": "x"]) }
    #expect(transport.requests.dropFirst().map { $0.form["token"] } == ["r", "a"], "it does not stay valid")
    #expect(transport.requests.map(\.timeout) == [nil, .seconds(10), .seconds(10)])
  }

  @Test func methodsTakeAClock() async throws {
    let clock = ManualClock()
    let key = try await DPoPKey.generate().record()
    let base = StubTransport { _ in HTTPResponse(status: 200) }
    let tokens = StaticTokens(token: AccessToken(Secret("a"), type: "DPoP", proofKey: key))
    let origins = Set([try #require(Origin(DPoPHarness.userinfo))])
    for api in [
      base.authorized(by: tokens, for: origins, presentation: .automatic(clock: clock)),
      base.authorized(by: tokens, for: origins, presentation: .dpop(clock: clock)),
    ] {
      _ = try await api.send(HTTPRequest(.get, DPoPHarness.userinfo))
      #expect(try base.requests.last?.proof.claims["iat"] as? Int == Int(clock.now.secondsSince1970))
    }
  }

  @Test func downgradeInARefreshIsRefused() async throws {
    let strict = try DPoPHarness(register: { $0.dpop = .required })
    try await strict.account.authorize()
    let bound = try await stored(strict)
    // Another server at the same URL, which has forgotten what it bound.
    let careless = StubTransport(
      Fixtures.json(#"{"access_token":"b","token_type":"bearer"}"#), HTTPResponse(status: 200))
    var registration = ClientRegistration(clientID: "almanac")
    registration.dpop = .required
    let client = try OAuthClient(
      provider: strict.sandbox.provider(), registration: registration, transport: careless, clock: strict.clock)
    await expectError(.unsupportedTokenType) { try await client.refresh(bound) }
    #expect(careless.requests.first?.fields["DPoP"] != nil)
    // If DPoP is only preferred, the server decides. The refresh token can still be bound.
    registration.dpop = .preferred
    let lenient = try OAuthClient(
      provider: strict.sandbox.provider(), registration: registration,
      transport: StubTransport(Fixtures.json(#"{"access_token":"b","token_type":"bearer"}"#)), clock: strict.clock)
    let renewed = try await lenient.refresh(bound)
    #expect(renewed.tokenType == "bearer" && renewed.proofKey == bound.proofKey)
  }

  @Test(arguments: [JWS.Algorithm.es256, .edDSA, .ps256])
  func algorithmIsTheOneThatIsRegistered(_ algorithm: JWS.Algorithm) async throws {
    let harness = try DPoPHarness(
      register: {
        $0.dpop = .required
        $0.dpopAlgorithm = algorithm
      })
    try await harness.account.authorize()
    #expect(try await harness.call() == 200)
    for request in harness.transport.requests { #expect(try request.proof.header.algorithm == algorithm) }
  }

  @Test func algorithmIsOneThatTheServerNames() async throws {
    var policy = Sandbox.ProofPolicy()
    policy.algorithms = [.es384]
    let harness = try DPoPHarness(policy)
    try await harness.account.authorize()
    #expect(try await stored(harness).proofKey?.algorithm == "ES384")
    #expect(try await harness.call() == 200)
    // None is known: that is found before the user is asked.
    policy.algorithms = [JWS.Algorithm(rawValue: "XX999")]
    let strict = try DPoPHarness(policy, register: { $0.dpop = .required })
    await expectError(.invalidConfiguration) { try await strict.account.authorize() }
    #expect(strict.transport.requests.isEmpty)
    let lenient = try DPoPHarness(policy)
    try await lenient.account.authorize()
    #expect(try await stored(lenient).tokenType == "Bearer")
  }

  // MARK: - A key that is lost

  @Test(arguments: [nil, ProofKey(algorithm: "ES256", privateKey: Secret("damaged"))])
  func lostKeyRequiresASignInAndSendsNothing(_ key: ProofKey?) async throws {
    let harness = try DPoPHarness()
    try await harness.account.authorize()
    var token = try await stored(harness)
    token.proofKey = key
    let storage = try await InMemoryTokenStorage.holding(token)
    let sent = harness.transport.requests.count
    let tokens = RefreshingTokenSource(client: harness.client, storage: storage, account: "me")
    await expectError(.signInRequired) { try await tokens.accessToken() }
    await expectError(.signInRequired) { try await harness.client.refresh(token) }
    // By a source that does not look.
    let api = harness.transport.authorized(
      by: StaticTokens(token: AccessToken(token.accessToken, type: "dpop", proofKey: key)),
      for: [try #require(Origin(DPoPHarness.userinfo))])
    await expectError(.signInRequired) { try await api.send(HTTPRequest(.get, DPoPHarness.userinfo)) }
    #expect(harness.transport.requests.count == sent)
    #expect(try await storage.token(for: "me") == token, "the record is kept")
  }

  // MARK: - The time in a proof

  @Test(arguments: [Duration.seconds(-7200), .seconds(7200)])
  func wrongClockOfThisMachineIsCorrectedByTheServers(_ error: Duration) async throws {
    let clock = ManualClock(now: ManualClock().now + error)
    let harness = try DPoPHarness(clientClock: clock)
    try await harness.account.authorize()
    #expect(harness.transport.requests(for: "/token").count == 2, "the first proof was not of the server's time")
    #expect(try await harness.call() == 200)
    #expect(harness.transport.requests(for: "/userinfo").count == 1, "and that is known for all others")
  }

  @Test func proofThatIsRefusedForAnotherReasonIsNotRepeated() async throws {
    let key = try await DPoPKey.generate().record()
    let refusal = HTTPResponse(
      status: 401,
      fields: ["WWW-Authenticate": #"DPoP error="invalid_dpop_proof""#, "Date": HTTPDate.format(ManualClock().now)])
    let base = StubTransport(refusal, HTTPResponse(status: 200))
    let api = base.authorized(
      by: StaticTokens(token: AccessToken(Secret("a"), type: "DPoP", proofKey: key)),
      for: [try #require(Origin(DPoPHarness.userinfo))], presentation: DPoPPresentation(clock: ManualClock()))
    #expect(try await api.send(HTTPRequest(.get, DPoPHarness.userinfo)) == refusal)
    #expect(base.requests.count == 1, "another token would not help either")
  }
}

/// Returns one token, whatever was rejected.
struct StaticTokens: TokenSource {
  let token: AccessToken
  func accessToken(replacing rejected: AccessToken?) async throws -> AccessToken { token }
}
