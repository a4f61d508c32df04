// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthFixtures
import Synchronization
import Testing
import Timekeeping
import TokenStore

/// The nonces that servers demand (RFC 9449 § 8 and § 9).
@Suite struct DPoPNonceTests {
  private static let api = URL(literal: "https://api.example/items")

  private static func policy(every count: Int, announced: Bool = true) -> Sandbox.ProofPolicy {
    var policy = Sandbox.ProofPolicy()
    policy.requestsPerNonce = count
    policy.announcesNonces = announced
    return policy
  }

  /// Sends nine requests one after the other, and returns how many were sent to each path.
  private func nineCalls(_ harness: DPoPHarness) async throws -> (token: Int, userinfo: Int) {
    try await harness.account.authorize()
    for _ in 0..<9 { #expect(try await harness.call() == 200) }
    return (harness.transport.requests(for: "/token").count, harness.transport.requests(for: "/userinfo").count)
  }

  @Test func nonceThatIsDemandedEveryThirdRequestCostsOneMoreEachTime() async throws {
    let harness = try DPoPHarness(Self.policy(every: 3, announced: false))
    #expect(try await nineCalls(harness) == (2, 12))
    let nonces = try harness.transport.requests(for: "/userinfo").map { try $0.proofNonce ?? "none" }
    #expect(Set(nonces).count == 4)
    // None → refused; the first three times, then refused; and so on.
    #expect(nonces.map { nonce in nonces.count { $0 == nonce } } == [1, 4, 4, 4, 4, 4, 4, 4, 4, 3, 3, 3])
    #expect(Set(try harness.transport.requests.map { try $0.proof.claims["jti"] as? String }).count == 14)
  }

  @Test func refreshFindsTheNonceOfTheAuthorizationServer() async throws {
    let harness = try DPoPHarness(Self.policy(every: 3))
    try await harness.account.authorize()
    _ = try await harness.call()
    harness.clock.advance(by: .seconds(3600))
    _ = try await harness.call()
    #expect(harness.transport.requests(for: "/token").count == 3, "one refused, one exchanged, one refreshed")
    #expect(harness.sandbox.log.allSatisfy { $0.kind != .refreshTokenReused })
  }

  @Test func clientAssertionIsNewInEachAttempt() async throws {
    let key = try SigningKeyFixture.key
    let client = Sandbox.Client(
      id: "signed", name: "Signed", redirectURIs: ["http://127.0.0.1/callback"], authentication: .privateKeyJWT(key.set)
    )
    let harness = try DPoPHarness(
      Self.policy(every: 1, announced: false), configure: { $0.clients.append(client) },
      register: {
        $0 = ClientRegistration(clientID: "signed", authentication: .privateKeyJWT(key.key))
        $0.dpop = .required
      })
    try await harness.account.authorize()
    #expect(harness.transport.requests(for: "/token").count == 2)
    #expect(try await harness.call() == 200)
  }

  @Test(arguments: [true, false])
  func concurrentRequestsSurviveEveryOrder(announced: Bool) async throws {
    let harness = try DPoPHarness(Self.policy(every: 3, announced: announced))
    try await harness.account.authorize()
    let refusedBefore = harness.sandbox.log.count { $0.kind == .nonceDemanded }
    let api = harness.api
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<128 { group.addTask { try await api.send(HTTPRequest(.get, DPoPHarness.userinfo)).status } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses == Array(repeating: 200, count: 128))
    let refused = harness.sandbox.log.count { $0.kind == .nonceDemanded } - refusedBefore
    #expect(harness.transport.requests(for: "/userinfo").count == 128 + refused, "only what was refused is sent again")
    #expect(harness.transport.requests(for: "/token").count == 2)
  }

  // MARK: - Against single responses

  private func proven(_ base: StubTransport, at urls: [URL] = [api]) async throws -> AuthorizedTransport {
    let key = try await DPoPKey.generate().record()
    return base.authorized(
      by: StaticTokens(token: AccessToken(Secret("a"), type: "DPoP", proofKey: key)),
      for: Set(urls.compactMap { Origin($0) }), presentation: DPoPPresentation(clock: ManualClock()))
  }

  private static func demanding(_ nonce: String?) -> HTTPResponse {
    var response = HTTPResponse(
      status: 401, fields: ["WWW-Authenticate": #"DPoP error="use_dpop_nonce", algs="ES256""#])
    response.fields["DPoP-Nonce"] = nonce
    return response
  }

  private static func giving(_ nonce: String) -> HTTPResponse {
    HTTPResponse(status: 200, fields: ["DPoP-Nonce": nonce])
  }

  private static let ok = HTTPResponse(status: 200)

  /// The responses to three requests, and the nonces that are sent.
  @Test(
    arguments: [
      // A late nonce does not replace a newer one.
      ([demanding("n1"), giving("n2"), giving("n1"), ok], [nil, "n1", "n2", "n2"]),
      // Two machines behind one address, each with a nonce of its own.
      ([demanding("a"), ok, demanding("b"), ok, demanding("a"), ok], [nil, "a", "a", "b", "b", "a"]),
    ] as [([HTTPResponse], [String?])])
  func nonceIsTheLastOneThatWasDemandedOrGiven(_ responses: [HTTPResponse], _ nonces: [String?]) async throws {
    let next = Mutex(responses[...])
    let base = StubTransport { _ in try #require(next.withLock { $0.popFirst() }) }
    let transport = try await proven(base)
    for _ in 0..<3 { #expect(try await transport.send(HTTPRequest(.get, Self.api)).status == 200) }
    #expect(try base.requests.map { try $0.proofNonce } == nonces)
  }

  /// A nonce that was replaced does not come back by a late response, as long as it is remembered: 16 of them are.
  @Test(arguments: [(0, 0), (1, 17), (16, 17)])
  func lastNoncesAreRemembered(_ late: Int, _ used: Int) async throws {
    let given = (0..<18).map { Self.giving("n\($0)") }
    let next = Mutex((given + [Self.giving("n\(late)"), Self.ok])[...])
    let base = StubTransport { _ in try #require(next.withLock { $0.popFirst() }) }
    let transport = try await proven(base)
    for _ in 0..<20 { _ = try await transport.send(HTTPRequest(.get, Self.api)) }
    #expect(try base.requests.last?.proofNonce == "n\(used)")
  }

  /// RFC 9449 § 9: a refusal has the status 401.
  @Test(arguments: [(401, 2), (403, 1), (400, 1), (200, 1)])
  func onlyARefusalIsRepeated(_ status: Int, _ requests: Int) async throws {
    var response = Self.demanding("n1")
    response.status = status
    let base = StubTransport(response, Self.ok)
    _ = try await proven(base).send(HTTPRequest(.get, Self.api))
    #expect(base.requests.count == requests)
  }

  @Test(arguments: ["n1", nil, "", "a\"b", "a b", "n\u{e9}"])
  func demandThatCannotBeMetIsTheResponse(_ nonce: String?) async throws {
    let base = StubTransport(Self.demanding("n1"), Self.demanding(nonce), Self.ok)
    let response = try await proven(base).send(HTTPRequest(.get, Self.api))
    #expect(response.status == 401)
    #expect(base.requests.count == 2, "the same nonce is never sent twice to be refused")
  }

  /// RFC 9449 § 8.1: what a nonce may consist of, within a limit.
  @Test(
    arguments: [
      ([String(repeating: "n", count: 4096)], true), ([String(repeating: "n", count: 4097)], false), (["!~"], true),
      (["a b"], false), (["a\u{7F}"], false), (["a\"b"], false), (["a\\b"], false), ([""], false), ([], false),
      (["a", "b"], false),
    ] as [([String], Bool)])
  func nonceThatIsNoneIsNotUsed(_ nonces: [String], isUsed: Bool) async throws {
    var response = HTTPResponse(status: 200)
    for nonce in nonces { response.fields.append("DPoP-Nonce", nonce) }
    let stub = StubTransport { [response] _ in response }
    let transport = try await proven(stub)
    for _ in 0..<2 { _ = try await transport.send(HTTPRequest(.get, Self.api)) }
    #expect(try stub.requests.map { try $0.proofNonce } == [nil, isUsed ? nonces.first : nil])
  }

  @Test func eachOriginHasItsOwnNonce() async throws {
    let other = URL(literal: "https://other.example/items")
    let base = StubTransport(Self.giving("n1"), Self.ok, Self.ok)
    let transport = try await proven(base, at: [Self.api, other])
    _ = try await transport.send(HTTPRequest(.get, Self.api))
    _ = try await transport.send(HTTPRequest(.get, other))
    _ = try await transport.send(HTTPRequest(.get, Self.api))
    #expect(try base.requests.map { try $0.proofNonce } == [nil, nil, "n1"])
  }
}
