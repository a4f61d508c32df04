// SPDX-License-Identifier: Apache-2.0

extension GoogleCredential {
  /// Reads a file of the type `impersonated_service_account`, as `gcloud auth application-default login
  /// --impersonate-service-account` writes it.
  ///
  /// - Parameter source: Makes the credential that impersonates, from the document within.
  static func impersonatedServiceAccount(
    _ document: CredentialDocument, scopes: [String], subject: String?, in environment: CredentialEnvironment,
    source: (CredentialDocument) throws -> GoogleCredential
  ) throws -> GoogleCredential {
    _ = try document.universe(expecting: environment.universe)
    guard let target = try ImpersonationURL(document, environment) else {
      throw document.error(
        .malformed, "service_account_impersonation_url", "is missing. Download or create the file again.")
    }
    let delegates = try document.optionalStrings("delegates")?.map(Self.accountName) ?? []
    guard delegates.allSatisfy(\.isAccountName) else {
      throw document.error(.malformed, "delegates", "does not name service accounts by their e-mail addresses.")
    }
    let inner = try document.object("source_credentials")
    guard try inner.string("type") != Kind.impersonatedServiceAccount.rawValue else {
      throw inner.error(.unsupported, "type", "is an impersonated account. Name the accounts between as delegates.")
    }
    return try source(inner).impersonating(
      target.email, at: target.base, kind: .impersonatedServiceAccount,
      scopes: scopes.isEmpty ? document.optionalStrings("scopes") ?? [] : scopes, delegates: delegates,
      subject: subject, lifetime: .seconds(3600))
  }

  /// The e-mail address of an account that is named by its resource name or by the address itself.
  private static func accountName(_ name: String) -> String {
    let prefix = "projects/-/serviceAccounts/"
    return name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : name
  }
}
