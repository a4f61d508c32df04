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

/// The hashes in an ID token, and the sandbox's signatures, for every algorithm.
@Suite struct IDTokenAlgorithmTests {
  private static let algorithms = JWS.Algorithm.asymmetric.sorted { $0.rawValue < $1.rawValue }

  private let clock = ManualClock()

  /// One RSA key for all algorithms, since generating one takes longer than most tests.
  private static let rsaKey = Task { try await SigningKey.generate(.rs256, bits: 2048).revealPEM() }

  private func generate(_ algorithm: JWS.Algorithm) async throws -> SigningKey {
    do { return try SigningKey.generate(algorithm) } catch {
      return try SigningKey(pem: await Self.rsaKey.value, algorithm: algorithm)
    }
  }

  private func verifier(_ key: JWK) throws -> IDTokenVerifier {
    let body = Array(try JSONEncoder().encode(JWKSet([key])))
    return IDTokenVerifier(
      client: try SigningIssuer().client, transport: StubTransport { _ in HTTPResponse(status: 200, body: body) },
      clock: clock)
  }

  private var sound: [String: any Sendable] {
    let now = Int(clock.now.secondsSince1970)
    return ["iss": "https://login.example", "sub": "1", "aud": "app", "exp": now + 3600, "iat": now, "nonce": "n-1"]
  }

  private func sign(_ claims: [String: any Sendable], with key: SigningKey) throws -> Secret {
    let payload = Array(try JSONSerialization.data(withJSONObject: claims))
    return Secret(try JWS.sign(payload, with: key, keyID: key.publicJWK.keyID))
  }

  /// The left halves of SHA-256, SHA-384 and SHA-512 of `access`, computed by OpenSSL.
  private static func half(_ algorithm: JWS.Algorithm) -> String {
    switch algorithm.rawValue.suffix(3) {
    case "256": "oFYf1knNtrqnhAVfBRuteQ"
    case "384": "SeGOaEgS6QNKbB7vkLM3y8nujeY4Ple3"
    default: "kyd4-h3ZoV2sH212kLKbcOnCBajStKQ38Ae_bfT-PFI"
    }
  }

  @Test("at_hash and c_hash are made with the digest of the signature's algorithm", arguments: algorithms)
  func hashes(_ algorithm: JWS.Algorithm) async throws {
    let key = try await generate(algorithm)
    let verifier = try verifier(key.publicJWK)
    let half = Self.half(algorithm)
    for (name, value, isAccepted) in [
      ("at_hash", half, true), ("c_hash", half, true), ("at_hash", String(half.dropLast(2)), false),
      ("c_hash", half + "AA", false), ("at_hash", "", false),
      ("c_hash", Self.half(algorithm.rawValue.hasSuffix("384") ? .es256 : .es384), false),
    ] {
      let token = try sign(sound.merging([name: value]) { $1 }, with: key)
      let read = {
        try await verifier.claims(
          of: token, nonce: Secret("n-1"), accessToken: Secret("access"), authorizationCode: Secret("access"))
      }
      if isAccepted {
        _ = try await read()
      } else {
        await #expect(throws: OAuthError.self, "\(name) \(value)") { try await read() }
      }
    }
  }

  @Test("a hash by SHA-256 under an algorithm with another digest is named", arguments: ["at_hash", "c_hash"])
  func hashOfAnotherDigest(_ claim: String) async throws {
    for (algorithm, isNamed) in [(JWS.Algorithm.edDSA, true), (.es384, true), (.es256, false)] {
      let key = try await generate(algorithm)
      let half = isNamed ? Self.half(.es256) : Self.half(.es384)
      let token = try sign(sound.merging([claim: half]) { $1 }, with: key)
      let verifier = try verifier(key.publicJWK)
      let error = await #expect(throws: OAuthError.self) {
        try await verifier.claims(
          of: token, nonce: Secret("n-1"), accessToken: Secret("access"), authorizationCode: Secret("access"))
      }
      #expect(error?.message.contains("SHA-256") == isNamed, "\(algorithm.rawValue)")
    }
  }

  @Test("The sandbox signs with the algorithm it is set to", arguments: algorithms)
  func sandbox(_ algorithm: JWS.Algorithm) async throws {
    let sandbox = Sandbox(clock: clock) { $0.idTokenAlgorithm = algorithm }
    let transport = sandbox.transport()
    let client = try OAuthClient(
      provider: sandbox.provider(), registration: ClientRegistration(clientID: Sandbox.Client.native.id),
      transport: transport, clock: clock)
    let redirect = URL(literal: "http://127.0.0.1:4711/callback")
    let pending = try await client.beginAuthorization(scopes: ["openid"], redirectURI: redirect)
    let token = try await client.completeAuthorization(pending, callback: sandbox.approve(pending.authorizationURL))
    try await IDTokenVerifier(client: client, transport: transport, clock: clock).verify(token, for: pending)
    let strict = IDTokenVerifier(
      client: client, transport: transport, clock: clock, allowing: JWS.Algorithm.asymmetric.subtracting([algorithm]))
    await #expect(throws: OAuthError.self) { try await strict.verify(token, for: pending) }
  }
}
