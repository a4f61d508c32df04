// SPDX-License-Identifier: Apache-2.0

import Support
import Timekeeping

/// What is remembered of proofs of possession.
struct ProofStore {
  /// Who gives nonces: one of the authorization server is nothing to an API.
  enum NonceIssuer: Hashable {
    case authorizationServer
    case resources
  }

  private struct Nonce {
    private(set) var value = randomToken()
    private var uses = 0

    /// Uses the nonce up to a number of times, and then replaces it.
    mutating func use(_ presented: String?, limit: Int) -> Bool {
      guard presented.map({ ConstantTime.equal($0, value) }) == true else { return false }
      uses += 1
      if uses >= limit { self = Nonce() }
      return true
    }
  }

  private var nonces: [NonceIssuer: Nonce] = [:]
  /// The identifiers of proofs that were presented.
  private var seen = ExpiringTable<Bool>()

  var count: Int { seen.count }

  /// The nonce for the next proof.
  mutating func nonce(of issuer: NonceIssuer) -> String { nonces[issuer, default: Nonce()].value }

  /// Uses the nonce of a proof, and returns whether it is the newest.
  mutating func use(_ nonce: String?, of issuer: NonceIssuer, limit: Int) -> Bool {
    nonces[issuer, default: Nonce()].use(nonce, limit: limit)
  }

  /// Takes note of a proof, and returns whether it is presented for the first time.
  mutating func isFirstUse(of identifier: String, by thumbprint: String, now: Timestamp, until: Timestamp) -> Bool {
    while seen.removeExpired(now) != nil {}
    let digest = SecretDigest(of: "\(thumbprint) \(identifier)")
    guard seen[digest] == nil else { return false }
    seen.insert(true, for: digest, until: until)
    return true
  }
}
