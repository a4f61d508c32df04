// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import OAuthScope

extension OAuthClient {
  /// Requests an access token by a grant without a user.
  ///
  /// - Parameters:
  ///   - grant: The parameters of the grant.
  ///   - scopes: The scopes to request.
  ///   - parameters: The caller's parameters.
  func accessToken(
    _ grant: FormFields, scopes: [Scope], parameters: AuthorizationParameters
  ) async throws -> AccessToken {
    AccessToken(
      try await tokenResponse(grant, scopes: scopes, parameters: parameters).stored(requestedScopes: scopes, by: self))
  }

  /// Sends one request to the token endpoint.
  func tokenResponse(
    _ grant: FormFields, scopes: [Scope], parameters: AuthorizationParameters
  ) async throws -> TokenResponse {
    var form = grant
    // RFC 6749 § 3.3: a scope is at least one character.
    form["scope"] = scopes.isEmpty ? nil : scopes.joined(separator: provider.quirks.scopeSeparator)
    try form.append(parameters)
    return try await requestToken(form, provenBy: try await makeProofKey())
  }
}
