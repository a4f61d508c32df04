// SPDX-License-Identifier: Apache-2.0

import OAuthJOSE
import Testing

@Suite struct VerificationKeyTests {
  private let rsa: Set<JWS.Algorithm> = [.rs256, .rs384, .rs512, .ps256, .ps384, .ps512]

  @Test func theKeyTellsTheAlgorithms() throws {
    #expect(try VerificationKey(Vectors.RFC7515A2.key).algorithms == rsa)
    #expect(try VerificationKey(Vectors.RFC7515A2.key, for: [.ps256, .es256]).algorithms == [.ps256])
    #expect(code { _ = try VerificationKey(Vectors.RFC7515A2.key, for: [.es256, .hs256]) } == .unsuitableKey)
    var key = Vectors.RFC7515A2.key
    key.algorithm = .ps384
    #expect(try VerificationKey(key).algorithms == [.ps384])
    key.algorithm = .es256
    #expect(code { _ = try VerificationKey(key) } == .unsuitableKey)
    #expect(JWS.Algorithm.asymmetric == rsa.union([.es256, .es384, .es512, .edDSA, .ed25519]))
  }

  @Test("`none` and HS256 are refused by every public key, whatever the caller allows")
  func neverWithAPublicKey() throws {
    let key = try VerificationKey(
      Vectors.RFC7515A2.key, for: JWS.Algorithm.asymmetric.union([.hs256, JWS.Algorithm(rawValue: "none")]))
    let modulus = try #require(Base64URL.decode(Vectors.RFC7515A2.modulus))
    let text = pem("PUBLIC KEY", [])
    for secret in try [
      ClientSecretKey(bytes: modulus), ClientSecretKey(bytes: Array(text.utf8)),
      ClientSecretKey(Vectors.RFC7515A2.modulus),
    ] {
      let jws = try JWS(compact: JWS.sign([1], with: secret))
      #expect(try jws.payload(verifiedWith: secret) == [1])
      #expect(code { _ = try jws.payload(verifiedWith: key) } == .algorithmNotAllowed)
      #expect(
        code { _ = try jws.payload(verifiedWith: Vectors.RFC7515A2.key, allowing: [.hs256]) } == .unsupportedAlgorithm)
    }
    for name in ["none", "None", "NONE", "nonE", ""] {
      let header = Base64URL.encode(Array(#"{"alg":"\#(name)"}"#.utf8))
      #expect(code { _ = try JWS(compact: "\(header).AQ.").payload(verifiedWith: key) } == .algorithmNotAllowed)
    }
  }

  @Test func aSecretVerifiesNoPublicKeysSignature() throws {
    let secret = try ClientSecretKey(bytes: [UInt8](repeating: 7, count: 32))
    #expect(
      code { _ = try JWS(compact: Vectors.RFC7515A2.compact).payload(verifiedWith: secret) } == .algorithmNotAllowed)
    #expect(code { _ = try ClientSecretKey(String(repeating: "x", count: 31)) } == .unsuitableKey)
    var dumped = ""
    dump(secret, to: &dumped)
    for text in ["\(secret)", String(reflecting: secret), dumped] { #expect(!text.contains("7")) }
  }

  @Test(
    "A point that is compressed, off its curve, of another length or curve is refused",
    arguments: [
      ("P-256", 0, 0, 0), ("P-256", 1, 0, 0), ("P-256", 0, 1, 0), ("P-256", 0, 0, 1), ("P-384", 0, 0, 0),
      ("secp256k1", 0, 0, 0), ("p-256", 0, 0, 0), ("", 0, 0, 0),
    ])
  func pointOfACurve(curve: String, flip: Int, drop: Int, pad: Int) throws {
    var x = try #require(Base64URL.decode(Vectors.RFC7515A3.x))
    x[31] ^= UInt8(flip)
    x = [UInt8](repeating: 0, count: pad) + x.dropFirst(drop)
    let key = JWK(keyType: .ec, parameters: ["crv": curve, "x": Base64URL.encode(x), "y": Vectors.RFC7515A3.y])
    let isSound = curve == "P-256" && flip + drop + pad == 0
    #expect(code { _ = try VerificationKey(key) } == (isSound ? nil : .unsuitableKey))
  }

  @Test func coordinatesThatAreOnlyTogetherOfTheRightLengthAreRefused() throws {
    let a3 = Vectors.RFC7515A3.self
    let point = try #require(Base64URL.decode(a3.x)) + #require(Base64URL.decode(a3.y))
    for length in [0, 1, 31, 32, 33, 63, 64] {
      let (x, y) = (Base64URL.encode(Array(point[..<length])), Base64URL.encode(Array(point[length...])))
      let key = JWK(keyType: .ec, parameters: ["crv": "P-256", "x": x, "y": y])
      #expect(code { _ = try VerificationKey(key) } == (length == 32 ? nil : .unsuitableKey))
    }
  }

  @Test func pointAtInfinityAndCompressedPointsAreRefused() throws {
    let ecP256: [UInt8] = [
      0x30, 0x13, 6, 7, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 2, 1, 6, 8, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 3, 1, 7,
    ]
    let x = try #require(Base64URL.decode(Vectors.RFC7515A3.x))
    let both = try x + #require(Base64URL.decode(Vectors.RFC7515A3.y))
    // 6 and 7 begin the hybrid form, which RFC 5480 § 2.2 rules out.
    for point in [
      [0], [2] + x, [3] + x, [4] + x, [6] + both, [7] + both, [UInt8](repeating: 0, count: 65),
    ] as [[UInt8]] {
      let text = pem("PUBLIC KEY", element(0x30, ecP256 + element(3, [0] + point)))
      #expect(code { _ = try VerificationKey(pem: text) } == .unsuitableKey)
    }
  }

  @Test(
    "Points of Ed25519 with which signatures can be made without a private key, and coordinates that are not reduced",
    arguments: [
      "0000000000000000000000000000000000000000000000000000000000000000",
      "0000000000000000000000000000000000000000000000000000000000000080",
      "0100000000000000000000000000000000000000000000000000000000000000",
      "0100000000000000000000000000000000000000000000000000000000000080",
      "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
      "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
      "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
      "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
      "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
      "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
      "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
      "00", "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f7075100ff",
    ])
  func unfitPointOfEd25519(x: String) {
    let key = JWK(keyType: .okp, parameters: ["crv": "Ed25519", "x": Base64URL.encode(hex(x))])
    #expect(code { _ = try VerificationKey(key) } == .unsuitableKey)
  }

  @Test(
    "A coordinate is reduced if any of its bytes is below those of 2²⁵⁵−19",
    arguments: [
      "f00300000000000000000000000000000000000000000000000000000000007f",
      "efffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7e",
      "eaffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
      "edfeffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ])
  func reducedPointOfEd25519(x: String) {
    let key = JWK(keyType: .okp, parameters: ["crv": "Ed25519", "x": Base64URL.encode(hex(x))])
    #expect(code { _ = try VerificationKey(key) } == nil)
  }

  @Test("Keys for other purposes are not for signatures", arguments: ["X25519", "Ed448", "X448", "ed25519"])
  func otherCurvesOfOKP(curve: String) throws {
    let key = JWK(keyType: .okp, parameters: ["crv": curve, "x": Vectors.RFC8037A.x])
    #expect(code { _ = try VerificationKey(key) } == .unsuitableKey)
    // Nor are they tried where the header names no key.
    let header = try JWS(compact: Vectors.RFC8037A.compact).header
    let fitting = JWK(keyType: .okp, parameters: ["crv": "Ed25519", "x": Vectors.RFC8037A.x])
    #expect(JWKSet([key, fitting]).candidates(for: header) == [fitting])
  }

  @Test func rsaPublicKeysAreReadFromBothForms() throws {
    let modulus = try #require(Base64URL.decode(Vectors.RFC7515A2.modulus))
    let pkcs1 = element(0x30, integer(modulus) + integer([1, 0, 1]))
    let identifier: [UInt8] = [0x30, 13, 6, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 1, 5, 0]
    for text in [pem("RSA PUBLIC KEY", pkcs1), pem("PUBLIC KEY", element(0x30, identifier + element(3, [0] + pkcs1)))] {
      let key = try VerificationKey(pem: "Some words.\n" + text, for: [.rs256])
      #expect(key.jwk == Vectors.RFC7515A2.key)
      #expect(try !JWS(compact: Vectors.RFC7515A2.compact).payload(verifiedWith: key).isEmpty)
    }
    for wrong in [
      pem("PUBLIC KEY", element(0x30, identifier + element(3, [1] + pkcs1))),
      pem("PUBLIC KEY", element(0x30, identifier + element(3, [0] + pkcs1) + [5, 0])),
      pem("RSA PUBLIC KEY", element(0x30, element(2, modulus) + integer([1, 0, 1]))),
      pem("RSA PUBLIC KEY", element(0x30, integer([0, 0] + modulus) + integer([1, 0, 1]))), pem("CERTIFICATE", pkcs1),
    ] {
      #expect(code { _ = try VerificationKey(pem: wrong) } == .unsuitableKey)
    }
  }

  @Test("Names that stand twice at any depth are refused") func ambiguousText() {
    #expect(code { _ = try JWK(json: Array(#"{"kty":"RSA","n":"AQ","e":"AQAB","n":"Ag"}"#.utf8)) } == .malformed)
    #expect(code { _ = try JWKSet(json: Array(#"{"keys":[{"kty":"RSA","n":"AQ","e":"AQAB"}]}"#.utf8)) } == nil)
    #expect(code { _ = try JWKSet(json: Array(#"{"keys":[{"kty":"RSA","kty":"EC"}]}"#.utf8)) } == .malformed)
    #expect(code { _ = try JWKSet(json: Array(#"{"keys":[],"keys":[]}"#.utf8)) } == .malformed)
    let header = Base64URL.encode(Array(#"{"alg":"ES256","x":{"a":1,"a":2}}"#.utf8))
    #expect(code { _ = try JWS(compact: "\(header).AQ.AQ") } == .malformed)
  }
}
