// SPDX-License-Identifier: Apache-2.0

public import OAuthScope

extension GoogleCredential {
  /// Reads a credential file of any type.
  ///
  /// Treat such a file like a program. A file of the type `external_account` names the source of the workload's token:
  /// a file, a URL with header fields or, if the environment allows it, a program. This program then reads the file,
  /// requests the URL or runs the program, and sends the token to Google. Check a file that you did not write before
  /// you use it
  /// ([externally sourced
  /// credentials](https://cloud.google.com/docs/authentication/external/externally-sourced-credentials)).
  /// Keys, tokens and assertions are sent only to Google's hosts, regardless of the file's content.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - scopes: The scopes of the access tokens.
  ///   - subject: The user on whose behalf a service account acts, by e-mail address
  ///     ([domain-wide
  ///     delegation](https://developers.google.com/identity/protocols/oauth2/service-account#delegatingauthority)),
  ///     or `nil` for the account itself.
  ///   - environment: The environment for files and requests.
  /// - Throws: ``GoogleCredentialError``, which names the file and the faulty member. Also `CancellationError`.
  public static func file(
    _ path: String, scopes: [Scope] = [], subject: String? = nil, in environment: CredentialEnvironment
  ) async throws -> GoogleCredential {
    guard
      let credential = try await fileIfPresent(
        path, at: .file(path: path), scopes: scopes, subject: subject, in: environment)
    else {
      throw GoogleCredentialError(
        .notFound, "There is no file \(path.printable). Check the path, or create the file.", file: path)
    }
    return credential
  }

  /// Reads the content of a credential file, such as one from a secret manager.
  ///
  /// Treat it like a program, as ``file(_:scopes:subject:in:)`` explains.
  ///
  /// - Parameters:
  ///   - json: The content.
  ///   - scopes: The scopes of the access tokens.
  ///   - subject: The user on whose behalf a service account acts, or `nil` for the account itself.
  ///   - environment: The environment for requests.
  /// - Throws: ``GoogleCredentialError``, which names the faulty member.
  public static func json(
    _ json: [UInt8], scopes: [Scope] = [], subject: String? = nil, in environment: CredentialEnvironment
  ) throws -> GoogleCredential {
    try document(
      CredentialDocument(json: json, file: nil), at: .program, scopes: scopes, subject: subject, in: environment)
  }

  /// Reads a credential file, or returns `nil` if it does not exist.
  @concurrent static func fileIfPresent(
    _ path: String, at location: Location, scopes: [Scope], subject: String?, in environment: CredentialEnvironment
  ) async throws -> GoogleCredential? {
    guard let json = try await environment.files.content(of: path) else { return nil }
    return try document(
      CredentialDocument(json: json, file: path), at: location, scopes: scopes, subject: subject, in: environment)
  }

  private static func document(
    _ document: CredentialDocument, at location: Location, scopes: [Scope], subject: String?,
    in environment: CredentialEnvironment
  ) throws -> GoogleCredential {
    func make(_ method: some CredentialMethod, _ scopes: [Scope]) throws -> GoogleCredential {
      GoogleCredential(
        method, at: location, scopes: scopes, quotaProjectID: try document.optionalString("quota_project_id"),
        in: environment)
    }
    let type = try document.string("type")
    switch Kind(rawValue: type) {
    case .serviceAccount:
      return try make(
        ServiceAccountMethod(
          key: ServiceAccountKey(document, environment), subject: subject, selfSigns: false, environment: environment),
        scopes)
    case .authorizedUser, .externalAccountAuthorizedUser:
      guard subject == nil else {
        throw document.error(.unsupported, "type", "is a user, who cannot act for another. Omit the subject.")
      }
      return try make(
        type == Kind.authorizedUser.rawValue
          ? AuthorizedUserMethod(document, environment) : AuthorizedUserMethod(workforce: document, environment), [])
    case .externalAccount:
      return try externalAccount(document, at: location, scopes: scopes, subject: subject, in: environment)
    case .impersonatedServiceAccount:
      let credential = try impersonatedServiceAccount(
        document, scopes: scopes, subject: subject, in: environment
      ) { source in
        try self.document(source, at: location, scopes: [], subject: nil, in: environment)
      }
      return try make(credential.method, credential.scopes)
    default:
      throw document.error(.unsupported, "type", "is \(unsupported[type] ?? "not one that is supported"). \(remedy)")
    }
  }

  /// The types of Google that are not supported.
  private static let unsupported = [
    "gdch_service_account": "that of Google Distributed Cloud, which is not supported"
  ]

  private static let remedy =
    "Supported are \(Kind.allCases.filter { $0 != .metadataServer }.map(\.rawValue).joined(separator: ", "))."
}
