// SPDX-License-Identifier: Apache-2.0

import Foundation
import OAuthJOSE
import Testing

@Suite struct SigningKeyTests {
  private static let algorithms: [JWS.Algorithm] = [
    .rs256, .rs384, .rs512, .ps256, .ps384, .ps512, .es256, .es384, .es512, .edDSA, .ed25519,
  ]

  /// Two RSA keys for all algorithms, since generating one takes longer than most tests.
  private static let rsaKeys = Task {
    [
      try await SigningKey.generate(.rs256, bits: 2048).revealPEM(),
      try await SigningKey.generate(.rs256, bits: 2048).revealPEM(),
    ]
  }

  private func generate(_ algorithm: JWS.Algorithm, isOther: Bool = false) async throws -> SigningKey {
    do { return try SigningKey.generate(algorithm) } catch {
      return try SigningKey(pem: await Self.rsaKeys.value[isOther ? 1 : 0], algorithm: algorithm)
    }
  }

  @Test("A key signs, is written and read, and its public half alone verifies", arguments: algorithms)
  func everyAlgorithm(_ algorithm: JWS.Algorithm) async throws {
    let key = try await generate(algorithm)
    #expect(key.algorithm == algorithm)
    #expect(key.publicJWK.keyID == key.publicJWK.bare.thumbprint)
    #expect(key.publicJWK.use == "sig" && key.publicJWK.algorithm == algorithm)
    let restored = try SigningKey(pem: key.revealPEM(), algorithm: algorithm)
    #expect(restored.publicJWK == key.publicJWK)
    let text = try JWS.sign(Array("content".utf8), with: restored, keyID: key.publicJWK.keyID)
    let jws = try JWS(compact: text)
    #expect(jws.header.algorithm == algorithm && jws.header.type == "JWT")
    #expect(jws.header.keyID == key.publicJWK.keyID && "\(key)" == "private key for \(algorithm.rawValue)")
    let verifier = try VerificationKey(key.publicJWK)
    #expect(verifier.algorithms == [algorithm])
    #expect(try jws.payload(verifiedWith: verifier) == Array("content".utf8))
    #expect(try jws.payload(verifiedWith: JWKSet([key.publicJWK]), allowing: [algorithm]) == Array("content".utf8))

    let stranger = try await generate(algorithm, isOther: true)
    #expect(code { _ = try jws.payload(verifiedWith: VerificationKey(stranger.publicJWK)) } == .invalidSignature)
    for other in Self.algorithms where other != algorithm {
      #expect(code { _ = try verifier.verifies([], of: [], by: other) } == .algorithmNotAllowed)
      #expect(
        code { _ = try jws.payload(verifiedWith: key.publicJWK, allowing: [other]) } == .algorithmNotAllowed)
    }
  }

  @Test("A key that does not fit the algorithm is refused", arguments: algorithms)
  func algorithmThatDoesNotFit(_ algorithm: JWS.Algorithm) async throws {
    let pem = try await generate(algorithm).revealPEM()
    let families: [Set<JWS.Algorithm>] = [
      [.rs256, .rs384, .rs512, .ps256, .ps384, .ps512], [.es256], [.es384], [.es512], [.edDSA, .ed25519],
    ]
    for other in Self.algorithms + [.hs256, JWS.Algorithm(rawValue: "none")] {
      let fits = families.contains { $0.contains(algorithm) && $0.contains(other) }
      #expect(code { _ = try SigningKey(pem: pem, algorithm: other) } == (fits ? nil : .unsuitableKey))
    }
  }

  @Test func onlyKeysOfKnownAlgorithmsAreGenerated() {
    for name in ["none", "HS256", "RS256", "ES256K", "EdDSA448", ""] {
      let algorithm = JWS.Algorithm(rawValue: name)
      #expect(code { _ = try SigningKey.generate(algorithm) } == .unsupportedAlgorithm)
    }
  }

  @Test(
    "One key in each form that OpenSSL writes",
    arguments: [KeyForms.sec1, KeyForms.sec1WithoutPublicKey, KeyForms.pkcs8, "\u{FEFF}" + KeyForms.pkcs8])
  func ellipticCurveForms(form: String) throws {
    let key = try SigningKey(pem: form)
    #expect(key.algorithm == .es256)
    let expected = try VerificationKey(pem: KeyForms.spki)
    #expect(key.publicJWK.bare == expected.jwk)
    #expect(expected.algorithms == [.es256])
    #expect(try JWS(compact: JWS.sign([1], with: key)).payload(verifiedWith: expected) == [1])
    #expect(try SigningKey(pem: key.revealPEM(), keyID: "mine").publicJWK.keyID == "mine")
    #expect(try key.revealPEM() == KeyForms.pkcs8)
  }

  @Test func ed25519Forms() throws {
    let key = try SigningKey(pem: KeyForms.ed25519)
    #expect(key.algorithm == .edDSA)
    #expect(try VerificationKey(pem: KeyForms.ed25519Public).jwk == key.publicJWK.bare)
    #expect(try key.revealPEM() == KeyForms.ed25519)
  }

  // RFC 8410 § 10.3: version 2, with an attribute and the public key.
  @Test func privateKeyWithAttributesAndPublicKey() throws {
    let text = """
      -----BEGIN PRIVATE KEY-----
      MHICAQEwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
      oB8wHQYKKoZIhvcNAQkJFDEPDA1DdXJkbGUgQ2hhaXJzgSEAGb9ECWmEzf6FQbrB
      Z9w7lshQhqowtrbLDFw4rXAxZuE=
      -----END PRIVATE KEY-----
      """
    let key = try SigningKey(pem: text)
    #expect(
      key.publicJWK.parameters["x"]
        == Base64URL.encode(hex("19bf44096984cdfe8541bac167dc3b96c85086aa30b6b6cb0c5c38ad703166e1")))
    // Another public key, by its last character but one.
    #expect(code { _ = try SigningKey(pem: text.replacing("AxZuE=", with: "AxZuA=")) } == .unsuitableKey)
  }

  /// `JOSEErrorTests` has encrypted keys.
  @Test(
    "A key that cannot be used is refused for what it is",
    arguments: [
      (KeyForms.secp256k1, JOSEError.Code.unsuitableKey), (KeyForms.explicitCurve, .unsuitableKey),
      (KeyForms.spki, .unsuitableKey), (String(KeyForms.pkcs8.dropLast(10)), .malformed),
      (String(repeating: "-", count: 65_537), .malformed), ("", .malformed),
      ("-----BEGIN PRIVATE KEY-----\nAAAA", .malformed),
      ("-----BEGIN PRIVATE KEY-----\n@\n-----END PRIVATE KEY-----", .malformed),
      ("-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----", .unsuitableKey),
      ("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----", .unsuitableKey),
      ("-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----", .unsuitableKey),
      ("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----", .unsuitableKey),
    ])
  func refuses(pem: String, expected: JOSEError.Code) {
    #expect(code { _ = try SigningKey(pem: pem) } == expected)
  }

  @Test("DER that no writer of DER writes is refused")
  func looseDER() throws {
    let scalar = hex("982ba0b8d08e716c8d2af5a464b2dfc101bcb8db185b5872d6011523faa97995")
    let curve: [UInt8] = [6, 8, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 3, 1, 7]
    func sec1(version: [UInt8] = [2, 1, 1], scalar changed: [UInt8]? = nil, after: [UInt8] = []) -> String {
      pem("EC PRIVATE KEY", element(0x30, version + element(4, (changed ?? scalar)) + element(0xA0, curve)) + after)
    }
    #expect(code { _ = try SigningKey(pem: sec1()) } == nil)
    for wrong in [
      sec1(version: [2, 1, 2]), sec1(version: [2, 2, 0, 1]), sec1(version: [2, 0x81, 1, 1]), sec1(after: [0]),
      sec1(scalar: Array(scalar.dropFirst())), sec1(scalar: [0] + scalar),
      // Zero, and the order of the curve: no private keys.
      sec1(scalar: [UInt8](repeating: 0, count: 32)),
      sec1(scalar: hex("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")),
    ] {
      #expect(code { _ = try SigningKey(pem: wrong) } == .unsuitableKey)
    }
    // A length beyond the end: of the sequence, and of the octet string in it.
    let sound = element(0x30, [2, 1, 1] + element(4, scalar) + element(0xA0, curve))
    for index in [1, 6] {
      for length in [sound[index] + 1, 0x7F] {
        var wrong = sound
        wrong[index] = length
        #expect(code { _ = try SigningKey(pem: pem("EC PRIVATE KEY", wrong)) } == .unsuitableKey)
      }
    }
  }

  @Test func halvesThatDoNotBelongTogetherAreRefused() throws {
    let (a3, other) = (Vectors.RFC7515A3.self, try SigningKey.generate(.es256).publicJWK.parameters)
    func jwk(_ x: String?, _ y: String?, _ more: String = "") -> String {
      #"{"kty":"EC","crv":"P-256","x":"\#(x ?? "")","y":"\#(y ?? "")","d":"\#(a3.d)"\#(more)}"#
    }
    #expect(code { _ = try SigningKey(privateJWK: jwk(a3.x, a3.y)) } == nil)
    #expect(code { _ = try SigningKey(privateJWK: jwk(other["x"], other["y"])) } == .unsuitableKey)
    #expect(code { _ = try SigningKey(privateJWK: jwk(a3.y, a3.x)) } == .unsuitableKey)
    #expect(code { _ = try SigningKey(privateJWK: jwk(a3.x, a3.y, #","use":"enc""#)) } == .unsuitableKey)
    #expect(code { _ = try SigningKey(privateJWK: jwk(a3.x, a3.y, #","key_ops":["verify"]"#)) } == .unsuitableKey)
    #expect(code { _ = try SigningKey(privateJWK: jwk(a3.x, a3.y, #","alg":"ES384""#)) } == .unsuitableKey)
    #expect(code { _ = try SigningKey(privateJWK: jwk(a3.x, a3.y, #","d":"AA""#)) } == .malformed)
    #expect(try SigningKey(privateJWK: jwk(a3.x, a3.y, #","alg":"ES256","kid":"k""#)).publicJWK.keyID == "k")
  }

  @Test("No description, dump or error shows a private key", arguments: algorithms)
  func redaction(_ algorithm: JWS.Algorithm) async throws {
    let key = try await generate(algorithm)
    var dumped = ""
    dump(key, to: &dumped)
    let pem = try key.revealPEM().split(separator: "\n")
    for text in ["\(key)", String(reflecting: key), dumped] {
      for line in pem.dropFirst().dropLast() { #expect(!text.contains(line)) }
    }
  }

  // MARK: RSA

  /// `RSAPrivateKey` of RFC 8017 § A.1.2, from the members that RFC 7515 publishes.
  private var pkcs1: [UInt8] { pkcs1() }

  /// - Parameter damaged: The members whose last bit but one is another: `n`, `e` and those of the private half.
  private func pkcs1(version: UInt8 = 0, damaged: Set<Int> = []) -> [UInt8] {
    let vector = Vectors.RFC7515A2.self
    var integers = ([vector.modulus, "AQAB"] + vector.privateMembers).map { Base64URL.decode($0) ?? [] }
    for index in damaged { integers[index][integers[index].count - 1] ^= 2 }
    return element(0x30, [2, 1, version] + integers.flatMap(integer))
  }

  /// `PrivateKeyInfo` of RFC 5208 § 5.
  private var pkcs8: [UInt8] {
    let rsaEncryption: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00]
    return element(0x30, [2, 1, 0] + element(0x30, rsaEncryption) + element(4, pkcs1))
  }

  @Test func signsAsTheExampleOfRFC7515() throws {
    let vector = Vectors.RFC7515A2.self
    for text in [pem("PRIVATE KEY", pkcs8), pem("RSA PRIVATE KEY", pkcs1)] {
      let key = try SigningKey(pem: text)
      let signature = try key.signature(for: Array("\(vector.header).\(vector.payload)".utf8))
      #expect(Base64URL.encode(signature) == vector.signature)
      #expect(key.publicJWK.parameters == vector.key.parameters)
    }
  }

  @Test("Version 1 is that of a key with more primes, and there is no other", arguments: [1, 2, 0x7F] as [UInt8])
  func refusesAKeyOfAnotherVersion(version: UInt8) {
    #expect(code { _ = try SigningKey(pem: pem("RSA PRIVATE KEY", pkcs1(version: version))) } == .unsuitableKey)
  }

  @Test("A key whose signatures do not fit its public half is refused", arguments: [[0], [2, 5], [2, 6], [2, 7]])
  func refusesADamagedKey(damaged: Set<Int>) {
    #expect(code { _ = try SigningKey(pem: pem("RSA PRIVATE KEY", pkcs1(damaged: damaged))) } == .unsuitableKey)
  }

  @Test(arguments: [0, 1024, 2047, 16384, -1])
  func refusesToGenerate(bits: Int) async {
    let error = await #expect(throws: JOSEError.self) { try await SigningKey.generate(.rs256, bits: bits) }
    #expect(error?.code == .unsuitableKey)
  }

  @Test func aCancelledTaskGetsNoKey() async {
    let task = Task {
      // Safe: the task is not used beyond the closure.
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return try await SigningKey.generate(.rs256, bits: 2048)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
