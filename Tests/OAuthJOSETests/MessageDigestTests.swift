// SPDX-License-Identifier: Apache-2.0

import OAuthJOSE
import Testing

@Suite struct MessageDigestTests {
  @Test(
    "The short vectors of NIST's SHA-256 validation suite",
    arguments: [
      ([], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ([0xD3], "28969cdfa74a12c82f3bad960b0b000aca2ac329deea5c2328ebc6f2ba9802c1"),
      ([0x11, 0xAF], "5ca7133fa735326081558ac312c620eeca9970d1e70a4b95533d956f072d1f98"),
      (Array("abc".utf8), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ])
  func shortMessages(message: [UInt8], digest: String) {
    let hex = MessageDigest.sha256(message).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    #expect(hex == digest)
  }

  @Test func hashesOfOpenIDConnectCoreAppendixA() {
    // § A.3 and § A.4: at_hash and c_hash beside RS256.
    #expect(
      JWS.Algorithm.rs256.halfDigest(of: "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y") == "77QmUPtjPfzWtF2AnpK9RQ")
    #expect(
      JWS.Algorithm.rs256.halfDigest(of: "Qcb0Orv1zh30vL1MPRsbm-diHiMwcLyZvn1arpZv-Jxf_11jnpEX3Tgfvk")
        == "LDktKdoQak3Pk0cnXxCltA")
  }

  @Test(
    "The hash of a token is half as long as the digest of the algorithm",
    arguments: [("HS256", 16), ("RS256", 16), ("ES256", 16), ("PS384", 24), ("ES512", 32), ("EdDSA", 32)])
  func lengthOfTheHashOfAToken(algorithm: String, length: Int) throws {
    let hash = try #require(JWS.Algorithm(rawValue: algorithm).halfDigest(of: "token"))
    #expect(Base64URL.decode(hash)?.count == length)
    #expect(JWS.Algorithm(rawValue: "none").halfDigest(of: "token") == nil)
  }
}
