// SPDX-License-Identifier: Apache-2.0

public import HTTPTransport
public import OAuthCore

/// Presents an access token of Google's, and names the project that the request is counted and billed for
/// ([quota project](https://cloud.google.com/docs/quotas/quota-project)).
public struct GoogleAuthorization: RequestAuthorization {
  private let quotaProjectID: String?

  /// Creates a method.
  ///
  /// - Parameter quotaProjectID: The project; `nil` for the one that the token belongs to.
  public init(quotaProjectID: String?) { self.quotaProjectID = quotaProjectID }

  /// Adds the token to the request, and the project in the field `x-goog-user-project`, unless the request names another.
  public func authorize(_ request: inout HTTPRequest, with token: AccessToken) throws {
    try BearerAuthorization().authorize(&request, with: token)
    if let quotaProjectID, request.fields["x-goog-user-project"] == nil {
      request.fields["x-goog-user-project"] = quotaProjectID
    }
  }
}

extension GoogleCredential {
  /// How the credential's tokens are presented: with its ``quotaProjectID``.
  public var authorization: GoogleAuthorization { GoogleAuthorization(quotaProjectID: quotaProjectID) }
}
