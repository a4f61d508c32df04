// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import OAuthCore
import Synchronization
import TokenStore

/// The access tokens of a user who signed in with gcloud: at Google, or at the identity provider of a workforce pool.
final class AuthorizedUserMethod: CredentialMethod {
  let kind: GoogleCredential.Kind
  private let client: OAuthClient
  private let name: String
  private let projectName: String?
  /// The user's tokens, with the current refresh token.
  ///
  /// Google does not rotate it, but a response may contain another one.
  private let tokens: Mutex<StoredToken>

  /// Parses a file of the type `authorized_user`.
  ///
  /// Its `token_uri` is not used: the refresh token is sent only to Google's token endpoint.
  convenience init(_ document: CredentialDocument, _ environment: CredentialEnvironment) throws {
    guard try document.universe(expecting: environment.universe) == GoogleHost.publicUniverse else {
      throw document.error(
        .unsupported, "type", "is a user, which only \(GoogleHost.publicUniverse) supports. Use another credential.")
    }
    try self.init(document, .authorizedUser) { id, secret in
      try OAuthClient(
        provider: .google, registration: ClientRegistration(clientID: id, authentication: .clientSecretPost(secret)),
        transport: RepeatableRequests(environment.transport), clock: environment.clock)
    }
  }

  /// Parses a file of the type `external_account_authorized_user`
  /// ([workforce identity federation](https://cloud.google.com/iam/docs/workforce-identity-federation)).
  convenience init(workforce document: CredentialDocument, _ environment: CredentialEnvironment) throws {
    let universe = try document.universe(expecting: environment.universe)
    let endpoint = try document.optionalURL("token_url") ?? document.missing("token_url")
    guard let origin = Origin(endpoint), GoogleHost.isHost(endpoint, of: "sts", in: universe) else {
      throw document.untrusted("token_url", expecting: "https://sts.googleapis.com/v1/oauthtoken")
    }
    try self.init(document, .externalAccountAuthorizedUser) { id, secret in
      try OAuthClient(
        server: ServerMetadata(issuer: origin.description, tokenEndpoint: endpoint),
        registration: ClientRegistration(clientID: id, authentication: ClientSecretBasicUnencoded(secret)),
        transport: RepeatableRequests(environment.transport), clock: environment.clock)
    }
  }

  private init(
    _ document: CredentialDocument, _ kind: GoogleCredential.Kind,
    makeClient: (_ id: String, _ secret: Secret) throws -> OAuthClient
  ) throws {
    let clientID = try document.string("client_id")
    let secret = Secret(try document.string("client_secret"))
    let refreshToken = Secret(try document.string("refresh_token"))
    self.kind = kind
    projectName = try document.optionalString("project_id")
    name = document.name
    client = try makeClient(clientID, secret)
    tokens = Mutex(
      StoredToken(
        accessToken: Secret(""), refreshToken: refreshToken, issuer: client.server.issuer, clientID: clientID))
  }

  var principal: String? { nil }
  func projectID() -> String? { projectName }

  func accessToken(scopes: [Scope]) async throws -> AccessToken {
    do {
      let renewed = try await client.refresh(tokens.withLock(\.self))
      tokens.withLock { $0 = renewed }
      return AccessToken(
        renewed.accessToken, type: renewed.tokenType, scopes: renewed.scopes, expiresAt: renewed.expiresAt,
        issuedAt: renewed.issuedAt, serverClockOffset: renewed.serverClockOffset)
    } catch let error as OAuthError where error.code == .signInRequired {
      throw OAuthError(
        .signInRequired,
        "\(name): Google no longer accepts the sign-in. Run gcloud auth application-default login again.",
        serverCode: error.serverCode, serverDescription: error.serverDescription)
    }
  }

  func idTokens(for audience: String) throws -> FetchedTokens {
    throw GoogleCredentialError(
      .unsupported,
      "\(name): users cannot obtain ID tokens for services. Impersonate a service account that may call the service.")
  }
}
