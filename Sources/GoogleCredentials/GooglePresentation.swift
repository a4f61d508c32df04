// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
import JSONCoding
public import OAuthCore
import OAuthJOSE
import Timekeeping
import TokenStore

/// A presentation of Google's access tokens, which names the project charged for the request
/// ([quota project](https://cloud.google.com/docs/quotas/quota-project)).
public struct GooglePresentation: TokenPresentation {
  private let quotaProjectID: String?

  /// Creates a presentation.
  ///
  /// - Parameter quotaProjectID: The project, or `nil` for the token's project.
  public init(quotaProjectID: String?) { self.quotaProjectID = quotaProjectID }

  /// Adds the token to the request, and sets the field `x-goog-user-project` to the project if the request lacks this
  /// field.
  public func authorize(_ request: inout HTTPRequest, with token: AccessToken) throws {
    try BearerPresentation().authorize(&request, with: token)
    if let quotaProjectID, request.fields["x-goog-user-project"] == nil {
      request.fields["x-goog-user-project"] = quotaProjectID
    }
  }
}

extension GoogleCredential {
  /// The presentation of the credential's tokens, with its ``quotaProjectID``.
  public var presentation: any TokenPresentation { GooglePresentation(quotaProjectID: quotaProjectID) }
}

extension AccessToken {
  /// Returns the token with the requested scopes, if the response named none.
  func granting(_ scopes: [Scope]) -> AccessToken {
    AccessToken(
      value, type: type, scopes: self.scopes.isEmpty ? scopes : self.scopes, expiresAt: expiresAt, issuedAt: issuedAt,
      serverClockOffset: serverClockOffset)
  }

  /// Returns an ID token, which is presented like an access token.
  ///
  /// This method reads only the audience and the expiry. The receiving service verifies its signature.
  ///
  /// - Parameters:
  ///   - text: The token.
  ///   - audience: The service the token was requested for. A token for another service is rejected.
  /// - Throws: ``GoogleCredentialError`` with code ``GoogleCredentialError/Code/invalidResponse``.
  static func idToken(_ text: String, for audience: String) throws -> AccessToken {
    let parts = text.split(ascii: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let payload = Base64URL.decode(parts[1]), let claims = try? JSONValue(json: payload),
      let expiry = claims["exp"]?.number?.integer
    else {
      throw GoogleCredentialError(.invalidResponse, "Google's ID token is not a JSON Web Token with an expiry.")
    }
    guard let recipients = claims["aud"], (recipients.strings ?? [recipients.string].compactMap(\.self)) == [audience]
    else {
      throw GoogleCredentialError(
        .invalidResponse, "Google's ID token is not for the requested service \(audience.printable).")
    }
    let instant = { (seconds: Int) in Timestamp(secondsSince1970: Int64(seconds)) }
    return AccessToken(
      Secret(text), expiresAt: instant(expiry), issuedAt: claims["iat"]?.number?.integer.map(instant))
  }
}
