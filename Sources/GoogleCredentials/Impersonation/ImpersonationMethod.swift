// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import OAuthCore
import PlatformFoundation
import Timekeeping

/// The tokens of a service account impersonated by another credential.
struct ImpersonationMethod: CredentialMethod {
  /// The kind of the credential, as in its file.
  let kind: GoogleCredential.Kind
  private let account: IAMCredentials
  private let subject: String?
  private let lifetime: Duration
  private let project: @Sendable () async throws -> String?
  private let environment: CredentialEnvironment

  /// - Parameters:
  ///   - account: The account to impersonate.
  ///   - subject: The user the account acts for, or `nil` for the account itself.
  ///   - lifetime: The lifetime of an access token.
  ///   - project: A closure that returns the project of the impersonating credential.
  init(
    _ account: IAMCredentials, kind: GoogleCredential.Kind, subject: String?, lifetime: Duration,
    project: @escaping @Sendable () async throws -> String?, environment: CredentialEnvironment
  ) throws {
    guard subject == nil || environment.universe == GoogleHost.publicUniverse else {
      throw GoogleCredentialError(
        .unsupported, "Service accounts can act for users in \(GoogleHost.publicUniverse) only. Omit the subject.")
    }
    // The issuer of the assertion must be an e-mail address.
    guard subject == nil || !account.email.isAccountNumber else {
      throw GoogleCredentialError(
        .unsupported, "To act for a user, name the service account by its e-mail address instead of its number.")
    }
    self.account = account
    self.kind = kind
    self.subject = subject
    self.lifetime = lifetime
    self.project = project
    self.environment = environment
  }

  var principal: String? { account.email }
  func projectID() async throws -> String? { try await project() }

  func accessToken(scopes: [Scope]) async throws -> AccessToken {
    guard !scopes.isEmpty else {
      throw GoogleCredentialError(
        .invalidConfiguration,
        "The impersonated account needs scopes. Request scopes, such as https://www.googleapis.com/auth/cloud-platform."
      )
    }
    guard let subject else { return try await account.accessToken(scopes: scopes, lifetime: lifetime) }
    var claims = GoogleClaims(issuer: account.email, at: environment.clock.now)
    claims["aud"] = GoogleClaims.tokenAudience
    claims["scope"] = scopes.joined()
    claims["sub"] = subject
    let endpoint = try TokenEndpoint(
      URL(literal: "https://oauth2.googleapis.com/token"), client: account.email, environment: environment)
    return try await endpoint.accessToken(for: account.signedJWT(claims), scopes: scopes)
  }

  func idTokens(for audience: String) -> FetchedTokens {
    FetchedTokens { try await account.idToken(for: audience) }
  }
}
