// SPDX-License-Identifier: Apache-2.0

import Foundation
import OAuthJOSE
import Testing

/// The vectors of Project Wycheproof, from the tables beside.
@Suite struct WycheproofTests {
  private struct Vector {
    let id: Int
    /// Whether it is to be accepted; `nil` if an implementation may do either.
    let isValid: Bool?
    let key: String
    let text: Substring
  }

  private func vectors(_ name: String) throws -> [Vector] {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Wycheproof/\(name).txt")
    var key = ""
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
      line in
      let fields = line.split(separator: " ", maxSplits: 3)
      // `=` is the key of the line before.
      if fields[2] != "=" { key = String(fields[2]) }
      let isValid: [Substring: Bool] = ["v": true, "i": false]
      return Vector(id: try #require(Int(fields[0])), isValid: isValid[fields[1]], key: key, text: fields[3])
    }
  }

  private func bytes(_ field: Substring) throws -> [UInt8] { field == "-" ? [] : try #require(Base64URL.decode(field)) }

  @Test(
    "Signatures of bare messages",
    arguments: [
      ("ecdsa_secp256r1_sha256_p1363", "ES256", 173, 89), ("ecdsa_secp384r1_sha384_p1363", "ES384", 193, 87),
      ("ecdsa_secp521r1_sha512_p1363", "ES512", 231, 87), ("ed25519", "EdDSA", 88, 63),
      ("rsa_signature_2048_sha256", "RS256", 9, 249), ("rsa_signature_2048_sha384", "RS384", 7, 250),
      ("rsa_signature_2048_sha512", "RS512", 8, 250), ("rsa_pss_2048_sha256_mgf1_32", "PS256", 63, 45),
      ("rsa_pss_2048_sha384_mgf1_48", "PS384", 95, 46), ("rsa_pss_4096_sha512_mgf1_64", "PS512", 132, 47),
    ])
  func signatures(file: String, algorithm: String, valid: Int, invalid: Int) throws {
    let algorithm = JWS.Algorithm(rawValue: algorithm)
    var (accepted, refused) = (0, 0)
    for vector in try vectors(file) {
      let key = try? VerificationKey(JWK(json: Array(vector.key.utf8)))
      let fields = vector.text.split(separator: " ")
      let (message, signature) = (try bytes(fields[0]), try bytes(fields[1]))
      let isAccepted = try key?.verifies(signature, of: message, by: algorithm) ?? false
      guard let isValid = vector.isValid else { continue }
      #expect(isAccepted == isValid, "vector \(vector.id)")
      if isAccepted { accepted += 1 } else { refused += 1 }
    }
    #expect(accepted == valid && refused == invalid)
  }

  /// The vectors that this module judges differently, with the reason.
  private enum Exception {
    /// The key's own `alg` is another than the signature's, or does not exist.
    case mislabelledKey
    /// A question mark stands in the Base64URL.
    case wrongAlphabet
    /// The text is to have wrong padding, but is the sound message.
    case soundText
    /// A key set holds public keys only, and of HS there is HS256 only.
    case secretInASet
    /// Keys of the generator with the ROCA fault are not recognized.
    case weakPrimes
  }

  private func isAccepted(_ compact: String, by key: String) throws -> Bool {
    struct Secret: Decodable {
      let kty: String
      let alg: String?
      let k: String?
    }
    guard let jws = try? JWS(compact: compact) else { return false }
    let json = Array(key.utf8)
    if key.hasPrefix(#"{"keys""#) {
      return (try? jws.payload(verifiedWith: JWKSet(json: json), allowing: JWS.Algorithm.asymmetric)) != nil
    }
    let secret = try JSONDecoder().decode(Secret.self, from: Data(json))
    if secret.kty == "oct", secret.alg == "HS256", let bytes = secret.k.flatMap({ Base64URL.decode($0) }) {
      return (try? jws.payload(verifiedWith: ClientSecretKey(bytes: bytes))) != nil
    }
    return (try? jws.payload(verifiedWith: VerificationKey(JWK(json: json)))) != nil
  }

  private func run(_ file: String, exceptions: [Int: Exception]) throws -> (accepted: Int, refused: Int) {
    var (accepted, refused) = (0, 0)
    for vector in try vectors(file) {
      let text = try JSONDecoder().decode(String.self, from: Data(vector.text.utf8))
      let isAccepted = try isAccepted(text, by: vector.key)
      #expect(isAccepted == (vector.isValid != (exceptions[vector.id] != nil)), "vector \(vector.id)")
      if isAccepted { accepted += 1 } else { refused += 1 }
    }
    return (accepted, refused)
  }

  @Test func jsonWebSignatures() throws {
    let (accepted, refused) = try run(
      "json_web_signature",
      exceptions: [
        346: .mislabelledKey, 347: .mislabelledKey, 350: .mislabelledKey, 351: .mislabelledKey, 367: .soundText,
        370: .soundText, 372: .wrongAlphabet, 373: .wrongAlphabet,
      ])
    #expect(accepted == 42 && refused == 359)
  }

  @Test func jsonWebKeys() throws {
    let (accepted, refused) = try run(
      "json_web_key",
      exceptions: [2: .secretInASet, 7: .weakPrimes, 13: .secretInASet, 14: .secretInASet, 15: .secretInASet])
    #expect(accepted == 2 && refused == 24)
  }
}
