// SPDX-License-Identifier: Apache-2.0

import OAuthJOSE
import Testing

/// The private key of RFC 8037 § A.
///
/// `WycheproofTests` has signatures of every algorithm.
@Suite struct SignatureVectorTests {
  /// Whether Ed25519 signatures differ from one to the next, as CryptoKit's do.
  #if canImport(CryptoKit)
    private static let signsWithRandomness = true
  #else
    private static let signsWithRandomness = false
  #endif

  @Test func ed25519OfRFC8037() throws {
    let vector = Vectors.RFC8037A.self
    let publicKey = JWK(keyType: .okp, parameters: ["crv": "Ed25519", "x": vector.x])
    #expect(publicKey.thumbprint == vector.thumbprint)
    let jws = try JWS(compact: vector.compact)
    let payload = try jws.payload(verifiedWith: VerificationKey(publicKey))
    #expect(String(decoding: payload, as: UTF8.self) == "Example of Ed25519 signing")
    let key = try SigningKey(
      privateJWK: #"{"kty":"OKP","crv":"Ed25519","d":"\#(vector.d)","x":"\#(vector.x)"}"#)
    #expect(try JWS.sign(payload, with: key, type: nil) == vector.compact || Self.signsWithRandomness)
  }
}
