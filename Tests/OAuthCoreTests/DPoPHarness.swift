// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import OAuthFixtures
import OAuthJOSE
import Synchronization
import Testing
import Timekeeping
import TokenStore

/// A user's account at a sandbox, whose tokens are bound to a key.
struct DPoPHarness {
  let clock = ManualClock()
  let sandbox: Sandbox
  let transport: RecordingTransport
  let storage = InMemoryTokenStorage()
  let client: OAuthClient
  let account: OAuthAccount

  static let userinfo = Sandbox.inProcessURL.appending(path: "userinfo")

  init(
    _ policy: Sandbox.ProofPolicy? = Sandbox.ProofPolicy(), clientClock: ManualClock? = nil,
    configure: (inout Sandbox.Configuration) -> Void = { _ in },
    register: (inout ClientRegistration) -> Void = { $0.dpop = .preferred }
  ) throws {
    // Generating an RSA key takes longer than most tests.
    sandbox = Sandbox(clock: clock) {
      $0.idTokenAlgorithm = .es256
      $0.proofs = policy
      configure(&$0)
    }
    transport = RecordingTransport(sandbox.transport())
    var registration = ClientRegistration(clientID: "almanac")
    register(&registration)
    client = try OAuthClient(
      provider: sandbox.provider(), registration: registration, transport: transport, clock: clientClock ?? clock)
    account = OAuthAccount(
      client: client, storage: storage, account: "me", scopes: ["openid", "email"], userAgent: sandbox.approvingUser)
  }

  var api: AuthorizedTransport { account.transport(for: Sandbox.inProcessURL) }

  func call() async throws -> Int { try await api.send(HTTPRequest(.get, Self.userinfo)).status }
}

extension HTTPRequest {
  /// The header and the claims of the proof in the request, whose signature is verified.
  var proof: (header: JWS.Header, claims: [String: Any]) {
    get throws {
      let jws = try JWS(compact: #require(fields["DPoP"]))
      let key = try #require(jws.header.publicKey)
      let payload = try jws.payload(verifiedWith: key, allowing: JWS.Algorithm.asymmetric)
      return (jws.header, try #require(try JSONSerialization.jsonObject(with: Data(payload)) as? [String: Any]))
    }
  }

  /// The nonce of the proof in the request.
  var proofNonce: String? { get throws { try proof.claims["nonce"] as? String } }
}

/// A key that a client authenticates by.
enum SigningKeyFixture {
  static var key: (key: SigningKey, set: JWKSet) {
    get throws {
      let key = try SigningKey.generate(.es256)
      return (key, JWKSet([key.publicJWK]))
    }
  }
}
