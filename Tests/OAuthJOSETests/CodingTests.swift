// SPDX-License-Identifier: Apache-2.0

import Foundation
import OAuthJOSE
import Testing

/// The JSON of keys and headers, member by member.
@Suite struct CodingTests {
  private func text(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  @Test(
    arguments: [
      #"{"alg":"ES256","crv":"P-256","key_ops":["verify"],"kid":"k","kty":"EC","use":"sig","x":"AQ","y":"Ag"}"#,
      #"{"kty":"OKP"}"#,
    ])
  func keyIsWrittenAsItWasRead(_ json: String) throws {
    let key = try JWK(json: Array(json.utf8))
    #expect(try text(key) == json)
    #expect(try JSONDecoder().decode(JWK.self, from: Data(json.utf8)) == key)
    let set = #"{"keys":[\#(json)]}"#
    #expect(try text(JWKSet(json: Array(set.utf8))) == set)
  }

  @Test func membersOfAKeyHaveTheirNames() throws {
    let json =
      #"{"alg":"ES256","crv":"P-256","key_ops":["verify"],"kid":"k","kty":"EC","use":"sig","x":"AQ","x5c":["c"]}"#
    let key = try JWK(json: Array(json.utf8))
    #expect(key.keyType == .ec && key.keyID == "k" && key.use == "sig" && key.operations == ["verify"])
    #expect(key.algorithm == .es256 && key.parameters == ["crv": "P-256", "x": "AQ"])
    #expect(key.bare == JWK(keyType: .ec, parameters: ["crv": "P-256", "x": "AQ"]))
  }

  @Test(
    arguments: [
      #"{"alg":"ES256","jwk":{"crv":"P-256","kty":"EC"},"kid":"k","typ":"JWT"}"#, #"{"alg":"RS256"}"#,
    ])
  func headerIsWrittenAsItWasRead(_ json: String) throws {
    let header = try JSONDecoder().decode(JWS.Header.self, from: Data(json.utf8))
    #expect(try text(header) == json)
    #expect(try JWS(compact: "\(Base64URL.encode(Array(json.utf8))).AQ.AQ").header == header)
  }

  @Test(
    "Each member of a key that is of another type",
    arguments: [
      (#""kty":1"#, "kty"), (#""kid":1"#, "kid"), (#""use":1"#, "use"), (#""key_ops":"verify""#, "key_ops"),
      (#""alg":1"#, "alg"),
    ])
  func memberOfAnotherTypeIsNamed(_ member: String, _ name: String) {
    let json = name == "kty" ? "{\(member)}" : #"{"kty":"EC",\#(member)}"#
    let error = #expect(throws: JOSEError.self) { try JWK(json: Array(json.utf8)) }
    #expect(error?.code == .malformed && error?.message.contains("member \(name) of") == true)
  }

  @Test func signedMessageHasTheHeaderThatWasAskedFor() throws {
    let key = try SigningKey(pem: KeyForms.pkcs8)
    func header(_ text: String) throws -> String {
      String(decoding: try #require(text.split(separator: ".").first.flatMap { Base64URL.decode($0) }), as: UTF8.self)
    }
    #expect(try header(JWS.sign([1], with: key)) == #"{"alg":"ES256","typ":"JWT"}"#)
    #expect(try header(JWS.sign([1], with: key, keyID: "k", type: nil)) == #"{"alg":"ES256","kid":"k"}"#)
    let members = key.publicJWK.parameters
    #expect(
      try header(JWS.sign([1], with: key, type: "dpop+jwt", publicKey: key.publicJWK))
        == #"{"alg":"ES256","jwk":{"crv":"P-256","kty":"EC","x":"\#(members["x"] ?? "")","y":"\#(members["y"] ?? "")"},"typ":"dpop+jwt"}"#
    )
  }

  // MARK: Limits

  private static func padded(_ json: String, to length: Int) -> [UInt8] {
    Array(json.utf8) + [UInt8](repeating: 0x20, count: length - json.utf8.count)
  }

  private static let readers: [(limit: Int, read: @Sendable (Int) throws -> Void)] = [
    (
      262_144,
      { length in
        // Each part has a length that Base64URL has.
        let (start, end) = ("\(Vectors.RFC7515A2.header).", length.isMultiple(of: 4) ? ".AA" : ".AAA")
        _ = try JWS(compact: start + String(repeating: "A", count: length - start.utf8.count - end.utf8.count) + end)
      }
    ),
    (
      65_536,
      { _ = try VerificationKey(pem: KeyForms.spki + String(repeating: "\n", count: $0 - KeyForms.spki.utf8.count)) }
    ),
    (65_536, { _ = try JWK(json: padded(#"{"kty":"EC"}"#, to: $0)) }),
    (1_048_576, { _ = try JWKSet(json: padded(#"{"keys":[]}"#, to: $0)) }),
  ]

  @Test(arguments: readers.indices) func textIsReadUpToItsLimit(_ index: Int) {
    let (limit, read) = Self.readers[index]
    #expect(code { try read(limit) } == nil)
    #expect(code { try read(limit + 1) } != nil)
  }
}
