// SPDX-License-Identifier: Apache-2.0

import Support
import Timekeeping

/// The nonces for proofs of possession, and the proofs already used.
struct ProofStore {
  /// The issuers of nonces.
  ///
  /// The authorization server and the resources do not share nonces.
  enum NonceIssuer: Hashable {
    case authorizationServer
    case resources
  }

  private struct Nonce {
    private(set) var value = randomToken()
    private var uses = 0

    /// Counts a use of the nonce, and replaces the nonce after `limit` uses.
    ///
    /// Returns whether the presented nonce matches.
    mutating func use(_ presented: String?, limit: Int) -> Bool {
      guard presented.map({ ConstantTime.equal($0, value) }) == true else { return false }
      uses += 1
      if uses >= limit { self = Nonce() }
      return true
    }
  }

  private var nonces: [NonceIssuer: Nonce] = [:]
  /// The identifiers of proofs already used.
  private var seen = ExpiringTable<Bool>()

  var count: Int { seen.count }

  /// Returns the nonce for the next proof.
  mutating func nonce(of issuer: NonceIssuer) -> String { nonces[issuer, default: Nonce()].value }

  /// Uses the nonce of a proof, and returns whether it is the current one.
  mutating func use(_ nonce: String?, of issuer: NonceIssuer, limit: Int) -> Bool {
    nonces[issuer, default: Nonce()].use(nonce, limit: limit)
  }

  /// Records the use of a proof, and returns whether it is the first use.
  mutating func isFirstUse(of identifier: String, by thumbprint: String, now: Timestamp, until: Timestamp) -> Bool {
    seen.addFirst(true, for: "\(thumbprint) \(identifier)", until: until, now: now)
  }
}
