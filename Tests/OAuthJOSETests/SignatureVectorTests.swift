// SPDX-License-Identifier: Apache-2.0

import OAuthJOSE
import Testing

/// The private keys of RFC 7515 § A and RFC 8037 § A.
///
/// `WycheproofTests` has signatures of every algorithm.
@Suite struct SignatureVectorTests {
  /// Whether Ed25519 signatures differ from one to the next, as CryptoKit's do.
  #if canImport(CryptoKit)
    private static let signsWithRandomness = true
  #else
    private static let signsWithRandomness = false
  #endif

  private func ec(_ curve: String, _ x: String, _ y: String) -> JWK {
    JWK(keyType: .ec, parameters: ["crv": curve, "x": x, "y": y])
  }

  private func json(_ members: KeyValuePairs<String, String>) -> String {
    "{" + members.map { "\"\($0)\":\"\($1)\"" }.joined(separator: ",") + "}"
  }

  @Test func keysOfRFC7515SignWhatTheirPublicHalvesVerify() throws {
    let (a3, a4) = (Vectors.RFC7515A3.self, Vectors.RFC7515A4.self)
    for (curve, x, y, d, size) in [("P-256", a3.x, a3.y, a3.d, 64), ("P-521", a4.x, a4.y, a4.d, 132)] {
      let key = try SigningKey(privateJWK: json(["kty": "EC", "crv": curve, "x": x, "y": y, "d": d]))
      #expect(key.publicJWK.bare == ec(curve, x, y))
      #expect(try key.signature(for: [1, 2, 3]).count == size)
      let jws = try JWS(compact: JWS.sign([7], with: key))
      #expect(try jws.payload(verifiedWith: VerificationKey(ec(curve, x, y))) == [7])
    }
  }

  @Test func ed25519OfRFC8037() throws {
    let vector = Vectors.RFC8037A.self
    let publicKey = JWK(keyType: .okp, parameters: ["crv": "Ed25519", "x": vector.x])
    #expect(publicKey.thumbprint == vector.thumbprint)
    let jws = try JWS(compact: vector.compact)
    let payload = try jws.payload(verifiedWith: VerificationKey(publicKey))
    #expect(String(decoding: payload, as: UTF8.self) == "Example of Ed25519 signing")
    let key = try SigningKey(privateJWK: json(["kty": "OKP", "crv": "Ed25519", "d": vector.d, "x": vector.x]))
    #expect(try JWS.sign(payload, with: key, type: nil) == vector.compact || Self.signsWithRandomness)
  }
}
