// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import OAuthCore
import OAuthFixtures
import OAuthJOSE
import Testing
import Timekeeping
import TokenStore

/// The form of a proof (RFC 9449 § 4.2).
@Suite struct DPoPProofTests {
  /// The key of RFC 8037, appendix A.1.
  private static let record = ProofKey(
    algorithm: "EdDSA",
    privateKey: Secret(
      """
      -----BEGIN PRIVATE KEY-----
      MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g
      -----END PRIVATE KEY-----
      """))

  private static let request = HTTPRequest(
    .get, URL(literal: "https://resource.example.org/protectedresource?filter=a#part"))

  /// The values of RFC 9449 § 7.1 and § 8.1.
  ///
  /// EdDSA signs the same content alike, so that the whole can be compared with what
  /// another implementation (pyca/cryptography) makes of it.
  @Test func proofIsByteForByteThatOfAnotherImplementation() throws {
    let proof = DPoPProof(
      for: Self.request, accessToken: Secret("Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU"),
      nonce: "eyJ7S_zG.eyJH0-Z.HX4w-7v", issuedAt: Timestamp(secondsSince1970: 1_562_262_618),
      identifier: "e1j3V_bKic8-LAEB")
    #expect(proof.accessTokenHash == "fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo")
    let expected = """
      eyJhbGciOiJFZERTQSIsImp3ayI6eyJjcnYiOiJFZDI1NTE5Iiwia3R5IjoiT0tQIiwieCI6IjExcVlBWUt4Q3JmVlNfN1R5V1FIT2c3aGN2UGFwaU1s\
      cndJYWFQY0hVUm8ifSwidHlwIjoiZHBvcCtqd3QifQ.eyJhdGgiOiJmVUh5TzJyMlozRFo1M0VzTnJXQmIweFdYb2FOeTU5SWlLQ0Fxa3NtUUVvIiwia\
      HRtIjoiR0VUIiwiaHR1IjoiaHR0cHM6Ly9yZXNvdXJjZS5leGFtcGxlLm9yZy9wcm90ZWN0ZWRyZXNvdXJjZSIsImlhdCI6MTU2MjI2MjYxOCwianRpI\
      joiZTFqM1ZfYktpYzgtTEFFQiIsIm5vbmNlIjoiZXlKN1NfekcuZXlKSDAtWi5IWDR3LTd2In0.61WbigORhwpRMltQ4qZHa9-LeBnUjDS__wy4LtZ17\
      7HUXbcqzUmX8wRmlDV0aB-sy703SwRXhzusHX-K9aPOBQ
      """
    #expect(try proof.signed(with: DPoPKey(Self.record)) == expected)
  }

  @Test func claimsOfARequestWithoutATokenAreThoseThatAreNeeded() throws {
    let proof = DPoPProof(
      for: HTTPRequest(.post, URL(literal: "https://server.example.com/token")),
      issuedAt: Timestamp(secondsSince1970: 1_562_262_616, nanoseconds: 999_999_999), identifier: "-BwC3ESc6acc2lTc")
    let jws = try JWS(compact: try proof.signed(with: DPoPKey(Self.record)))
    let key = try #require(jws.header.publicKey)
    let payload = try jws.payload(verifiedWith: key, allowing: [.edDSA])
    #expect(
      String(decoding: payload, as: UTF8.self)
        == #"{"htm":"POST","htu":"https://server.example.com/token","iat":1562262616,"jti":"-BwC3ESc6acc2lTc"}"#)
  }

  @Test(arguments: [
    ("https://Server.Example:443/a%2Fb/?q#f", "https://server.example/a%2Fb/"),
    ("https://a.example", "https://a.example/"),
    ("https://a.example?q", "https://a.example/"), ("http://[::1]:8080/x", "http://[::1]:8080/x"),
  ])
  func targetIsTheNormalizedURLWithoutQueryAndFragment(_ url: String, _ target: String) throws {
    let request = HTTPRequest(.get, try #require(URL(string: url)))
    #expect(DPoPProof(for: request, issuedAt: .unixEpoch).target == target)
  }

  @Test func noTwoProofsHaveTheSameIdentifier() {
    let proofs = (0..<100).map { _ in DPoPProof(for: Self.request, issuedAt: .unixEpoch).identifier }
    #expect(Set(proofs).count == 100)
  }

  @Test(arguments: [JWS.Algorithm.es256, .es384, .es512, .edDSA, .ed25519, .ps256, .rs256])
  func keyIsKeptAndSignsAsBefore(_ algorithm: JWS.Algorithm) async throws {
    let key = try await DPoPKey.generate(algorithm)
    let record = try key.record()
    #expect(record.algorithm == algorithm.rawValue)
    let again = try DPoPKey(record)
    #expect(again.thumbprint == key.thumbprint)
    let jws = try JWS(compact: try DPoPProof(for: Self.request, issuedAt: .unixEpoch).signed(with: again))
    #expect(jws.header.algorithm == algorithm)
    #expect(jws.header.publicKey?.thumbprint == key.thumbprint)
    #expect(jws.header.keyID == nil && jws.header.publicKey?.keyID == nil)
  }

  @Test(arguments: [JWS.Algorithm.hs256, JWS.Algorithm(rawValue: "none"), JWS.Algorithm(rawValue: "")])
  func algorithmThatProvesNothingIsRefused(_ algorithm: JWS.Algorithm) async {
    await expectError(.invalidConfiguration) { try await DPoPKey.generate(algorithm) }
  }

  @Test(arguments: [
    ProofKey(algorithm: "EdDSA", privateKey: Secret("-----BEGIN")),
    ProofKey(algorithm: "ES256", privateKey: record.privateKey),
    ProofKey(algorithm: "none", privateKey: record.privateKey),
    ProofKey(algorithm: "HS256", privateKey: record.privateKey), ProofKey(algorithm: "", privateKey: Secret("")),
  ])
  func damagedKeyRequiresASignIn(_ record: ProofKey) async {
    await expectError(.signInRequired) { try DPoPKey(record) }
  }
}
