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

/// Key sets that take long to try, of which a server decides the size.
@Suite struct KeyTrialTests {
  /// Verifies a token on an executor.
  ///
  /// - Returns: The processor time of the executor's longest job.
  private func longestJob(_ issuer: SigningIssuer, keys: [UInt8], _ token: Secret) async throws -> Duration {
    let verifier = IDTokenVerifier(
      client: issuer.client, transport: StubTransport { _ in HTTPResponse(status: 200, body: keys) },
      clock: issuer.clock)
    let executor = SerialTaskExecutor()
    try await Task(executorPreference: executor) { _ = try await verifier.claims(of: token, nonce: nil) }.value
    return executor.longestJob
  }

  @Test func severalKeysAreTriedOffThePool() async throws {
    let key = try SigningKey.generate(.es512)
    let issuer = try SigningIssuer()
    // None of them has an identifier, and the right one is the last.
    let candidates = try (1...15).map { _ in try SigningKey.generate(.es512).publicJWK } + [key.publicJWK]
    let set = JWKSet(candidates.map { JWK(keyType: $0.keyType, parameters: $0.parameters) })
    let payload = Array(try JSONSerialization.data(withJSONObject: issuer.identity()))
    let token = try JWS.sign(payload, with: key, type: "JWT")
    let jws = try JWS(compact: token)
    // The first time takes longer.
    let trying = try #require(
      (1...5).map { _ in
        try SerialTaskExecutor.processorTime { _ = try jws.payload(verifiedWith: set, allowing: [.es512]) }
      }
      .min())
    let keys = Array(try JSONEncoder().encode(set))
    let longest = try await longestJob(issuer, keys: keys, Secret(token))
    #expect(longest < trying / 2, "\(longest) of \(trying)")
  }

  #if os(Linux)
    /// Reading happens in a task that all callers share, so that the executor of one of them shows nothing.
    @Test(.takesTurns) func aLargeSetIsReadOffThePool() async {
      await #expect(processExitsWith: .success) {
        let issuer = try SigningIssuer()
        let key = try SigningKey.generate(.es256).publicJWK
        let keys = (1...1000).map {
          JWK(keyType: key.keyType, parameters: key.parameters.merging(["kid": "\($0)"]) { $1 })
        }
        let json = Array(try JSONEncoder().encode(JWKSet(keys)))
        let verifier = IDTokenVerifier(
          client: issuer.client, transport: StubTransport { _ in HTTPResponse(status: 200, body: json) },
          clock: issuer.clock)
        let token = Secret(try JWS.sign([0x7B, 0x7D], with: try SigningKey.generate(.es256), type: "JWT"))
        // The first time takes longer.
        let reading = try #require(
          (1...3).map { _ in SerialTaskExecutor.processorTime { _ = try? JWKSet(json: json) } }.min())
        let pool = await PoolThreads.all()
        let before = pool.processorTime
        // They are too many for a token that names none.
        let error = await #expect(throws: (any Error).self) { try await verifier.claims(of: token, nonce: nil) }
        let onThePool = pool.processorTime - before
        #expect("\(try #require(error))".contains("More than 16 keys"))
        #expect(onThePool < reading / 2, "\(onThePool) of \(reading)")
      }
    }
  #endif
}
