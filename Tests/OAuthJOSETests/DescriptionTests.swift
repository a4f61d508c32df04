// SPDX-License-Identifier: Apache-2.0

import OAuthJOSE
import Testing

/// The exact content of descriptions and dumps.
@Suite struct DescriptionTests {
  private func children(_ value: Any) -> [String] {
    Mirror(reflecting: value).children.map { "\($0.label ?? "")=\(type(of: $0.value))" }
  }

  @Test func messageSaysItsAlgorithmAndHeader() throws {
    let jws = try JWS(compact: Vectors.RFC7515A2.compact)
    #expect("\(jws)" == "JWS signed with RS256")
    #expect(String(reflecting: jws) == "JWS signed with RS256")
    #expect(children(jws) == ["header=Header"])
  }

  @Test func privateKeySaysItsAlgorithmAndPublicHalf() throws {
    let key = try SigningKey(pem: KeyForms.pkcs8)
    #expect("\(key)" == "private key for ES256")
    #expect(String(reflecting: key) == "private key for ES256")
    #expect(children(key) == ["publicJWK=JWK"])
  }

  @Test func sharedSecretSaysNothing() throws {
    let secret = try ClientSecretKey(bytes: [UInt8](repeating: 7, count: 32))
    #expect("\(secret)" == "client secret for HS256")
    #expect(String(reflecting: secret) == "client secret for HS256")
    #expect(children(secret).isEmpty)
    #expect(secret.algorithm == .hs256)
  }
}
