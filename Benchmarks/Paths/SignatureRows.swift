// SPDX-License-Identifier: Apache-2.0

import Dispatch
import OAuthJOSE

/// Signing and verifying a JWS of the size of an ID token.
///
/// Nearly all of the time is the system library's arithmetic.
enum SignatureRows {
  static var rows: [Row] {
    get throws {
      let claims = [UInt8](repeating: UInt8(ascii: "a"), count: 400)
      return try [.rs256, .ps256, .es256, .es384, .es512, .edDSA].flatMap { (algorithm: JWS.Algorithm) in
        let key = try generate(algorithm)
        let text = try JWS.sign(claims, with: key)
        let keys = JWKSet([key.publicJWK])
        let kept = try VerificationKey(key.publicJWK)
        return [
          Row("signature", "\(algorithm.rawValue), sign", ours: Contender("JWS.sign") { sign(claims, with: key) }),
          Row(
            "signature", "\(algorithm.rawValue), verify with a key set",
            ours: Contender("JWS.payload") { verify(text, with: keys, algorithm) },
            baselines: [Contender("VerificationKey, kept") { verify(text, with: kept) }]),
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

  private static func generate(_ algorithm: JWS.Algorithm) throws -> SigningKey {
    if let key = try? SigningKey.generate(algorithm) { return key }
    let done = DispatchSemaphore(value: 0)
    let box = Box()
    Task.detached {
      box.key = try? await SigningKey.generate(algorithm, bits: 2048)
      done.signal()
    }
    done.wait()
    guard let key = box.key else { throw JOSEError(.cryptographyFailed, "No key was generated.") }
    return key
  }

  /// The value that the task writes before it signals, and that is read afterwards.
  private final class Box: @unchecked Sendable {
    var key: SigningKey?
  }
}
