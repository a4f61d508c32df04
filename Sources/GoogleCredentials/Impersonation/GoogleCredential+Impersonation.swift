// SPDX-License-Identifier: Apache-2.0

public import OAuthScope

extension GoogleCredential {
  /// The scope with which a credential can request the tokens of another account.
  private static let iamScope: Scope = "https://www.googleapis.com/auth/iam"

  /// Returns the credential of a service account for which this one may create tokens
  /// ([service account impersonation](https://cloud.google.com/iam/docs/service-account-impersonation)).
  ///
  /// ```swift
  /// let reports = try google.impersonating("reports@project.iam.gserviceaccount.com", scopes: scopes)
  /// ```
  ///
  /// - Parameters:
  ///   - email: The account's e-mail address or numeric identifier. This credential, or the last of the delegates, needs the role
  ///     *Service Account Token Creator* on the account.
  ///   - scopes: The scopes of the access tokens.
  ///   - delegates: The e-mail addresses or numeric identifiers of the intermediate accounts, each of which may create tokens for
  ///     the next.
  ///   - subject: The user on whose behalf the account acts, by e-mail address, or `nil` for the account itself. With a subject,
  ///     `email` must be an e-mail address.
  ///   - lifetime: The lifetime of an access token: at most one hour, or twelve hours if the organization allows it. Defaults
  ///     to one hour. With a subject, it is always one hour.
  /// - Throws: ``GoogleCredentialError`` with code ``GoogleCredentialError/Code/invalidConfiguration`` if an account's name is
  ///   invalid, or the lifetime too short or too long.
  public func impersonating(
    _ email: String, scopes: [Scope], delegates: [String] = [], subject: String? = nil,
    lifetime: Duration = .seconds(3600)
  ) throws -> GoogleCredential {
    guard ([email] + delegates).allSatisfy(\.isAccountName) else {
      throw GoogleCredentialError(
        .invalidConfiguration,
        "Service accounts are identified by e-mail address or number. Check the account and the delegates."
      )
    }
    guard lifetime >= .seconds(1), lifetime <= .seconds(43_200) else {
      throw GoogleCredentialError(
        .invalidConfiguration, "The lifetime of an access token must be between one second and twelve hours. Change it."
      )
    }
    return try impersonating(
      email, at: "https://iamcredentials.\(environment.universe)", kind: .impersonatedServiceAccount, scopes: scopes,
      delegates: delegates, subject: subject, lifetime: lifetime)
  }

  /// - Parameter base: The URL of the API.
  func impersonating(
    _ email: String, at base: String, kind: Kind, scopes: [Scope], delegates: [String], subject: String?,
    lifetime: Duration
  ) throws -> GoogleCredential {
    let source = scoped(to: [Self.iamScope])
    let account = IAMCredentials(email, at: base, delegates: delegates, source: source, environment: environment)
    let method = try ImpersonationMethod(
      account, kind: kind, subject: subject, lifetime: lifetime, project: source.method.projectID,
      environment: environment)
    return GoogleCredential(
      method, at: location, scopes: scopes, quotaProjectID: quotaProjectID, in: environment)
  }
}

extension String {
  /// Whether the text can be a service account's name: its numeric identifier, or its e-mail address, which has one `@`
  /// and no characters with a meaning in a URL.
  var isAccountName: Bool {
    if isAccountNumber { return true }
    let parts = split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && utf8.allSatisfy(\.isAccountCharacter)
      && !contains("..")
  }

  /// Whether the text can be the numeric identifier of a service account.
  var isAccountNumber: Bool { !isEmpty && utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } }
}

extension GoogleCredential {
  /// Parses a file of the type `impersonated_service_account`, as `gcloud auth application-default login
  /// --impersonate-service-account` writes it.
  ///
  /// - Parameter source: A closure that creates the impersonating credential from the inner document.
  static func impersonatedServiceAccount(
    _ document: CredentialDocument, scopes: [Scope], subject: String?, in environment: CredentialEnvironment,
    source: (CredentialDocument) throws -> GoogleCredential
  ) throws -> GoogleCredential {
    _ = try document.universe(expecting: environment.universe)
    guard let target = try ImpersonationURL(document, environment) else {
      throw document.error(
        .malformed, "service_account_impersonation_url", "is missing. Download or create the file again.")
    }
    let delegates = try document.optionalStrings("delegates")?.map(Self.accountName) ?? []
    guard delegates.allSatisfy(\.isAccountName) else {
      throw document.error(
        .malformed, "delegates", "does not name service accounts by their e-mail addresses or numbers.")
    }
    let inner = try document.object("source_credentials")
    guard try inner.string("type") != Kind.impersonatedServiceAccount.rawValue else {
      throw inner.error(
        .unsupported, "type", "is an impersonated account. Name the intermediate accounts as delegates.")
    }
    return try source(inner).impersonating(
      target.email, at: target.base, kind: .impersonatedServiceAccount,
      scopes: scopes.isEmpty ? document.optionalStrings("scopes")?.map { Scope($0) } ?? [] : scopes,
      delegates: delegates,
      subject: subject, lifetime: .seconds(3600))
  }

  /// Returns the e-mail address of an account from its resource name or the address itself.
  private static func accountName(_ name: String) -> String {
    let prefix = "projects/-/serviceAccounts/"
    return name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : name
  }
}
