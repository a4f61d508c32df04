// SPDX-License-Identifier: Apache-2.0

public import OAuthScope

extension GoogleCredential {
  /// Finds the credential of the environment
  /// ([Application Default Credentials](https://cloud.google.com/docs/authentication/application-default-credentials)).
  ///
  /// The search has this order:
  /// 1. The file named by `GOOGLE_APPLICATION_CREDENTIALS`
  /// 2. The file written by `gcloud auth application-default login`
  /// 3. The metadata server
  ///
  /// An existing but unusable file ends the search with an error.
  ///
  /// Outside Google's cloud, without a file or a metadata server, the search takes up to three seconds. `GCE_METADATA_TIMEOUT`
  /// sets another limit, 1 to 60 seconds. `NO_GCE_CHECK=true` disables the search for a metadata server.
  ///
  /// - Parameters:
  ///   - scopes: The scopes of the access tokens. A user's scopes were chosen at sign-in.
  ///   - subject: The user on whose behalf a service account acts, by e-mail address, or `nil` for the account itself.
  ///   - environment: The environment for the search and for requests.
  /// - Returns: The credential. No token has been requested yet.
  /// - Throws: ``GoogleCredentialError``, with code ``GoogleCredentialError/Code/notFound`` if there is none. Also
  ///   `CancellationError`, promptly, if the current task is cancelled.
  public static func applicationDefault(
    scopes: [Scope] = [], subject: String? = nil, in environment: CredentialEnvironment
  ) async throws -> GoogleCredential {
    if let path = environment["GOOGLE_APPLICATION_CREDENTIALS"] {
      guard
        let credential = try await fileIfPresent(
          path, at: .environmentVariable(path: path), scopes: scopes, subject: subject, in: environment)
      else {
        throw GoogleCredentialError(
          .notFound,
          "GOOGLE_APPLICATION_CREDENTIALS names \(path.printable), which does not exist. Correct the variable or unset it.",
          file: path)
      }
      return credential
    }
    if let path = wellKnownFile(in: environment),
      let credential = try await fileIfPresent(
        path, at: .wellKnownFile(path: path), scopes: scopes, subject: subject, in: environment)
    {
      return credential
    }
    let server = try MetadataServer(environment)
    guard try await server.isPresent() else {
      throw GoogleCredentialError(
        .notFound,
        "No Google Cloud credential was found: GOOGLE_APPLICATION_CREDENTIALS is not set, gcloud has created no file, and there is no metadata server. Run gcloud auth application-default login, or set the variable to a file."
      )
    }
    guard subject == nil else {
      throw GoogleCredentialError(
        .unsupported,
        "The metadata server does not issue tokens for another user. Impersonate the service account with the subject instead."
      )
    }
    return metadataServer(server, scopes: scopes, in: environment)
  }

  /// Returns the path of the file written by gcloud, or `nil` if there is no home folder.
  static func wellKnownFile(in environment: CredentialEnvironment) -> String? {
    environment.gcloudFolder.map { $0 + "/application_default_credentials.json" }
  }
}
