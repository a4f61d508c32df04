// SPDX-License-Identifier: Apache-2.0

import Foundation
import OAuthJOSE

/// Tests any bytes as a message, as JSON keys, as PEM text, and as DER inside PEM.
///
/// Accepted input has one encoding and survives writing and parsing. A parsed key verifies no invalid signature.
func fuzz(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  if let decoded = Base64URL.decode(text) { precondition(Base64URL.encode(decoded) == text) }
  let keys = (try? JWKSet(json: bytes)) ?? JWKSet([])
  for key in keys.keys + [try? JWK(json: bytes)].compactMap(\.self) {
    if let written = try? JSONEncoder().encode(key) { precondition((try? JWK(json: Array(written))) == key) }
    if let key = try? VerificationKey(key) {
      precondition(!key.algorithms.isEmpty)
      for algorithm in key.algorithms { precondition((try? key.verifies(bytes, of: [], by: algorithm)) == false) }
    }
  }
  if let jws = try? JWS(compact: text) {
    precondition((try? jws.payload(verifiedWith: strangers, allowing: JWS.Algorithm.asymmetric)) == nil)
  }
  read(text)
  for label in ["PRIVATE KEY", "EC PRIVATE KEY", "RSA PRIVATE KEY", "PUBLIC KEY", "RSA PUBLIC KEY"] {
    read("-----BEGIN \(label)-----\n\(Data(bytes).base64EncodedString())\n-----END \(label)-----\n")
  }
}

private let strangers = JWKSet(
  [.es256, .es384, .es512, .edDSA].compactMap { try? SigningKey.generate($0).publicJWK.bare })

private func read(_ pem: String) {
  if let key = try? SigningKey(pem: pem) {
    precondition((try? SigningKey(pem: key.revealPEM(), algorithm: key.algorithm).publicJWK) == key.publicJWK)
  }
  if let key = try? VerificationKey(pem: pem) {
    precondition((try? VerificationKey(key.jwk))?.algorithms == key.algorithms)
  }
}
