// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
public import OAuthCore
import OAuthJOSE
import Support

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Who a user is, as the userinfo endpoint tells
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
  /// Whether the issuer made sure that the URL is the user's.
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

  /// Reads a profile, tolerating members of the wrong type: only `sub` must be right.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func text(_ key: CodingKeys) -> String? { try? container.decodeIfPresent(String.self, forKey: key) }
    subject = try container.decode(String.self, forKey: .subject)
    name = text(.name)
    givenName = text(.givenName)
    familyName = text(.familyName)
    email = text(.email)
    // Some providers send the boolean as text.
    emailVerified =
      (try? container.decodeIfPresent(Bool.self, forKey: .emailVerified)) ?? text(.emailVerified).map { $0 == "true" }
    picture = text(.picture).flatMap { URL(string: $0) }
    locale = text(.locale)
  }
}

extension UserProfile {
  /// Reads the profile of the user whose token `transport` adds
  /// ([OpenID Connect Core § 5.3](https://openid.net/specs/openid-connect-core-1_0.html#UserInfo)).
  ///
  /// - Parameters:
  ///   - server: The server, with a userinfo endpoint.
  ///   - transport: A transport that is authorized for that endpoint.
  ///   - subject: The subject of the verified ID token, which the profile's must equal; `nil` if there is none.
  /// - Throws: `OAuthError` with code `unsupported` if there is no such endpoint, `signInRequired`,
  ///   `requestRejected` or `serverUnavailable` by
  ///   its response's status, `invalidResponse` if the response is no profile; any error of the transport.
  public static func read(
    from server: ServerMetadata, transport: some Transport, subject: String? = nil
  ) async throws -> UserProfile {
    guard let endpoint = server.userinfoEndpoint else {
      throw OAuthError(.unsupported, "\(server.name) has no userinfo endpoint.")
    }
    let response = try await transport.send(HTTPRequest(.get, endpoint, fields: ["Accept": "application/json"]))
    if response.status == 401 {
      // The transport has refreshed and retried already.
      throw OAuthError(
        .signInRequired, "The userinfo endpoint of \(server.name) did not accept the access token. Sign in again.")
    }
    guard response.isSuccess else {
      let isPassing = response.isTransientFailure
      throw OAuthError(
        isPassing ? .serverUnavailable : .requestRejected,
        "The userinfo endpoint of \(server.name) responded with status \(response.status)"
          + (isPassing ? ". Try again later." : ": the scope openid may not have been granted."))
    }
    guard let profile = try? JSONDecoder().decode(UserProfile.self, from: Data(response.body)), !profile.subject.isEmpty
    else {
      throw OAuthError(
        .invalidResponse, "The response of the userinfo endpoint of \(server.name) is not a profile with a subject.")
    }
    // § 5.3.2: what another user's profile says must not be used.
    guard subject.map({ ConstantTime.equal($0, profile.subject) }) ?? true else {
      throw OAuthError(.invalidResponse, "The profile is another user's than the one who signed in. Sign in again.")
    }
    return profile
  }
}
