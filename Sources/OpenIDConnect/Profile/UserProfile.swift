// SPDX-License-Identifier: Apache-2.0

import JSONCoding
public import PlatformFoundation

/// A user's profile, from the userinfo endpoint or an ID token
/// ([OpenID Connect Core § 5.1](https://openid.net/specs/openid-connect-core-1_0.html#StandardClaims)).
///
/// All properties except ``subject`` are optional and depend on the granted scopes.
public struct UserProfile: Sendable, Hashable, Codable {
  /// The user's identifier at the issuer, which is stable, unlike the e-mail address.
  public let subject: String
  /// The full name.
  public let name: String?
  /// The given name.
  public let givenName: String?
  /// The family name.
  public let familyName: String?
  /// The e-mail address.
  public let email: String?
  /// Whether the issuer has verified that the e-mail address belongs to the user.
  public let isEmailVerified: Bool?
  /// The URL of the user's picture.
  public let picture: URL?
  /// The preferred language, as a BCP 47 tag.
  public let locale: String?

  enum CodingKeys: String, CodingKey {
    case subject = "sub"
    case name
    case givenName = "given_name"
    case familyName = "family_name"
    case email
    case isEmailVerified = "email_verified"
    case picture
    case locale
  }

}

extension UserProfile {
  /// Decodes a profile.
  ///
  /// Only `sub` is required. Other malformed or empty members are ignored.
  public init(from decoder: any Decoder) throws {
    guard let profile = UserProfile(claims: try JSONValue(from: decoder)) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "The profile is not an object with a subject."))
    }
    self = profile
  }

  /// Creates a profile from claims, or returns `nil` if they have no subject.
  init?(claims: JSONValue) {
    guard let members = claims.object, let subject = claims.withoutAbsentMembers["sub"]?.string else { return nil }
    self.init(subject: subject, claims: members)
  }

  /// Creates a profile from claims whose subject is known.
  init(subject: String, claims: [String: JSONValue]) {
    let claims = JSONValue.object(claims).withoutAbsentMembers
    func text(_ key: CodingKeys) -> String? { claims[key.rawValue]?.string }
    self.subject = subject
    name = text(.name)
    givenName = text(.givenName)
    familyName = text(.familyName)
    email = text(.email)
    // Some providers send the Boolean as a string.
    isEmailVerified = claims[CodingKeys.isEmailVerified.rawValue]?.bool ?? text(.isEmailVerified).map { $0 == "true" }
    picture = text(.picture).flatMap { URL(string: $0) }
    locale = text(.locale)
  }
}
