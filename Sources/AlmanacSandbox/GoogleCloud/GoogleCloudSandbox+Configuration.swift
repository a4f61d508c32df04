// SPDX-License-Identifier: Apache-2.0

public import OAuthJOSE
public import TokenStore

extension GoogleCloudSandbox {
  /// How the sandbox is set up.
  public struct Configuration: Sendable {
    /// The service accounts.
    public var serviceAccounts: [ServiceAccount]
    /// The users who signed in with gcloud.
    public var users: [User] = []
    /// The providers of workload and workforce identity pools.
    public var identityProviders: [IdentityProvider] = []
    /// The URLs of the services on Cloud Run, each an origin.
    public var services: Set<String> = []
    /// The service account that is attached to the machine, by its e-mail address; `nil` for a machine without a metadata server.
    public var attachedAccount: String?
    /// The project of the metadata server.
    public var projectID = "sandbox-project"
    /// How long an access token is good.
    public var tokenLifetime: Duration = .seconds(3600)
    /// The algorithm that ID tokens are signed with.
    ///
    /// Google's is RS256, whose key takes a moment to make.
    public var idTokenAlgorithm: JWS.Algorithm = .rs256

    /// Creates a configuration.
    ///
    /// - Parameter serviceAccounts: The service accounts.
    public init(serviceAccounts: [ServiceAccount] = []) { self.serviceAccounts = serviceAccounts }
  }

  /// A service account.
  public struct ServiceAccount: Sendable, Hashable {
    /// Its e-mail address.
    public var email: String
    /// The public halves of its keys, each with its identifier.
    public var keys: JWKSet
    /// The users that it may act for (domain-wide delegation).
    public var delegators: Set<String> = []
    /// The principals that may create tokens for it (`roles/iam.serviceAccountTokenCreator`).
    ///
    /// For an account that impersonates itself, add its own e-mail address.
    public var tokenCreators: Set<String> = []

    /// Creates a service account.
    ///
    /// - Parameters:
    ///   - email: Its e-mail address.
    ///   - keys: The public halves of its keys. Defaults to none, as for an account that is only impersonated.
    public init(email: String, keys: JWKSet = JWKSet([])) {
      self.email = email
      self.keys = keys
    }
  }

  /// A user who signed in with gcloud.
  public struct User: Sendable, Hashable {
    /// The user's e-mail address.
    public var email: String
    /// The client that the user signed in to.
    public var clientID: String
    /// The client's secret.
    public var clientSecret: Secret
    /// The refresh token that the sign-in gave.
    public var refreshToken: Secret
    /// The scopes that the user granted.
    public var scopes: [String]

    /// Creates a user.
    public init(
      email: String, clientID: String, clientSecret: Secret, refreshToken: Secret,
      scopes: [String] = ["https://www.googleapis.com/auth/cloud-platform"]
    ) {
      self.email = email
      self.clientID = clientID
      self.clientSecret = clientSecret
      self.refreshToken = refreshToken
      self.scopes = scopes
    }
  }

  /// A provider of an identity pool, whose users or workloads get tokens for their own.
  public struct IdentityProvider: Sendable, Hashable {
    /// The name of the provider, such as
    /// `//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/pool/providers/provider`.
    public var audience: String
    /// The issuer of the tokens that are exchanged.
    public var issuer: String
    /// The keys that sign them.
    public var keys: JWKSet
    /// The identifier of the client that has to authenticate; `nil` for none.
    public var clientID: String?
    /// The client's secret.
    public var clientSecret: Secret?

    /// Creates a provider.
    public init(audience: String, issuer: String, keys: JWKSet) {
      self.audience = audience
      self.issuer = issuer
      self.keys = keys
    }
  }
}
