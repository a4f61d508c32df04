// SPDX-License-Identifier: Apache-2.0

extension GoogleCredential {
  /// What kind of credential it is: the `type` of its file, or the metadata server.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A service account, whose private key is in the file.
    case serviceAccount = "service_account"
    /// A user who signed in with `gcloud auth application-default login`.
    case authorizedUser = "authorized_user"
    /// A workload elsewhere, whose own tokens are exchanged for Google's (workload identity federation).
    case externalAccount = "external_account"
    /// A service account that another credential may impersonate.
    case impersonatedServiceAccount = "impersonated_service_account"
    /// The service account of the machine, the cluster or the service that the program runs on.
    case metadataServer = "metadata_server"
  }

  /// Where a credential was found.
  public enum Location: Sendable, Hashable, CustomStringConvertible {
    /// The file that `GOOGLE_APPLICATION_CREDENTIALS` names.
    case environmentVariable(path: String)
    /// The file that `gcloud auth application-default login` writes.
    case wellKnownFile(path: String)
    /// A file that the program names.
    case file(path: String)
    /// The metadata server.
    case metadataServer(host: String)
    /// The program itself.
    case program

    /// The place in a few words.
    public var description: String {
      switch self {
      case .environmentVariable(let path): "\(path) (GOOGLE_APPLICATION_CREDENTIALS)"
      case .wellKnownFile(let path): "\(path) (gcloud)"
      case .file(let path): path
      case .metadataServer(let host): "the metadata server \(host)"
      case .program: "the program"
      }
    }
  }
}
