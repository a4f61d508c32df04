// SPDX-License-Identifier: Apache-2.0

public import OAuthJOSE
public import OAuthScope
public import TokenStore

extension GoogleCloudSandbox {
  /// The configuration of a Google Cloud sandbox.
  public struct Configuration: Sendable {
    /// The service accounts.
    public var serviceAccounts: [ServiceAccount]
    /// The users who signed in with gcloud.
    public var users: [User] = []
    /// The providers of workload and workforce identity pools.
    public var identityProviders: [IdentityProvider] = []
    /// The keys of the Cloud Key Management Service.
    public var cryptoKeys: [CryptoKey] = []
    /// The URLs of the services on Cloud Run, each an origin.
    public var services: Set<String> = []
    /// The e-mail address of the attached service account, or `nil` for a machine without a metadata server.
    public var attachedAccount: String?
    /// The identifier of the metadata server's project.
    public var projectID = "sandbox-project"
    /// The lifetime of access tokens.
    public var tokenLifetime: Duration = .seconds(3600)
    /// The signing algorithm of ID tokens.
    ///
    /// Defaults to RS256, as at Google. Generating an RSA key takes longer than an elliptic-curve key.
    public var idTokenAlgorithm: JWS.Algorithm = .rs256

    /// Creates a configuration.
    ///
    /// - Parameter serviceAccounts: The service accounts.
    public init(serviceAccounts: [ServiceAccount] = []) { self.serviceAccounts = serviceAccounts }
  }

  /// A service account.
  public struct ServiceAccount: Sendable, Hashable {
    /// The account's e-mail address.
    public var email: String
    /// The account's numeric identifier, which the IAM Credentials API accepts instead of the e-mail address.
    public var uniqueID: String?
    /// The account's public keys, each with its identifier.
    public var keys: JWKSet
    /// The users the account can act for (domain-wide delegation).
    public var delegators: Set<String> = []
    /// The principals permitted to create tokens for the account (`roles/iam.serviceAccountTokenCreator`).
    ///
    /// If the account impersonates itself, add its own e-mail address.
    public var tokenCreators: Set<String> = []

    /// Creates a service account.
    ///
    /// - Parameters:
    ///   - email: The account's e-mail address.
    ///   - keys: The account's public keys. Defaults to none, as for an account that is only impersonated.
    public init(email: String, keys: JWKSet = JWKSet([])) {
      self.email = email
      self.keys = keys
    }
  }

  /// A user who signed in with gcloud.
  public struct User: Sendable, Hashable {
    /// The user's e-mail address.
    public var email: String
    /// The identifier of the client the user signed in to.
    public var clientID: String
    /// The client's secret.
    public var clientSecret: Secret
    /// The user's refresh token.
    public var refreshToken: Secret
    /// The scopes granted by the user.
    public var scopes: [Scope]
    /// The name of the workforce pool's provider the user signed in at, or `nil` for a Google account.
    ///
    /// The Security Token Service refreshes the tokens of workforce users.
    public var identityProvider: String?

    /// Creates a user.
    public init(
      email: String, clientID: String, clientSecret: Secret, refreshToken: Secret,
      scopes: [Scope] = ["https://www.googleapis.com/auth/cloud-platform"]
    ) {
      self.email = email
      self.clientID = clientID
      self.clientSecret = clientSecret
      self.refreshToken = refreshToken
      self.scopes = scopes
    }
  }

  /// A provider of an identity pool, whose workloads or users exchange their tokens for Google's.
  public struct IdentityProvider: Sendable, Hashable {
    /// The name of the provider, such as
    /// `//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/pool/providers/provider`.
    public var audience: String
    /// The issuer of the subject tokens.
    public var issuer: String
    /// The public keys of the issuer.
    public var keys: JWKSet
    /// The identifier of the client that must authenticate, or `nil` for no client authentication.
    public var clientID: String?
    /// The client's secret.
    public var clientSecret: Secret?
    /// The certificates of workloads, each the Base64 of its DER, with the subjects of their tokens.
    public var certificates: [String: String] = [:]
    /// The instance on Amazon Web Services whose signed requests the provider accepts.
    public var instance: AWSInstance?

    /// Creates a provider.
    public init(audience: String, issuer: String, keys: JWKSet) {
      self.audience = audience
      self.issuer = issuer
      self.keys = keys
    }
  }
}
