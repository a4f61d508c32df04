// SPDX-License-Identifier: Apache-2.0

import OAuthJOSE
import Testing

/// The vectors of RFC 7515 § A, RFC 7520 § 4, RFC 8032 § 7.1 and RFC 8037 § A.
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

  @Test func ecdsaOfRFC7515() throws {
    let (a3, a4) = (Vectors.RFC7515A3.self, Vectors.RFC7515A4.self)
    let first = try JWS(compact: a3.compact).payload(verifiedWith: VerificationKey(ec("P-256", a3.x, a3.y)))
    #expect(String(decoding: first, as: UTF8.self) == Vectors.RFC7515A2.claims)
    let second = try JWS(compact: a4.compact).payload(verifiedWith: VerificationKey(ec("P-521", a4.x, a4.y)))
    #expect(String(decoding: second, as: UTF8.self) == "Payload")
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

  @Test func sharedSecretOfRFC7515AndRFC7520() throws {
    let a1 = Vectors.RFC7515A1.self
    let key = try ClientSecretKey(bytes: #require(Base64URL.decode(a1.key)))
    let jws = try JWS(compact: a1.compact)
    #expect(try String(decoding: jws.payload(verifiedWith: key), as: UTF8.self) == Vectors.RFC7515A2.claims)
    let end = try #require(a1.compact.lastIndex(of: "."))
    #expect(Base64URL.encode(key.signature(for: Array(a1.compact[..<end].utf8))) == a1.compact[end...].dropFirst())

    let other = try ClientSecretKey(bytes: #require(Base64URL.decode(Vectors.RFC7520.secret)))
    #expect(try JWS(compact: Vectors.RFC7520.hs256).payload(verifiedWith: other).count > 100)
    let error = #expect(throws: JOSEError.self) { try jws.payload(verifiedWith: other) }
    #expect(error?.code == .invalidSignature)
  }

  @Test func oneContentOfRFC7520SignedThreeTimes() throws {
    let vectors = Vectors.RFC7520.self
    let rsa = JWK(keyType: .rsa, parameters: ["n": vectors.modulus, "e": "AQAB"])
    let contents = try [
      JWS(compact: vectors.rs256).payload(verifiedWith: VerificationKey(rsa, for: [.rs256])),
      JWS(compact: vectors.ps384).payload(verifiedWith: VerificationKey(rsa, for: [.ps384])),
      JWS(compact: vectors.es512).payload(verifiedWith: VerificationKey(ec("P-521", vectors.x, vectors.y))),
    ]
    #expect(Set(contents).count == 1)
    #expect(String(decoding: contents[0], as: UTF8.self).hasPrefix("It\u{2019}s a dangerous business, Frodo"))
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

  @Test(
    "RFC 8032 § 7.1",
    arguments: [
      (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60", "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
          + "d25bf5f0595bbe24655141438e7a100b"
      ),
      (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb", "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c"
          + "387b2eaeb4302aeeb00d291612bb0c00"
      ),
      (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7", "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc659"
          + "4a7c15e9716ed28dc027beceea1ec40a"
      ),
      (
        "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd"
          + "454d4423643ce80e2a9ac94fa54ca49f",
        "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e030"
          + "3dca179c138ac17ad9bef1177331a704"
      ),
    ])
  func ed25519OfRFC8032(seed: String, message: String, signature: String) throws {
    let key = try SigningKey(
      pem: pem("PRIVATE KEY", [0x30, 0x2E, 2, 1, 0, 0x30, 5, 6, 3, 0x2B, 0x65, 0x70, 4, 0x22, 4, 0x20] + hex(seed)))
    #expect(try key.signature(for: hex(message)) == hex(signature) || Self.signsWithRandomness)
    #expect(
      try VerificationKey(key.publicJWK).verifies(hex(signature), of: hex(message), by: .edDSA))
  }
}
