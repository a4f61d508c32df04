// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
public import OAuthCore
public import OAuthScope
import PlatformFoundation
public import TokenStore

extension GoogleCredential {
  /// Returns the credential of an external workload, which exchanges its own tokens for Google's
  /// ([workload identity federation](https://cloud.google.com/iam/docs/workload-identity-federation)).
  ///
  /// ```swift
  /// let workload = try GoogleCredential.externalAccount(
  ///   audience: provider, scopes: scopes, in: environment
  /// ) { try await platformToken() }
  /// let robot = try workload.impersonating("robot@project.iam.gserviceaccount.com", scopes: scopes)
  /// ```
  ///
  /// - Parameters:
  ///   - audience: The name of the identity pool's provider, such as
  ///     `//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/pool/providers/provider`.
  ///   - subjectType: The type of the workload's token. Defaults to a JSON Web Token.
  ///   - scopes: The scopes of the access tokens.
  ///   - environment: The environment for requests.
  ///   - subjectToken: A closure that returns the workload's token. It is called for each exchange.
  /// - Throws: `OAuthError` with code `invalidConfiguration` if the audience is empty.
  public static func externalAccount(
    audience: String, subjectType: TokenExchange.TokenType = .jwt, scopes: [Scope],
    in environment: CredentialEnvironment, subjectToken: @concurrent @escaping @Sendable () async throws -> Secret
  ) throws -> GoogleCredential {
    guard let endpoint = URL(string: "https://sts.\(environment.universe)/v1/token") else {
      throw GoogleCredentialError(.invalidConfiguration, "GOOGLE_CLOUD_UNIVERSE_DOMAIN is not a domain. Correct it.")
    }
    let pool = ExternalAccountMethod.Pool(audience: audience, subjectType: subjectType, tokenEndpoint: endpoint)
    return GoogleCredential(
      try ExternalAccountMethod(pool, subject: GivenSubjectToken(token: subjectToken), environment: environment),
      at: .program, scopes: scopes, in: environment)
  }

  /// Parses a file of the type `external_account`.
  static func externalAccount(
    _ document: CredentialDocument, at location: Location, scopes: [Scope], subject: String?,
    in environment: CredentialEnvironment
  ) throws -> GoogleCredential {
    let account = try ExternalAccountFile(document, environment)
    let credential = GoogleCredential(
      try account.method(), at: location, scopes: scopes,
      quotaProjectID: try document.optionalString("quota_project_id"), in: environment)
    guard let target = account.target else {
      guard subject == nil else {
        throw document.error(
          .unsupported, "type", "is a workload, which cannot act for a user. Impersonate a service account that may.")
      }
      return credential
    }
    return try credential.impersonating(
      target.email, at: target.base, kind: .externalAccount, scopes: scopes, delegates: [], subject: subject,
      lifetime: account.lifetime)
  }
}

/// The token provided by the program.
private struct GivenSubjectToken: SubjectTokenSource {
  let token: @Sendable () async throws -> Secret

  func subjectToken() async throws -> Secret { try await token() }
}
