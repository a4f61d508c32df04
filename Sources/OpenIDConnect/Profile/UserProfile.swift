// SPDX-License-Identifier: Apache-2.0

import JSONCoding

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Who a user is, as the userinfo endpoint or an ID token tells
/// ([OpenID Connect Core § 5.1](https://openid.net/specs/openid-connect-core-1_0.html#StandardClaims)).
///
/// Everything but ``subject`` may be missing, depending on the scopes that were granted.
public struct UserProfile: Sendable, Hashable, Codable {
  /// The user's identifier at the issuer: stable, unlike the e-mail address.
  public let subject: String
  /// The whole name.
  public let name: String?
  /// The given name.
  public let givenName: String?
  /// The family name.
  public let familyName: String?
  /// The e-mail address.
  public let email: String?
  /// Whether the issuer made sure that the e-mail address is the user's.
  public let emailVerified: Bool?
  /// The URL of a picture.
  public let picture: URL?
  /// The preferred language, as a BCP 47 tag.
  public let locale: String?

  enum CodingKeys: String, CodingKey {
    case subject = "sub"
    case name
    case givenName = "given_name"
    case familyName = "family_name"
    case email
    case emailVerified = "email_verified"
    case picture
    case locale
  }

}

extension UserProfile {
  /// Reads a profile, tolerating members of the wrong type: only `sub` must be right.
  public init(from decoder: any Decoder) throws {
    guard let profile = UserProfile(claims: try JSONValue(from: decoder)) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "It is not an object with a subject."))
    }
    self = profile
  }

  /// Reads the claims of a user; `nil` if they have no subject.
  init?(claims: JSONValue) {
    guard let members = claims.object, let subject = members["sub"]?.string, !subject.isEmpty else { return nil }
    self.init(subject: subject, claims: members)
  }

  /// Reads the claims of a user whose subject is known.
  init(subject: String, claims: [String: JSONValue]) {
    func text(_ key: CodingKeys) -> String? { claims[key.rawValue]?.string }
    self.subject = subject
    name = text(.name)
    givenName = text(.givenName)
    familyName = text(.familyName)
    email = text(.email)
    // Some providers send the boolean as text.
    emailVerified = claims[CodingKeys.emailVerified.rawValue]?.bool ?? text(.emailVerified).map { $0 == "true" }
    picture = text(.picture).flatMap { URL(string: $0) }
    locale = text(.locale)
  }
}
