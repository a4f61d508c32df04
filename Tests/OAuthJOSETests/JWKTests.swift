// SPDX-License-Identifier: Apache-2.0

import Foundation
import OAuthJOSE
import Testing

@Suite struct JWKTests {
  @Test func thumbprintOfRFC7638() throws {
    let key = try JSONDecoder().decode(JWK.self, from: Data(Vectors.RFC7638.key.utf8))
    #expect(key.thumbprint == Vectors.RFC7638.thumbprint)
    #expect(key.keyID == "2011-04-29")
    #expect(key.algorithm == .rs256)
  }

  @Test(
    "A member that would have to be escaped has no thumbprint",
    arguments: ["a\"b", "a\\b", "é", "a b", "\u{7F}", "\u{1F}"])
  func noThumbprint(value: String) {
    #expect(JWK(keyType: .rsa, parameters: ["n": "!~", "e": "AQAB"]).thumbprint != nil)
    #expect(JWK(keyType: .rsa, parameters: ["n": value, "e": "AQAB"]).thumbprint == nil)
  }

  @Test(
    "Every private member of RFC 7518 § 6 and of its registry is dropped, decoded or given",
    arguments: ["d", "p", "q", "dp", "dq", "qi", "oth", "k", "priv"])
  func secretMemberIsDropped(name: String) throws {
    let json = #"{"kty":"oct","\#(name)":"c2VjcmV0","alg":"HS256","x5c":["a"],"x5t":"t"}"#
    let key = try JSONDecoder().decode(JWK.self, from: Data(json.utf8))
    #expect(key.parameters == ["x5t": "t"])
    #expect(JWK(keyType: .rsa, parameters: [name: "c2VjcmV0"]).parameters.isEmpty)
    #expect(!String(decoding: try JSONEncoder().encode(key), as: UTF8.self).contains("c2VjcmV0"))
  }

  @Test func aSetLeavesOutWhatItCannotUnderstand() throws {
    let json = #"""
      {"keys": [{"kty": "RSA", "kid": "a", "n": "AQ", "e": "AQAB"}, {"kty": "LATTICE", "kid": "b", "size": 4}, {"kid": "c"},
       17, {"kty": "EC", "kid": "d", "crv": "P-256"}], "more": true}
      """#
    let set = try JSONDecoder().decode(JWKSet.self, from: Data(json.utf8))
    #expect(set.keys.map(\.keyID) == ["a", "b", "d"])
  }

  /// Servers publish keys in standard Base64, with padding, with `null` and with a byte order mark.
  @Test func aPublishedKeyIsReadInEveryForm() throws {
    let key = try JWK(json: Array(Vectors.RFC7638.key.utf8))
    let (n, e) = (try #require(key.parameters["n"]), try #require(key.parameters["e"]))
    let standard = n.replacing("-", with: "+").replacing("_", with: "/")
    #expect(standard != n)
    for modulus in [n + "==", standard, standard + "=="] {
      let none = #""kid":null,"alg":null,"use":null,"key_ops":null"#
      let json = #"{"keys":[{"kty":"RSA","n":"\#(modulus)","e":"\#(e)",\#(none)}]}"#
      for set in [
        try JWKSet(json: Array("\u{FEFF}\(json)".utf8)), try JSONDecoder().decode(JWKSet.self, from: Data(json.utf8)),
      ] {
        let read = try #require(set.keys.first)
        #expect(read.parameters == ["n": n, "e": e] && read.thumbprint == Vectors.RFC7638.thumbprint)
        #expect(try VerificationKey(read).algorithms.contains(.rs256))
      }
    }
    #expect(try JWKSet(json: Array(#"{"keys":null}"#.utf8)).keys.isEmpty)
  }
}
