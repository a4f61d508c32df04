// SPDX-License-Identifier: Apache-2.0

import OAuthCore
import PlatformFoundation
import TokenStore

/// A file of the type `external_account` ([AIP-4117](https://google.aip.dev/auth/4117)).
struct ExternalAccountFile {
  /// The service account to impersonate, or `nil` for none.
  let target: ImpersonationURL?
  /// The lifetime of the account's access tokens.
  let lifetime: Duration

  private let pool: ExternalAccountMethod.Pool
  private let subject: any SubjectTokenSource
  private let environment: CredentialEnvironment

  init(_ document: CredentialDocument, _ environment: CredentialEnvironment) throws {
    self.environment = environment
    let universe = try document.universe(expecting: environment.universe)
    let audience = try document.string("audience")
    let type = try document.string("subject_token_type")
    let source = try document.object("credential_source")
    let endpoint = try document.optionalURL("token_url") ?? URL(string: "https://sts.\(universe)/v1/token")
    guard let endpoint, GoogleHost.isHost(endpoint, of: "sts", in: universe) else {
      throw document.untrusted("token_url", expecting: "https://sts.googleapis.com/v1/token")
    }
    target = try ImpersonationURL(document, environment)
    let options = try document.optionalObject("service_account_impersonation")
    let seconds = try options?.optionalInteger("token_lifetime_seconds") ?? 3600
    guard (600...43_200).contains(seconds) else {
      throw document.error(
        .malformed, "service_account_impersonation.token_lifetime_seconds", "is not between 600 and 43200.")
    }
    lifetime = .seconds(seconds)
    var pool = ExternalAccountMethod.Pool(
      audience: audience, subjectType: TokenExchange.TokenType(rawValue: type), tokenEndpoint: endpoint)
    if let id = try document.optionalString("client_id") {
      pool.client = (id, Secret(try document.optionalString("client_secret") ?? ""))
    }
    pool.userProject = try document.optionalString("workforce_pool_user_project")
    guard pool.userProject == nil || audience.contains("/workforcePools/") else {
      throw document.error(
        .malformed, "workforce_pool_user_project", "is for workforce pools only, but the audience is not one.")
    }
    self.pool = pool
    var variables = [
      "GOOGLE_EXTERNAL_ACCOUNT_AUDIENCE": audience, "GOOGLE_EXTERNAL_ACCOUNT_TOKEN_TYPE": type,
      "GOOGLE_EXTERNAL_ACCOUNT_ID": target?.email ?? "",
    ]
    variables["GOOGLE_EXTERNAL_ACCOUNT_IMPERSONATED_EMAIL"] = target?.email
    let isAWS = try source.optionalString("environment_id") != nil || type == AWSSubjectToken.type
    subject =
      isAWS
      ? try AWSSubjectToken(source, type: type, audience: audience, environment)
      : try Self.subject(source, telling: variables, environment)
  }

  func method() throws -> ExternalAccountMethod {
    try ExternalAccountMethod(pool, subject: subject, environment: environment)
  }

  private static func subject(
    _ source: CredentialDocument, telling variables: [String: String], _ environment: CredentialEnvironment
  ) throws -> any SubjectTokenSource {
    let file = try source.optionalString("file")
    let url = try source.optionalURL("url")
    let executable = try source.optionalObject("executable")
    let certificate = try source.optionalObject("certificate")
    let set = [
      ("file", file != nil), ("url", url != nil), ("executable", executable != nil),
      ("certificate", certificate != nil),
    ].filter(\.1).map(\.0)
    guard set.count <= 1 else {
      throw source.error(
        .malformed, set[0], "is one of several token sources. Keep only one of file, url, executable and certificate.")
    }
    if let file {
      return FileSubjectToken(path: file, format: try SubjectTokenFormat(source), files: environment.files)
    }
    if let url { return try URLSubjectToken(source, url, environment) }
    if let executable { return try ExecutableSubjectToken(executable, telling: variables, environment) }
    if let certificate { return try X509SubjectToken(certificate, environment) }
    throw source.error(.malformed, "file", "is missing. Set file, url, executable or certificate.")
  }
}
