// SPDX-License-Identifier: Apache-2.0

import BenchmarkHarness
import OAuthJOSE

/// Signing and verifying a JWS of the size of an ID token.
///
/// Nearly all of the time is the system library's arithmetic.
enum SignatureRows {
  static var rows: [Row] {
    get throws {
      let claims = [UInt8](repeating: UInt8(ascii: "a"), count: 400)
      return try [.rs256, .ps256, .es256, .es384, .es512, .edDSA].flatMap { (algorithm: JWS.Algorithm) in
        let samples = try (0..<count(algorithm)).map { _ in try Sample(of: algorithm, claims) }
        func contender(_ name: String, _ work: @escaping (Sample) -> Int) -> Contender {
          Contender(name, items: samples.count) { samples.reduce(0) { $0 &+ work($1) } }
        }
        return [
          Row("signature", "\(algorithm.rawValue), sign", ours: contender("JWS.sign") { sign(claims, with: $0.key) }),
          Row(
            "signature", "\(algorithm.rawValue), verify with a key set",
            ours: contender("JWS.payload") { verify($0.text, with: $0.keys, algorithm) },
            baselines: [contender("VerificationKey, kept") { verify($0.text, with: $0.kept) }]),
        ]
      } + generation
    }
  }

  private static var generation: [Row] {
    [.es256, .edDSA].map { (algorithm: JWS.Algorithm) in
      Row(
        "signature", "\(algorithm.rawValue), generate a key",
        ours: Contender("SigningKey.generate") { (try? SigningKey.generate(algorithm)) == nil ? 0 : 1 })
    }
  }

  private static func sign(_ claims: [UInt8], with key: SigningKey) -> Int {
    guard let text = try? JWS.sign(claims, with: key) else { preconditionFailure("Signing does not work.") }
    return text.utf8.count
  }

  private static func verify(_ text: String, with keys: JWKSet, _ algorithm: JWS.Algorithm) -> Int {
    let payload = try? JWS(compact: text).payload(verifiedWith: keys, allowing: [algorithm])
    guard let payload else { preconditionFailure("Verifying does not work.") }
    return payload.count
  }

  private static func verify(_ text: String, with key: VerificationKey) -> Int {
    guard let payload = try? JWS(compact: text).payload(verifiedWith: key) else {
      preconditionFailure("Verifying does not work.")
    }
    return payload.count
  }

  /// Returns the number of keys.
  ///
  /// The instructions of a verification vary by 2 % with the signature, except for RSA, whose keys take seconds to generate.
  private static func count(_ algorithm: JWS.Algorithm) -> Int {
    Counting.isActive && ![.rs256, .ps256].contains(algorithm) ? 16 : 1
  }

  /// A key, a signature by it, and what verifies it.
  private struct Sample {
    let key: SigningKey
    let text: String
    let keys: JWKSet
    let kept: VerificationKey

    init(of algorithm: JWS.Algorithm, _ claims: [UInt8]) throws {
      key = (try? .generate(algorithm)) ?? wait { try await .generate(algorithm, bits: 2048) }
      text = try JWS.sign(claims, with: key)
      keys = JWKSet([key.publicJWK])
      kept = try VerificationKey(key.publicJWK)
    }
  }
}
