// SPDX-License-Identifier: Apache-2.0

import Foundation
import OAuthJOSE
import TestSupport
import Testing

@Suite struct JOSEErrorTests {
  @Test("Every error states what failed", arguments: messages + keys + privateKeys)
  func statesWhatFailed(_ failure: Failure<JOSEError.Code>) async {
    let error = await #expect(throws: JOSEError.self) { try await failure.body() }
    #expect(error?.code == failure.code)
    #expect(error?.message == failure.message)
    #expect(error?.description == failure.message)
    #expect(error?.localizedDescription == failure.message)
  }

  @Test(
    "A code is described by its name",
    arguments: [
      (JOSEError.Code.malformed, "malformed"), (.algorithmNotAllowed, "algorithmNotAllowed"),
      (.unsupportedAlgorithm, "unsupportedAlgorithm"), (.unsupportedExtension, "unsupportedExtension"),
      (.unsuitableKey, "unsuitableKey"), (.noSuitableKey, "noSuitableKey"), (.tooManyKeys, "tooManyKeys"),
      (.invalidSignature, "invalidSignature"), (.cryptographyFailed, "cryptographyFailed"),
    ])
  func codesHaveNames(_ code: JOSEError.Code, _ name: String) {
    #expect(code.description == name)
  }
}

// MARK: - Signed messages

extension JOSEErrorTests {
  private static let a2 = Vectors.RFC7515A2.self

  private static func jws(_ header: String) throws -> JWS {
    try JWS(compact: "\(Base64URL.encode(Array(header.utf8))).\(a2.payload).\(a2.signature)")
  }

  private static let messages: [Failure<JOSEError.Code>] = [
    Failure("a long JWS", .malformed, "The compact JWS is longer than 256 KiB.") {
      _ = try JWS(compact: "e30.\(String(repeating: "A", count: 262_144)).AA")
    },
    Failure("two parts", .malformed, "The text is not a compact JWS of three Base64URL parts.") {
      _ = try JWS(compact: "e30.e30")
    },
    Failure("a repeated parameter", .malformed, "The header of the JWS names a parameter twice.") {
      _ = try jws(#"{"alg":"RS256","alg":"RS256"}"#)
    },
    Failure("no object", .malformed, "The header of the JWS is not a JSON object with an algorithm.") {
      _ = try jws("[]")
    },
    Failure("no JSON", .malformed, "The header of the JWS is not a JSON object with an algorithm.") {
      _ = try jws("alg")
    },
    Failure("no algorithm", .malformed, "The header of the JWS is not a JSON object with an algorithm.") {
      _ = try jws("{}")
    },
    Failure("a private key", .malformed, "The header of the JWS contains a private key.") {
      _ = try jws(#"{"alg":"RS256","jwk":{"kty":"RSA","d":"AQ"}}"#)
    },
    Failure("an extension", .unsupportedExtension, "The JWS requires an extension that is not supported.") {
      _ = try jws(#"{"alg":"RS256","crit":["b64"]}"#)
    },
    Failure(
      "an algorithm that is not expected", .algorithmNotAllowed,
      "The JWS is signed with an algorithm that is not expected here."
    ) {
      _ = try jws(#"{"alg":"RS256"}"#).payload(verifiedWith: a2.key, allowing: [.ps256])
    },
    Failure(
      "an algorithm of a shared secret", .unsupportedAlgorithm,
      "Signatures of the algorithm that the JWS names cannot be verified with a public key."
    ) {
      _ = try jws(#"{"alg":"HS256"}"#).payload(verifiedWith: a2.key, allowing: [.hs256])
    },
    Failure(
      "another algorithm than HS256", .algorithmNotAllowed,
      "The JWS is signed with an algorithm that is not expected here."
    ) {
      _ = try jws(#"{"alg":"RS256"}"#).payload(
        verifiedWith: ClientSecretKey(bytes: [UInt8](repeating: 7, count: 32)))
    },
    Failure("another content", .invalidSignature, "The signature does not match the content and the key.") {
      _ = try jws(#"{"alg":"RS256","typ":"JWT"}"#).payload(verifiedWith: a2.key, allowing: [.rs256])
    },
    Failure("an empty set", .noSuitableKey, "The key set has no key that fits the header of the JWS.") {
      _ = try jws(#"{"alg":"RS256"}"#).payload(verifiedWith: JWKSet([]), allowing: [.rs256])
    },
    Failure(
      "17 keys", .tooManyKeys,
      "More than 16 keys fit the header of the JWS. Its issuer has to name the key with kid, or publish fewer keys."
    ) {
      let other = JWK(keyType: .rsa, parameters: ["n": String(a2.modulus.reversed()), "e": "AQAB"])
      let keys = JWKSet(Array(repeating: other, count: 17))
      _ = try jws(#"{"alg":"RS256"}"#).payload(verifiedWith: keys, allowing: [.rs256])
    },
    Failure(
      "a short secret", .unsuitableKey,
      "A secret for HS256 must have at least 32 bytes. Use another client authentication."
    ) {
      _ = try ClientSecretKey(bytes: [UInt8](repeating: 7, count: 31))
    },
  ]
}

// MARK: - Public keys

extension JOSEErrorTests {
  private static func ec(_ changes: [String: String], curve: String = "P-256") -> JWK {
    let members = ["crv": curve, "x": Vectors.RFC7515A3.x, "y": Vectors.RFC7515A3.y]
    return JWK(keyType: .ec, parameters: members.merging(changes) { $1 })
  }

  private static func rsa(_ changes: [String: String]) -> JWK {
    JWK(keyType: .rsa, parameters: a2.key.parameters.merging(changes) { $1 })
  }

  private static let notOfFourCharacters = "-----BEGIN PUBLIC KEY-----\nAAA\n-----END PUBLIC KEY-----"

  private static let keys: [Failure<JOSEError.Code>] = [
    Failure("text", .malformed, "The text is not a JSON Web Key, or names a member twice.") {
      _ = try JWK(json: Array("RSA".utf8))
    },
    Failure("an array", .malformed, "The JSON Web Key is not a JSON object.") { _ = try JWK(json: Array("[]".utf8)) },
    Failure("no type", .malformed, "The member kty of the JSON Web Key is missing or of another type.") {
      _ = try JWK(json: Array("{}".utf8))
    },
    Failure("a number", .malformed, "The member kid of the JSON Web Key is missing or of another type.") {
      _ = try JWK(json: Array(#"{"kty":"RSA","kid":7}"#.utf8))
    },
    Failure("text that is no set", .malformed, "The text is not a JSON Web Key set, or names a member twice.") {
      _ = try JWKSet(json: Array("keys".utf8))
    },
    Failure("no keys", .malformed, "The JSON Web Key set has no member keys that is an array.") {
      _ = try JWKSet(json: Array(#"{"keys":{}}"#.utf8))
    },
    Failure("an unknown type", .unsuitableKey, "Signatures cannot be verified with a key of this type.") {
      _ = try VerificationKey(JWK(keyType: JWK.KeyType(rawValue: "LATTICE"), parameters: [:]))
    },
    Failure(
      "a key for encryption", .unsuitableKey,
      "The key is of another type or curve, or for another use or algorithm."
    ) {
      var key = a2.key
      key.use = "enc"
      _ = try VerificationKey(key)
    },
    Failure(
      "another algorithm", .algorithmNotAllowed, "The key does not verify signatures of this algorithm."
    ) {
      _ = try VerificationKey(a2.key, for: [.rs256]).verifies([], of: [], by: .rs384)
    },
    Failure(
      "a short coordinate", .unsuitableKey, "The key has no known curve with coordinates of its length."
    ) {
      _ = try VerificationKey(ec(["x": "AA"]))
    },
    Failure(
      "another short coordinate", .unsuitableKey,
      "The key's point is compressed, or its length does not match the curve."
    ) {
      _ = try VerificationKey(ec(["y": "AA"]))
    },
    Failure("a point off its curve", .unsuitableKey, "The public key could not be read.") {
      _ = try VerificationKey(ec(["y": Vectors.RFC7515A3.x]))
    },
    Failure("no coordinate", .unsuitableKey, "The key is not one of Ed25519 with member x.") {
      _ = try VerificationKey(JWK(keyType: .okp, parameters: ["crv": "Ed25519"]))
    },
    Failure("a point of small order", .unsuitableKey, "The key is not a point of Ed25519 that can verify signatures.") {
      let point = Base64URL.encode([UInt8](repeating: 0, count: 32))
      _ = try VerificationKey(JWK(keyType: .okp, parameters: ["crv": "Ed25519", "x": point]))
    },
    Failure("no exponent", .unsuitableKey, "The key is not an RSA key with members n and e.") {
      _ = try VerificationKey(JWK(keyType: .rsa, parameters: ["n": a2.modulus]))
    },
    Failure("an even exponent", .unsuitableKey, "The RSA key's public exponent is not an odd number of 3 to 2³²−1.") {
      _ = try VerificationKey(rsa(["e": "AQAA"]))
    },
    Failure("a small modulus", .unsuitableKey, "An RSA key must have 2048 to 8192 bits.") {
      _ = try VerificationKey(rsa(["n": "AQ"]))
    },
    Failure("no numbers", .unsuitableKey, "The RSA public key could not be read.") {
      _ = try VerificationKey(pem: pem("RSA PUBLIC KEY", element(0x30, [])))
    },
    Failure("no structure", .unsuitableKey, "The PEM block does not contain a public key.") {
      _ = try VerificationKey(pem: pem("PUBLIC KEY", [5, 0]))
    },
    Failure(
      "another object identifier", .unsuitableKey,
      "The public key is of a type or curve that no supported algorithm uses."
    ) {
      // id-X25519.
      _ = try VerificationKey(
        pem: pem("PUBLIC KEY", element(0x30, element(0x30, [6, 3, 0x2B, 0x65, 0x6E]) + element(3, [0, 1]))))
    },
    Failure("another label", .unsuitableKey, "The PEM text contains no key of the expected kind.") {
      _ = try VerificationKey(pem: pem("CERTIFICATE", [5, 0]))
    },
    Failure("no PEM", .malformed, "The key is not PEM text. Provide the whole block, from BEGIN to END.") {
      _ = try VerificationKey(pem: "RSA")
    },
    Failure("no Base64", .malformed, "The key is not PEM text. Provide the whole block, from BEGIN to END.") {
      _ = try VerificationKey(pem: notOfFourCharacters)
    },
    Failure("a long text", .malformed, "The PEM text is longer than 64 KiB.") {
      _ = try VerificationKey(pem: String(repeating: "-", count: 65_537))
    },
  ]
}

// MARK: - Private keys

extension JOSEErrorTests {
  private static func privateJWK(_ members: String) -> String {
    let a3 = Vectors.RFC7515A3.self
    return #"{"kty":"EC","crv":"P-256","x":"\#(a3.x)","y":"\#(a3.y)",\#(members)}"#
  }

  private static func ed25519(_ key: [UInt8]) -> String {
    pem("PRIVATE KEY", element(0x30, [2, 1, 0] + element(0x30, [6, 3, 0x2B, 0x65, 0x70]) + element(4, key)))
  }

  private static let encrypted = "The PEM block is encrypted. Decrypt the key first."
  private static let anotherHalf = "The public half of the key does not belong to its private half."
  private static let anotherCurve = "The private key is of a type or curve that no supported algorithm uses."

  private static let privateKeys: [Failure<JOSEError.Code>] = [
    Failure(
      "no size", .unsupportedAlgorithm,
      "A key for PS384 needs a size: call generate(.ps384, bits: 2048) with await."
    ) {
      let _: SigningKey = try SigningKey.generate(.ps384)
    },
    Failure(
      "an unknown algorithm", .unsupportedAlgorithm,
      "Keys can be generated for ES256, ES384, ES512, EdDSA, Ed25519, and with a size for RSA."
    ) {
      let _: SigningKey = try SigningKey.generate(.hs256)
    },
    Failure("a size for a curve", .unsupportedAlgorithm, "Only keys for RSA have a number of bits.") {
      _ = try await SigningKey.generate(.es256, bits: 2048)
    },
    Failure("a small size", .unsuitableKey, "An RSA key must have 2048 to 8192 bits.") {
      _ = try await SigningKey.generate(.rs256, bits: 2047)
    },
    Failure("an encrypted key", .unsuitableKey, encrypted) { _ = try SigningKey(pem: KeyForms.encrypted) },
    Failure("an encrypted key of the old form", .unsuitableKey, encrypted) {
      _ = try SigningKey(pem: KeyForms.encryptedOldForm)
    },
    Failure("no structure", .unsuitableKey, "The PEM block does not contain a private key.") {
      _ = try SigningKey(pem: pem("PRIVATE KEY", [5, 0]))
    },
    Failure("an unnamed curve", .unsuitableKey, "The PEM block does not contain a private key.") {
      _ = try SigningKey(pem: KeyForms.explicitCurve)
    },
    Failure("another object identifier", .unsuitableKey, anotherCurve) {
      // id-X25519.
      _ = try SigningKey(
        pem: pem("PRIVATE KEY", element(0x30, [2, 1, 0] + element(0x30, [6, 3, 0x2B, 0x65, 0x6E]) + element(4, []))))
    },
    Failure("an unknown type", .unsuitableKey, anotherCurve) {
      _ = try SigningKey(privateJWK: #"{"kty":"LATTICE"}"#)
    },
    Failure("another use", .unsuitableKey, "The key is for another use or algorithm.") {
      _ = try SigningKey(privateJWK: privateJWK(#""d":"AQ","use":"enc""#))
    },
    Failure("another algorithm", .unsuitableKey, "The key is of another type or curve than the algorithm.") {
      _ = try SigningKey(pem: KeyForms.pkcs8, algorithm: .es384)
    },
    Failure("a short scalar", .unsuitableKey, "The private key's length does not match the curve.") {
      _ = try SigningKey(privateJWK: privateJWK(#""d":"AQ""#))
    },
    Failure("a scalar of zero", .unsuitableKey, "The private key is not valid.") {
      let zero = Base64URL.encode([UInt8](repeating: 0, count: 32))
      _ = try SigningKey(privateJWK: privateJWK(#""d":"\#(zero)""#))
    },
    Failure("another public half", .unsuitableKey, anotherHalf) {
      let other = Base64URL.encode([UInt8](repeating: 1, count: 32))
      _ = try SigningKey(privateJWK: privateJWK(#""d":"\#(other)""#))
    },
    Failure("another public half in SEC 1", .unsuitableKey, anotherHalf) {
      let scalar = hex("982ba0b8d08e716c8d2af5a464b2dfc101bcb8db185b5872d6011523faa97995")
      let point = [4] + (Base64URL.decode(Vectors.RFC7515A3.x) ?? []) + (Base64URL.decode(Vectors.RFC7515A3.y) ?? [])
      let curve: [UInt8] = [6, 8, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 3, 1, 7]
      let key = [2, 1, 1] + element(4, scalar) + element(0xA0, curve) + element(0xA1, element(3, [0] + point))
      _ = try SigningKey(pem: pem("EC PRIVATE KEY", element(0x30, key)))
    },
    Failure("no key of a curve", .unsuitableKey, "The private key of an elliptic curve could not be read.") {
      let identifier = element(
        0x30, [6, 7, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 2, 1, 6, 8, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 3, 1, 7])
      _ = try SigningKey(pem: pem("PRIVATE KEY", element(0x30, [2, 1, 0] + identifier + element(4, [5, 0]))))
    },
    Failure("a short seed", .unsuitableKey, "A private key of Ed25519 has 32 bytes.") {
      _ = try SigningKey(pem: ed25519(element(4, [1])))
    },
    Failure("more than a seed", .unsuitableKey, "The private key of Ed25519 could not be read.") {
      _ = try SigningKey(pem: ed25519(element(4, [UInt8](repeating: 1, count: 32)) + [5, 0]))
    },
    Failure("another public half of Ed25519", .unsuitableKey, anotherHalf) {
      let seed = Base64URL.encode([UInt8](repeating: 1, count: 32))
      _ = try SigningKey(
        privateJWK: #"{"kty":"OKP","crv":"Ed25519","x":"\#(Vectors.RFC8037A.x)","d":"\#(seed)"}"#)
    },
    Failure("no primes", .unsuitableKey, "The RSA key lacks a member of its private half: d, p, q, dp, dq, qi.") {
      _ = try SigningKey(privateJWK: #"{"kty":"RSA","n":"AQ","e":"AQ","d":"AQ"}"#)
    },
    Failure("an empty RSA key", .unsuitableKey, "The RSA private key could not be read.") {
      _ = try SigningKey(pem: pem("RSA PRIVATE KEY", element(0x30, [])))
    },
    Failure(
      "a damaged RSA key", .unsuitableKey,
      "The private key is damaged: its signatures do not match its public half."
    ) {
      let names = ["d", "p", "q", "dp", "dq", "qi"]
      var values = a2.privateMembers
      (values[0], values[3]) = (values[1], values[4])
      let members = zip(names, values).map { #""\#($0)":"\#($1)""# }.joined(separator: ",")
      _ = try SigningKey(privateJWK: #"{"kty":"RSA","n":"\#(a2.modulus)","e":"AQAB",\#(members)}"#)
    },
  ]
}
