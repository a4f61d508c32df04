// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import OAuthCore
import OAuthJOSE
import Timekeeping
import TokenStore

/// The tokens of a service account: requested with an assertion signed by the account's key
/// ([RFC 7523 § 2.1](https://www.rfc-editor.org/rfc/rfc7523.html#section-2.1)), or signed by the key itself.
struct ServiceAccountMethod: CredentialMethod {
  private let key: ServiceAccountKey
  private let subject: String?
  private let selfSigns: Bool
  private let environment: CredentialEnvironment

  init(key: ServiceAccountKey, subject: String?, selfSigns: Bool, environment: CredentialEnvironment) throws {
    let isPublic = key.universe == GoogleHost.publicUniverse
    guard subject == nil || isPublic else {
      throw GoogleCredentialError(
        .unsupported, "Service accounts can act for users in \(GoogleHost.publicUniverse) only. Omit the subject.")
    }
    self.key = key
    self.subject = subject
    // Other clouds have no token endpoint for service accounts (AIP-4111).
    self.selfSigns = subject == nil && (selfSigns || !isPublic)
    self.environment = environment
  }

  var kind: GoogleCredential.Kind { .serviceAccount }
  var principal: String? { key.email }
  func projectID() -> String? { key.projectID }

  func accessToken(scopes: [Scope]) async throws -> AccessToken {
    guard !scopes.isEmpty else {
      throw GoogleCredentialError(
        .invalidConfiguration,
        "The service account needs scopes. Request scopes, such as https://www.googleapis.com/auth/cloud-platform.")
    }
    if selfSigns { return try selfSigned(scopes: scopes) }
    let endpoint = try TokenEndpoint(key.tokenEndpoint, client: key.email, environment: environment)
    do {
      return try await endpoint.accessToken(for: assertion(.scopes(scopes)), scopes: scopes)
    } catch let error as OAuthError {
      throw subject.flatMap { undelegated(to: $0, scopes, error) } ?? error
    }
  }

  /// Returns the error for an account without permission to act for the subject, or `nil` for any other refusal.
  private func undelegated(to subject: String, _ scopes: [Scope], _ refusal: OAuthError) -> GoogleCredentialError? {
    guard let status = refusal.serverCode, ["unauthorized_client", "access_denied"].contains(status) else { return nil }
    let client = key.clientID.map { "client ID \($0.printable)" } ?? "the account's client ID"
    return GoogleCredentialError(
      .refused,
      """
      The service account \(key.email.printable) may not act for \(subject.printable) with the scopes \
      \(scopes.joined().printable). A super administrator of the user's domain must allow it in the Admin console, \
      Security > Access and data control > API controls > Manage domain-wide delegation, for \(client) and these scopes.
      """, status: status)
  }

  func idTokens(for audience: String) throws -> FetchedTokens {
    guard key.universe == GoogleHost.publicUniverse else {
      throw GoogleCredentialError(
        .unsupported, "Service accounts outside \(GoogleHost.publicUniverse) cannot obtain ID tokens.")
    }
    return FetchedTokens {
      let endpoint = try TokenEndpoint(key.tokenEndpoint, client: key.email, environment: environment)
      return try await endpoint.idToken(for: assertion(.audience(audience)), audience: audience)
    }
  }

  /// The purpose of an assertion.
  private enum Purpose {
    case scopes([Scope])
    case audience(String)
  }

  private func assertion(_ purpose: Purpose) throws -> String {
    var claims = GoogleClaims(issuer: key.email, at: environment.clock.now)
    // The audience is always this URL, regardless of the endpoint's own
    // (https://developers.google.com/identity/protocols/oauth2/service-account#authorizingrequests).
    claims["aud"] = GoogleClaims.tokenAudience
    switch purpose {
    case .scopes(let scopes):
      claims["scope"] = scopes.joined()
      claims["sub"] = subject
    case .audience(let audience):
      claims["target_audience"] = audience
    }
    return try claims.signed(by: key)
  }

  private func selfSigned(scopes: [Scope]) throws -> AccessToken {
    var claims = GoogleClaims(issuer: key.email, at: environment.clock.now)
    claims["sub"] = key.email
    claims["scope"] = scopes.joined()
    return AccessToken(
      Secret(try claims.signed(by: key)), scopes: scopes, expiresAt: claims.expiresAt, issuedAt: claims.issuedAt)
  }
}
