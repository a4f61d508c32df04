// SPDX-License-Identifier: Apache-2.0

public import OAuthCore
public import OAuthScope

/// A credential of Google Cloud: a source of access tokens and ID tokens.
///
/// ``applicationDefault(scopes:subject:in:)`` finds the machine's credential as Google's own libraries do. A credential is a
/// token source, which caches its token until the token is about to expire:
///
/// ```swift
/// let google = try await GoogleCredential.applicationDefault(
///   scopes: ["https://www.googleapis.com/auth/cloud-platform"], in: CredentialEnvironment(transport: http))
/// let storage = http.authorized(by: google, for: [origin])
/// ```
///
/// Any number of tasks can request a token concurrently. They share one request. Copies of a credential share the
/// token. No description shows a key or a token.
public struct GoogleCredential: TokenSource {
  /// The kind of credential.
  public var kind: Kind { method.kind }
  /// The location where the credential was found.
  public let location: Location
  /// The scopes of its access tokens.
  ///
  /// A user's scopes were chosen at sign-in, and are unknown here.
  public let scopes: [Scope]
  /// The identifier of the project charged for requests, if the environment or the file names one.
  ///
  /// ``presentation`` sends it.
  public let quotaProjectID: String?

  let method: any CredentialMethod
  let environment: CredentialEnvironment
  private let tokens: CachingTokenSource

  init(
    _ method: some CredentialMethod, at location: Location, scopes: [Scope], quotaProjectID: String? = nil,
    in environment: CredentialEnvironment
  ) {
    self.method = method
    self.location = location
    self.scopes = scopes
    self.quotaProjectID = environment["GOOGLE_CLOUD_QUOTA_PROJECT"] ?? quotaProjectID
    self.environment = environment
    tokens = FetchedTokens { try await method.accessToken(scopes: scopes) }.cached(by: environment)
  }

  /// The account of the tokens, as the credential names it: by its e-mail address or its numeric identifier.
  ///
  /// `nil` if the credential does not name the account.
  public var principal: String? { method.principal }

  /// Returns the program's project: the value of `GOOGLE_CLOUD_PROJECT`, else the credential's project.
  ///
  /// `nil` if there is neither.
  ///
  /// - Throws: `TransportError` if the metadata server is needed and cannot be reached, or `CancellationError`.
  public func projectID() async throws -> String? {
    if let name = environment["GOOGLE_CLOUD_PROJECT"] ?? environment["GCLOUD_PROJECT"] { return name }
    return try await method.projectID()
  }

  /// Returns the current access token, or a new one if it is about to expire or was rejected.
  ///
  /// - Throws: ``GoogleCredentialError``, or `OAuthError`, with code `signInRequired` if the user has to sign in again
  ///   with gcloud. Also `TransportError`, and `CancellationError`, promptly, if the current task is cancelled.
  public func accessToken(replacing rejected: AccessToken?) async throws -> AccessToken {
    try await tokens.accessToken(replacing: rejected)
  }

  /// Returns the credential with other scopes, and a separate token.
  ///
  /// - Parameter scopes: The scopes to request. They have no effect on a user's credential.
  public func scoped(to scopes: [Scope]) -> GoogleCredential {
    GoogleCredential(method, at: location, scopes: scopes, quotaProjectID: quotaProjectID, in: environment)
  }

  /// Returns a source of ID tokens for one service, such as one on Cloud Run
  /// ([authenticating service to service](https://cloud.google.com/run/docs/authenticating/service-to-service)).
  ///
  /// ```swift
  /// let reports = http.authorized(by: try google.idTokens(for: "https://reports-abc-ew.a.run.app"), for: [origin])
  /// ```
  ///
  /// - Parameter audience: The audience of the token, `aud`: the URL of the service, or the client identifier of its proxy.
  /// - Returns: A source that caches the token until it is about to expire.
  /// - Throws: ``GoogleCredentialError`` with code ``GoogleCredentialError/Code/unsupported`` if a credential of this
  ///   kind provides no ID tokens. The message names an alternative.
  public func idTokens(for audience: String) throws -> CachingTokenSource {
    try method.idTokens(for: audience).cached(by: environment)
  }
}

extension GoogleCredential: CustomStringConvertible, CustomReflectable {
  /// The kind, the account and the location.
  public var description: String {
    "\(kind.rawValue)\(principal.map { " \($0)" } ?? "") from \(location)"
  }

  /// A redacted mirror for debugging.
  public var customMirror: Mirror {
    Mirror(self, children: ["kind": kind.rawValue, "location": location.description, "scopes": scopes])
  }
}

extension GoogleCredential {
  /// The kind of a credential: the `type` of its file, or the metadata server.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A service account, whose private key is in the file.
    case serviceAccount = "service_account"
    /// A user who signed in with `gcloud auth application-default login`.
    case authorizedUser = "authorized_user"
    /// A user of a workforce pool who signed in with `gcloud auth application-default login`
    /// ([workforce identity federation](https://cloud.google.com/iam/docs/workforce-identity-federation)).
    case externalAccountAuthorizedUser = "external_account_authorized_user"
    /// An external workload, which exchanges its own tokens for Google's (workload identity federation).
    case externalAccount = "external_account"
    /// A service account impersonated by another credential.
    case impersonatedServiceAccount = "impersonated_service_account"
    /// The service account of the machine, the cluster or the service that the program runs on.
    case metadataServer = "metadata_server"
  }

  /// The location where a credential was found.
  public enum Location: Sendable, Hashable, CustomStringConvertible {
    /// The file named by `GOOGLE_APPLICATION_CREDENTIALS`.
    case environmentVariable(path: String)
    /// The file written by `gcloud auth application-default login`.
    case wellKnownFile(path: String)
    /// A file named by the program.
    case file(path: String)
    /// The metadata server.
    case metadataServer(host: String)
    /// The program itself.
    case program

    /// A short text for the location.
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
