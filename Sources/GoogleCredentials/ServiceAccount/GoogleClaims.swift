// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import OAuthJOSE
import Timekeeping

/// The claims of a JWT with a lifetime of one hour, Google's maximum.
struct GoogleClaims {
  /// The audience of every assertion.
  static let tokenAudience = "https://oauth2.googleapis.com/token"

  let issuedAt: Timestamp
  let expiresAt: Timestamp
  private var members: [String: JSONValue]

  init(issuer: String, at time: Timestamp) {
    issuedAt = Timestamp(secondsSince1970: time.secondsSince1970)
    expiresAt = issuedAt + .seconds(3600)
    members = [
      "iss": .string(issuer), "iat": .number(JSONNumber(issuedAt.secondsSince1970)),
      "exp": .number(JSONNumber(expiresAt.secondsSince1970)),
    ]
  }

  /// The value of another claim, or `nil` for none.
  subscript(name: String) -> String? {
    get { members[name]?.string }
    set { members[name] = newValue.map { .string($0) } }
  }

  /// The claims as JSON text.
  var json: [UInt8] { JSONValue.object(members).json() }

  func signed(by key: ServiceAccountKey) throws -> String {
    do throws(JOSEError) {
      return try JWS.sign(json, with: key.key, keyID: key.keyID)
    } catch {
      throw GoogleCredentialError(.malformed, "The key of \(key.email.printable) cannot sign: \(error.message)")
    }
  }
}
