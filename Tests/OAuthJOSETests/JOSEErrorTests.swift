// SPDX-License-Identifier: Apache-2.0

import Foundation
import OAuthJOSE
import TestSupport
import Testing

/// The errors of keys that no other suite causes, and the messages that name a remedy.
@Suite struct JOSEErrorTests {
  @Test("Every error names its cause or remedy", arguments: messages + keys + privateKeys)
  func errorNamesItsRemedy(_ failure: Failure<JOSEError.Code>) async throws {
    let error = try #require(await #expect(throws: JOSEError.self) { try await failure.body() })
    failure.expect(error.code, error.message)
  }

  private static let a2 = Vectors.RFC7515A2.self
  private static let a3 = Vectors.RFC7515A3.self

  private static let messages: [Failure<JOSEError.Code>] = [
    Failure("17 keys", .tooManyKeys, "Its issuer must name the key with kid, or publish fewer keys") {
      let other = JWK(keyType: .rsa, parameters: ["n": String(a2.modulus.reversed()), "e": "AQAB"])
      _ = try JWS(compact: a2.compact).payload(
        verifiedWith: JWKSet(Array(repeating: other, count: 17)), allowing: [.rs256])
    },
    Failure("a short secret", .unsuitableKey, "at least 32 bytes. Use another client authentication") {
      _ = try ClientSecretKey(bytes: [UInt8](repeating: 7, count: 31))
    },
  ]

  // MARK: - Public keys

  private static let keys: [Failure<JOSEError.Code>] = [
    Failure("an array", .malformed, "is not a JSON object") { _ = try JWK(json: Array("[]".utf8)) },
    Failure("text that is no set", .malformed, "is not a JSON Web Key set") {
      _ = try JWKSet(json: Array("keys".utf8))
    },
    Failure("no keys", .malformed, "member keys is missing or not an array") {
      _ = try JWKSet(json: Array(#"{"keys":{}}"#.utf8))
    },
    Failure("an unknown type", .unsuitableKey, "key of this type") {
      _ = try VerificationKey(JWK(keyType: JWK.KeyType(rawValue: "LATTICE"), parameters: [:]))
    },
    Failure("another short coordinate", .unsuitableKey, "its length does not match the curve") {
      _ = try VerificationKey(JWK(keyType: .ec, parameters: ["crv": "P-256", "x": a3.x, "y": "AA"]))
    },
    Failure("no coordinate", .unsuitableKey, "Ed25519 key with a member x") {
      _ = try VerificationKey(JWK(keyType: .okp, parameters: ["crv": "Ed25519"]))
    },
    Failure("no numbers", .unsuitableKey, "could not be read") {
      _ = try VerificationKey(pem: pem("RSA PUBLIC KEY", element(0x30, [])))
    },
    Failure("no structure", .unsuitableKey, "does not contain a public key") {
      _ = try VerificationKey(pem: pem("PUBLIC KEY", [5, 0]))
    },
    Failure("the public key of X25519", .unsuitableKey, "no supported algorithm uses") {
      _ = try VerificationKey(
        pem: pem("PUBLIC KEY", element(0x30, element(0x30, [6, 3, 0x2B, 0x65, 0x6E]) + element(3, [0, 1]))))
    },
    Failure("no PEM", .malformed, "Provide the whole block, from BEGIN to END") { _ = try VerificationKey(pem: "RSA") },
    Failure("no Base64", .malformed, "Provide the whole block, from BEGIN to END") {
      _ = try VerificationKey(pem: "-----BEGIN PUBLIC KEY-----\nAAA\n-----END PUBLIC KEY-----")
    },
  ]

  // MARK: - Private keys

  private static func ed25519(_ key: [UInt8], type: UInt8 = 0x70) -> String {
    pem("PRIVATE KEY", element(0x30, [2, 1, 0] + element(0x30, [6, 3, 0x2B, 0x65, type]) + element(4, key)))
  }

  private static let anotherHalf = "The public half of the key does not match its private half"

  private static let privateKeys: [Failure<JOSEError.Code>] = [
    Failure("no size", .unsupportedAlgorithm, "Call generate(.ps384, bits: 2048) with await") {
      let _: SigningKey = try SigningKey.generate(.ps384)
    },
    Failure("a size for a curve", .unsupportedAlgorithm, "Only RSA keys have a number of bits") {
      _ = try await SigningKey.generate(.es256, bits: 2048)
    },
    Failure("an encrypted key", .unsuitableKey, "Decrypt the key first") {
      _ = try SigningKey(pem: KeyForms.encrypted)
    },
    Failure("an encrypted key of the old form", .unsuitableKey, "Decrypt the key first") {
      _ = try SigningKey(pem: KeyForms.encryptedOldForm)
    },
    Failure("the key of X25519", .unsuitableKey, "no supported algorithm uses") {
      _ = try SigningKey(pem: ed25519([], type: 0x6E))
    },
    Failure("an unknown type", .unsuitableKey, "no supported algorithm uses") {
      _ = try SigningKey(privateJWK: #"{"kty":"LATTICE"}"#)
    },
    Failure("another public half in SEC 1", .unsuitableKey, anotherHalf) {
      let scalar = hex("982ba0b8d08e716c8d2af5a464b2dfc101bcb8db185b5872d6011523faa97995")
      let point = [4] + (Base64URL.decode(a3.x) ?? []) + (Base64URL.decode(a3.y) ?? [])
      let curve: [UInt8] = [6, 8, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 3, 1, 7]
      let key = [2, 1, 1] + element(4, scalar) + element(0xA0, curve) + element(0xA1, element(3, [0] + point))
      _ = try SigningKey(pem: pem("EC PRIVATE KEY", element(0x30, key)))
    },
    Failure("no key of a curve", .unsuitableKey, "could not be read") {
      let identifier = element(
        0x30, [6, 7, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 2, 1, 6, 8, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 3, 1, 7])
      _ = try SigningKey(pem: pem("PRIVATE KEY", element(0x30, [2, 1, 0] + identifier + element(4, [5, 0]))))
    },
    Failure("a short seed", .unsuitableKey, "must have 32 bytes") { _ = try SigningKey(pem: ed25519(element(4, [1]))) },
    Failure("more than a seed", .unsuitableKey, "could not be read") {
      _ = try SigningKey(pem: ed25519(element(4, [UInt8](repeating: 1, count: 32)) + [5, 0]))
    },
    Failure("another public half of Ed25519", .unsuitableKey, anotherHalf) {
      let seed = Base64URL.encode([UInt8](repeating: 1, count: 32))
      _ = try SigningKey(
        privateJWK: #"{"kty":"OKP","crv":"Ed25519","x":"\#(Vectors.RFC8037A.x)","d":"\#(seed)"}"#)
    },
    Failure("an empty RSA key", .unsuitableKey, "could not be read") {
      _ = try SigningKey(pem: pem("RSA PRIVATE KEY", element(0x30, [])))
    },
    Failure("a damaged RSA key", .unsuitableKey, "its signatures do not match its public half") {
      let names = ["d", "p", "q", "dp", "dq", "qi"]
      var values = a2.privateMembers
      (values[0], values[3]) = (values[1], values[4])
      let members = zip(names, values).map { #""\#($0)":"\#($1)""# }.joined(separator: ",")
      _ = try SigningKey(privateJWK: #"{"kty":"RSA","n":"\#(a2.modulus)","e":"AQAB",\#(members)}"#)
    },
  ]
}
