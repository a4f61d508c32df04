// SPDX-License-Identifier: Apache-2.0

/// An error response of RFC 6749 § 4.1.2.1 or § 5.2.
struct OAuthFault: Error {
  let error: String
  let description: String
  var status: Int { error == "invalid_client" ? 401 : (error == "server_error" ? 500 : 400) }

  static func invalidRequest(_ description: String) -> OAuthFault { .init("invalid_request", description) }
  static func invalidClient(_ description: String) -> OAuthFault { .init("invalid_client", description) }
  static func invalidGrant(_ description: String) -> OAuthFault { .init("invalid_grant", description) }
  static func invalidScope(_ description: String) -> OAuthFault { .init("invalid_scope", description) }

  init(_ error: String, _ description: String) {
    self.error = error
    self.description = description
  }
}
