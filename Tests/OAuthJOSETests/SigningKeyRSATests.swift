// SPDX-License-Identifier: Apache-2.0

import Foundation
import OAuthJOSE
import Testing

@Suite struct SigningKeyRSATests {
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

  @Test func aGeneratedKeySignsWhatItsPublicHalfVerifies() async throws {
    let key = try await SigningKey.generate(.rs256, bits: 2048)
    let published = try JSONDecoder().decode(JWK.self, from: JSONEncoder().encode(key.publicJWK))
    #expect(published.keyID == published.thumbprint)
    let text = try JWS.sign(Array("content".utf8), with: key, keyID: published.keyID)
    let jws = try JWS(compact: text)
    #expect(jws.header.keyID == published.keyID)
    #expect(jws.header.type == "JWT")
    #expect(try jws.payload(verifiedWith: JWKSet([published]), allowing: [.rs256]) == Array("content".utf8))
    #expect("\(key)" == "private key for RS256")
  }

  @Test func signsAsTheExampleOfRFC7515() throws {
    let key = try SigningKey(pem: pem("PRIVATE KEY", pkcs8))
    let vector = Vectors.RFC7515A2.self
    let signature = try key.signature(for: Array("\(vector.header).\(vector.payload)".utf8))
    #expect(Base64URL.encode(signature) == vector.signature)
    #expect(key.publicJWK.parameters == vector.key.parameters)
  }

  @Test func readsTheOlderFormOfPEM() throws {
    let key = try SigningKey(pem: pem("RSA PRIVATE KEY", pkcs1))
    #expect(key.publicJWK.parameters == Vectors.RFC7515A2.key.parameters)
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

  @Test(
    arguments: [
      ("", JOSEError.Code.malformed), ("-----BEGIN PRIVATE KEY-----\nAAAA", .malformed),
      ("-----BEGIN PRIVATE KEY-----\n@\n-----END PRIVATE KEY-----", .malformed),
      ("-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----", .unsuitableKey),
      ("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----", .unsuitableKey),
      ("-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----", .unsuitableKey),
      ("-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----", .unsuitableKey),
      ("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----", .unsuitableKey),
    ])
  func refuses(pem: String, expected: JOSEError.Code) {
    #expect(code { _ = try SigningKey(pem: pem) } == expected)
  }
}
