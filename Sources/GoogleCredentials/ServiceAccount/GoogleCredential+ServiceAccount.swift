// SPDX-License-Identifier: Apache-2.0

extension GoogleCredential {
  /// Returns the credential of a service account.
  ///
  /// - Parameters:
  ///   - key: The account's key.
  ///   - scopes: The scopes of the access tokens.
  ///   - subject: The user on whose behalf the account acts, by e-mail address, if the user's administrator allows it
  ///     ([domain-wide delegation](https://developers.google.com/identity/protocols/oauth2/service-account#delegatingauthority));
  ///     `nil` for the account itself.
  ///   - selfSigned: Whether the access tokens are signed here instead of being requested
  ///     ([AIP-4111](https://google.aip.dev/auth/4111)): without a request, accepted by most of Google's APIs, but not by all.
  ///     It has no effect where there is a subject. Defaults to `false`.
  ///   - environment: What requests go through.
  /// - Throws: ``GoogleCredentialError`` with code ``GoogleCredentialError/Code/unsupported`` for a subject in another cloud than
  ///   Google's public one.
  public static func serviceAccount(
    _ key: ServiceAccountKey, scopes: [String], subject: String? = nil, selfSigned: Bool = false,
    in environment: CredentialEnvironment
  ) throws -> GoogleCredential {
    GoogleCredential(
      try ServiceAccountMethod(key: key, subject: subject, selfSigns: selfSigned, environment: environment),
      at: .program, scopes: scopes, in: environment)
  }
}
