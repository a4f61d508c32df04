// SPDX-License-Identifier: Apache-2.0

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

@Suite struct IDTokenVerifierTests {
  private let clock = ManualClock()
  private let issuer: Issuer

  /// Signs ID tokens and publishes keys, as a server would.
  private final class Issuer: Sendable {
    let key: SigningKey
    let published: Mutex<[JWK]>
    let fetches = Mutex(0)
    /// The response to a request for the keys, if it is not the keys.
    let fault = Mutex<HTTPResponse?>(nil)

    /// Two keys for all tests: generating one takes longer than most of them.
    private static let sharedKey = Task { try await SigningKey.generate(.rs256, bits: 2048) }
    static let otherKey = Task { try await SigningKey.generate(.rs256, bits: 2048) }

    init() async throws {
      key = try await Self.sharedKey.value
      published = Mutex([Self.named("key-1", key)])
    }

    static func named(_ id: String, _ key: SigningKey) -> JWK {
      var jwk = key.publicJWK
      jwk.keyID = id
      return jwk
    }

    var transport: StubTransport {
      StubTransport { [self] _ in
        fetches.withLock { $0 += 1 }
        // Others may ask while this one waits.
        for _ in 0..<100 { await Task.yield() }
        if let fault = fault.withLock({ $0 }) { return fault }
        let keys = try published.withLock { try JSONEncoder().encode(["keys": $0]) }
        return HTTPResponse(status: 200, body: Array(keys))
      }
    }

    func sign(_ claims: [String: any Sendable], keyID: String? = "key-1", with key: SigningKey? = nil) throws
      -> Secret
    {
      let payload = try JSONSerialization.data(withJSONObject: claims)
      return Secret(try JWS.sign(Array(payload), with: key ?? self.key, keyID: keyID))
    }
  }

  init() async throws { issuer = try await Issuer() }

  private var sound: [String: any Sendable] {
    let now = Int(clock.now.secondsSince1970)
    return [
      "iss": "https://login.example", "sub": "person", "aud": "app", "exp": now + 3600, "iat": now, "nonce": "n-1",
      "email": "person@example.com",
    ]
  }

  private func client(
    _ transport: StubTransport = StubTransport(), id: String = "app",
    _ change: (inout ServerMetadata) -> Void = { _ in }
  ) throws -> OAuthClient {
    var server = ServerMetadata(
      issuer: "https://login.example",
      authorizationEndpoint: URL(literal: "https://login.example/a"),
      tokenEndpoint: URL(literal: "https://login.example/t")
    ) {
      $0.jwksURI = URL(literal: "https://keys.example/jwks")
    }
    change(&server)
    return try OAuthClient(
      server: server, registration: ClientRegistration(clientID: id), transport: transport, clock: clock)
  }

  private func verifier(aliases: [String] = [], transport: StubTransport? = nil) throws -> IDTokenVerifier {
    IDTokenVerifier(
      client: try client { $0.issuerAliases = aliases }, transport: transport ?? issuer.transport, clock: clock)
  }

  /// Verifies a sound token with some of its claims replaced.
  @discardableResult
  private func read(_ changes: [String: any Sendable] = [:]) async throws -> IDTokenClaims {
    try await verifier().claims(of: issuer.sign(sound.merging(changes) { $1 }), nonce: Secret("n-1"))
  }

  /// Verifies a token whose claims begin with some JSON.
  private func read(beginning json: String, without name: String? = nil) async throws {
    let claims = sound.filter { $0.key != name }
    let others = String(decoding: try JSONSerialization.data(withJSONObject: claims), as: UTF8.self)
    let token = Secret(try JWS.sign(Array((json + others.dropFirst()).utf8), with: issuer.key, keyID: "key-1"))
    _ = try await verifier().claims(of: token, nonce: Secret("n-1"))
  }

  @Test func soundTokenIsReadAndKeysAreFetchedOnce() async throws {
    let verifier = try verifier()
    for _ in 0..<3 {
      let claims = try await verifier.claims(of: issuer.sign(sound), nonce: Secret("n-1"))
      #expect(claims.subject == "person")
      #expect(claims.email == "person@example.com")
    }
    #expect(issuer.fetches.withLock { $0 } == 1)
  }

  @Test(
    arguments: [
      ("iss", "https://evil.example" as any Sendable, OAuthError.Code.issuerMismatch),
      ("iss", "https://login.example/", .issuerMismatch), ("iss", "", .issuerMismatch),
      ("iss", "login.example", .issuerMismatch),
      ("iss", "https://evil.example/?https://login.example", .issuerMismatch),
      ("aud", "other", .invalidResponse), ("aud", ["app", "other"], .invalidResponse), ("aud", "App", .invalidResponse),
      ("aud", [String](), .invalidResponse),
      ("azp", "other", .invalidResponse), ("nonce", "n-2", .invalidResponse), ("nonce", NSNull(), .invalidResponse),
      ("sub", NSNull(), .invalidResponse), ("sub", "", .invalidResponse), ("sub", 7, .invalidResponse),
      ("nbf", "soon", .invalidResponse), ("nbf", 1e300, .invalidResponse), ("nbf", 0, .none),
      ("exp", NSNull(), .invalidResponse), ("exp", 1e300, .none),
      ("iat", 1e300, .invalidResponse), ("exp", 0, .invalidResponse), ("exp", "soon", .invalidResponse),
      ("at_hash", "AAAAAAAAAAAAAAAAAAAAAA", .invalidResponse),
    ] as [(String, any Sendable, OAuthError.Code?)])
  func wrongClaimIsRefused(_ name: String, _ value: any Sendable, _ code: OAuthError.Code?) async throws {
    let (verifier, token) = (try verifier(), try issuer.sign(sound.merging([name: value]) { $1 }))
    try await expect(code) {
      _ = try await verifier.claims(of: token, nonce: Secret("n-1"), accessToken: Secret("access"))
    }
  }

  @Test func severalAudiencesAreFineWithTheRightParty() async throws {
    try await read(["aud": ["app", "other"], "azp": "app"])
  }

  @Test("A party that is ours does not make up for another audience", arguments: [["other"], ["other", "third"], []])
  func wrongAudienceIsRefusedThoughThePartyIsOurs(_ audience: [String]) async throws {
    try await expect(.invalidResponse) { try await read(["aud": audience, "azp": "app"]) }
  }

  @Test("A claim that another reader may understand differently is refused", arguments: ["sub", "aud", "unknown"])
  func duplicateClaimIsRefused(_ name: String) async throws {
    try await read(beginning: "{")
    try await expect(.invalidResponse) { try await read(beginning: #"{"\#(name)":"x","\#(name)":"x","#) }
  }

  @Test("An expiry beyond every number is refused", arguments: ["1e999", "-1e999", "\"1\"", "[]"])
  func expiryThatIsNoNumberIsRefused(_ expiry: String) async throws {
    try await expect(.invalidResponse) { try await read(beginning: #"{"exp":\#(expiry),"#, without: "exp") }
  }

  @Test("Claims are compared code point by code point", arguments: ["iss", "aud", "azp"])
  func anotherNormalizationOfUnicodeIsRefused(_ name: String) async throws {
    let client = try client(id: "caf\u{E9}") { $0.issuer = "https://login.example/caf\u{E9}" }
    let verifier = IDTokenVerifier(client: client, transport: issuer.transport, clock: clock)
    var claims = sound.merging(["iss": client.server.issuer, "aud": "caf\u{E9}", "azp": "caf\u{E9}"]) { $1 }
    _ = try await verifier.claims(of: issuer.sign(claims), nonce: Secret("n-1"))
    claims[name] = (name == "iss" ? "https://login.example/" : "") + "cafe\u{301}"
    let token = try issuer.sign(claims)
    await #expect(throws: OAuthError.self) { try await verifier.claims(of: token, nonce: Secret("n-1")) }
  }

  @Test func aliasOfTheIssuerIsAccepted() async throws {
    let token = try issuer.sign(sound.merging(["iss": "login.example"]) { $1 })
    _ = try await verifier(aliases: ["login.example"]).claims(of: token, nonce: Secret("n-1"))
  }

  @Test func timesAreJudgedByTheServersClockWithLeeway() async throws {
    let verifier = try verifier()
    let token = try issuer.sign(sound)
    clock.advance(by: .seconds(3600 + 59))
    _ = try await verifier.claims(of: token, nonce: Secret("n-1"))
    clock.advance(by: .seconds(2))
    await #expect(throws: OAuthError.self) { try await verifier.claims(of: token, nonce: Secret("n-1")) }
    _ = try await verifier.claims(of: token, nonce: Secret("n-1"), serverClockOffset: .seconds(-3600))
  }

  @Test(
    "Times, in seconds from now, at the boundaries of a leeway of 60 s",
    arguments: [
      ("exp", -59, true), ("exp", -60, false), ("iat", 60, true), ("iat", 61, false), ("iat", 120, false),
      ("nbf", 60, true), ("nbf", 61, false), ("nbf", 120, false),
    ])
  func boundaryOfATime(_ name: String, _ seconds: Int, _ isAccepted: Bool) async throws {
    try await expect(isAccepted ? nil : .invalidResponse, "Check this machine's clock") {
      try await read([name: Int(clock.now.secondsSince1970) + seconds])
    }
  }

  @Test func forgedSignatureAndNoneAreRefused() async throws {
    let stranger = try await Issuer.otherKey.value
    let forged = try issuer.sign(sound, with: stranger)
    let parts = try issuer.sign(sound).reveal().split(separator: ".")
    let none = Base64URL.encode(Array(#"{"alg":"none"}"#.utf8))
    for token in [
      forged, Secret("\(none).\(parts[1])."), Secret("\(none).\(parts[1]).\(parts[2])"), Secret("x.y"), Secret(""),
    ] {
      try await expect(.invalidResponse) {
        _ = try await verifier().claims(of: token, nonce: Secret("n-1"))
      }
    }
  }

  @Test func unknownKeyIsLookedUpAtOnce() async throws {
    let verifier = try verifier()
    _ = try await verifier.claims(of: issuer.sign(sound), nonce: Secret("n-1"))
    let next = try await Issuer.otherKey.value
    issuer.published.withLock { $0.append(Issuer.named("key-2", next)) }
    _ = try await verifier.claims(of: issuer.sign(sound, keyID: "key-2", with: next), nonce: Secret("n-1"))
    #expect(issuer.fetches.withLock { $0 } == 2)
  }

  @Test func unknownKeysAreLookedUpFourTimesAMinuteAtMost() async throws {
    let verifier = try verifier()
    _ = try await verifier.claims(of: issuer.sign(sound), nonce: Secret("n-1"))
    let next = try await Issuer.otherKey.value
    let token = try issuer.sign(sound, keyID: "key-2", with: next)
    clock.advance(by: .seconds(30))
    for _ in 0..<10 {
      await #expect(throws: OAuthError.self) { try await verifier.claims(of: token, nonce: Secret("n-1")) }
    }
    #expect(issuer.fetches.withLock { $0 } == 4)
    issuer.published.withLock { $0.append(Issuer.named("key-2", next)) }
    clock.advance(by: .seconds(29))
    await #expect(throws: OAuthError.self) { try await verifier.claims(of: token, nonce: Secret("n-1")) }
    #expect(issuer.fetches.withLock { $0 } == 4)
    // The first of the four is a minute old.
    clock.advance(by: .seconds(1))
    _ = try await verifier.claims(of: token, nonce: Secret("n-1"))
    #expect(issuer.fetches.withLock { $0 } == 5)
  }

  @Test("A set of keys that cannot be read is requested four times a minute at most", arguments: [200, 404, 503])
  func brokenKeyDocumentIsNotFetchedOnceAToken(_ status: Int) async throws {
    issuer.fault.withLock { $0 = HTTPResponse(status: status, body: Array("<html>".utf8)) }
    let verifier = try verifier()
    let token = try issuer.sign(sound)
    for number in 0..<10 {
      let isRead = number < 4 && status < 500
      let remedy = isRead && status == 200 ? "server's operator" : "Try again"
      try await expect(isRead ? .invalidResponse : .serverUnavailable, remedy) {
        _ = try await verifier.claims(of: token, nonce: Secret("n-1"))
      }
    }
    #expect(issuer.fetches.withLock { $0 } == 4)
    issuer.fault.withLock { $0 = nil }
    clock.advance(by: .seconds(60))
    _ = try await verifier.claims(of: token, nonce: Secret("n-1"))
    #expect(issuer.fetches.withLock { $0 } == 5)
  }

  @Test func keysInAResponseThatIsNoSuccessAreNotUsed() async throws {
    let keys = try issuer.published.withLock { try JSONEncoder().encode(["keys": $0]) }
    issuer.fault.withLock { $0 = HTTPResponse(status: 404, body: Array(keys)) }
    let token = try issuer.sign(sound)
    try await expect(.invalidResponse) { _ = try await verifier().claims(of: token, nonce: Secret("n-1")) }
  }

  @Test func requestForTheKeysFollowsNoRedirectToAnotherOrigin() async throws {
    let transport = issuer.transport
    _ = try await verifier(transport: transport).claims(of: issuer.sign(sound), nonce: Secret("n-1"))
    #expect(transport.requests.map(\.redirectScope) == [.sameOrigin])
  }

  @Test func verificationsAtTheSameTimeShareOneRequest() async throws {
    let (issuer, verifier) = (issuer, try verifier())
    let token = try issuer.sign(sound)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<50 { group.addTask { _ = try await verifier.claims(of: token, nonce: Secret("n-1")) } }
      try await group.waitForAll()
    }
    #expect(issuer.fetches.withLock { $0 } == 1)
  }

  @Test func withdrawnKeysAreNotTrustedAfterAFailedFetch() async throws {
    let verifier = try verifier()
    let token = try issuer.sign(sound.merging(["exp": Int(clock.now.secondsSince1970) + 86_400]) { $1 })
    _ = try await verifier.claims(of: token, nonce: Secret("n-1"))
    issuer.fault.withLock { $0 = HTTPResponse(status: 503) }
    // While they are young enough, a failure does not cost them.
    clock.advance(by: .seconds(3599))
    let unknown = try issuer.sign(sound, keyID: "key-2")
    await #expect(throws: OAuthError.self) { try await verifier.claims(of: unknown, nonce: Secret("n-1")) }
    _ = try await verifier.claims(of: token, nonce: Secret("n-1"))
    clock.advance(by: .seconds(1))
    for _ in 0..<3 {
      try await expect(.serverUnavailable) { _ = try await verifier.claims(of: token, nonce: Secret("n-1")) }
      clock.advance(by: .seconds(60))
    }
  }

  @Test func clockThatWasSetBackDoesNotProlongTheKeysLife() async throws {
    let verifier = try verifier()
    let token = try issuer.sign(sound.merging(["iat": 0]) { $1 })
    _ = try await verifier.claims(of: token, nonce: Secret("n-1"))
    issuer.published.withLock { $0 = [] }
    clock.set(by: .seconds(-86_400))
    clock.advance(by: .seconds(3600))
    await #expect(throws: OAuthError.self) { try await verifier.claims(of: token, nonce: Secret("n-1")) }
    #expect(issuer.fetches.withLock { $0 } > 1)
  }

  @Test func clockThatWasSetBackDoesNotBlockRequests() async throws {
    let verifier = try verifier()
    let token = try issuer.sign(sound.merging(["iat": 0]) { $1 })
    issuer.fault.withLock { $0 = HTTPResponse(status: 503) }
    for _ in 0..<5 {
      await #expect(throws: OAuthError.self) { try await verifier.claims(of: token, nonce: Secret("n-1")) }
    }
    issuer.fault.withLock { $0 = nil }
    clock.set(by: .seconds(-86_400))
    clock.advance(by: .seconds(60))
    _ = try await verifier.claims(of: token, nonce: Secret("n-1"))
  }

  @Test func signInIsVerifiedThroughItsSeam() async throws {
    let client = try client()
    let verifier = IDTokenVerifier(client: client, transport: issuer.transport, clock: clock)
    let pending = try await client.beginAuthorization(
      scopes: ["openid"], redirectURI: URL(literal: "http://127.0.0.1:4711/callback"))
    func token(_ changes: [String: any Sendable] = [:], offset: Duration = .zero) throws -> StoredToken {
      let claims = sound.merging(["nonce": pending.nonce?.reveal() ?? ""]) { $1 }.merging(changes) { $1 }
      let signed = try issuer.sign(claims)
      return StoredToken(accessToken: Secret("access"), scopes: ["openid"]) {
        $0.serverClockOffset = offset
        $0.idToken = signed
      }
    }
    try await verifier.verify(token(), for: pending)
    let ahead = Int(clock.now.secondsSince1970) + 3600
    try await verifier.verify(token(["iat": ahead, "exp": ahead + 60], offset: .seconds(3600)), for: pending)
    for wrong in [
      try token(["nonce": "other"]), try token(["at_hash": "AAAAAAAAAAAAAAAAAAAAAA"]), try token(["iat": ahead]),
      StoredToken(accessToken: Secret("access"), scopes: ["openid"]),
    ] {
      await #expect(throws: OAuthError.self) { try await verifier.verify(wrong, for: pending) }
    }
    // A user may refuse the scope openid.
    try await verifier.verify(StoredToken(accessToken: Secret("access"), scopes: []), for: pending)
  }

  @Test func keyThatWasReplacedUnderItsNameIsFetchedAgain() async throws {
    let verifier = try verifier()
    _ = try await verifier.claims(of: issuer.sign(sound), nonce: Secret("n-1"))
    let next = try await Issuer.otherKey.value
    issuer.published.withLock { $0 = [Issuer.named("key-1", next)] }
    _ = try await verifier.claims(of: issuer.sign(sound, with: next), nonce: Secret("n-1"))
  }

  @Test func everyClaimIsRead() async throws {
    let now = clock.now
    let claims: [String: any Sendable] = [
      "aud": ["app", "other"], "azp": "app", "email_verified": true, "name": "Ana Muestra", "acr": "gold",
      "amr": ["pwd"], "auth_time": Int(now.secondsSince1970) - 9, "sid": "s-1",
    ]
    let read = try await self.read(claims)
    #expect(read.issuer == "https://login.example" && read.subject == "person" && read.audience == ["app", "other"])
    #expect(read.issuedAt == now && read.expiresAt == now + .seconds(3600))
    #expect(read.authenticatedAt == now + .seconds(-9) && read.authenticationContextClass == "gold")
    #expect(read.authenticationMethods == ["pwd"] && read.sessionID == "s-1")
    #expect(read.email == "person@example.com" && read.isEmailVerified && read.name == "Ana Muestra")
    #expect(read.profile.subject == "person" && read.profile.name == "Ana Muestra")
    let bare = try await verifier().claims(
      of: issuer.sign(sound.filter { $0.key != "email" }), nonce: Secret("n-1"))
    #expect(bare.authenticatedAt == nil && bare.authenticationContextClass == nil && bare.sessionID == nil)
    #expect(bare.authenticationMethods == [] && bare.name == nil && bare.email == nil && !bare.isEmailVerified)
    #expect(try await self.read(["email": 7]).email == nil)
  }

  @Test(
    "An ID token of a sign-in on another device is verified where there is one, and required where openid was granted",
    arguments: [
      (["openid"], ["openid"], nil, false), (["openid"], ["email"], nil, true), (["email"], ["openid"], nil, true),
      ([], [], nil, true), (["openid"], ["openid"], "person", true), (["email"], [], "person", true),
      (["openid"], ["openid"], "", false), (["email"], [], "", false),
    ] as [([Scope], [Scope], String?, Bool)])
  func signInOnAnotherDeviceIsVerified(
    _ requested: [Scope], _ granted: [Scope], _ subject: String?, isAccepted: Bool
  ) async throws {
    let response = HTTPResponse(
      status: 200,
      body: Array(#"{"device_code":"d","user_code":"u","verification_uri":"https://login.example/"}"#.utf8))
    let client = try client(StubTransport(response)) {
      $0.deviceAuthorizationEndpoint = URL(literal: "https://login.example/d")
    }
    let device = try await client.beginDeviceAuthorization(scopes: requested)
    let idToken = try subject.map { try issuer.sign(sound.merging(["sub": $0]) { $1 }) }
    let token = StoredToken(accessToken: Secret("access"), scopes: granted) { $0.idToken = idToken }
    let verifier = IDTokenVerifier(client: client, transport: issuer.transport, clock: clock)
    try await expect(isAccepted ? nil : .invalidResponse) { try await verifier.verify(token, for: device) }
  }
}
