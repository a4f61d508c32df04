// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import OAuthCore
import PlatformFoundation
import TokenStore

/// The access tokens of an external workload in exchange for its own tokens
/// ([workload identity federation](https://cloud.google.com/iam/docs/workload-identity-federation),
/// [RFC 8693](https://www.rfc-editor.org/rfc/rfc8693.html)).
struct ExternalAccountMethod: CredentialMethod {
  /// The settings of the exchange, without the workload's token.
  struct Pool: Sendable {
    /// The name of the identity pool's provider.
    var audience: String
    var subjectType: TokenExchange.TokenType
    var tokenEndpoint: URL
    /// The authenticating client, or `nil` for none.
    var client: (id: String, secret: Secret)?
    /// The project charged for a workforce user's exchange.
    var userProject: String?
  }

  private let subject: any SubjectTokenSource
  private let exchange: TokenExchange
  private let transport: any Transport
  private let makeClient: @Sendable (any Transport) throws -> OAuthClient

  init(_ pool: Pool, subject: any SubjectTokenSource, environment: CredentialEnvironment) throws {
    self.subject = subject
    var exchange = TokenExchange(of: pool.subjectType, requestedType: .accessToken, audience: [pool.audience])
    // Google knows the project of a client, so a client sends no project.
    if let project = pool.userProject, pool.client == nil {
      let options = JSONValue.object(["userProject": .string(project)])
      // Percent-encoded once more than the form requires, as Google's libraries do.
      exchange.parameters["options"] = FormEncoding.query.encode(String(decoding: options.json(), as: UTF8.self))
    }
    self.exchange = exchange
    let authentication: any ClientAuthentication =
      if let client = pool.client { ClientSecretBasicUnencoded(client.secret) } else { AssertionAlone() }
    transport = environment.transport
    makeClient = { transport in
      try OAuthClient(
        server: ServerMetadata(
          issuer: Origin(pool.tokenEndpoint)?.description ?? "", tokenEndpoint: pool.tokenEndpoint),
        registration: ClientRegistration(
          clientID: pool.client?.id ?? pool.audience, authentication: authentication),
        transport: RepeatableRequests(transport), clock: environment.clock)
    }
    _ = try makeClient(transport)
  }

  var kind: GoogleCredential.Kind { .externalAccount }
  var principal: String? { nil }
  func projectID() -> String? { nil }

  func accessToken(scopes: [Scope]) async throws -> AccessToken {
    guard !scopes.isEmpty else {
      throw GoogleCredentialError(
        .invalidConfiguration,
        "The external account needs scopes. Request scopes, such as https://www.googleapis.com/auth/cloud-platform.")
    }
    var exchange = exchange
    exchange.scopes = scopes
    let (token, transport) = try await subject.subject()
    return try await makeClient(transport ?? self.transport).exchange(token, by: exchange).token
  }

  func idTokens(for audience: String) throws -> FetchedTokens {
    throw GoogleCredentialError(
      .unsupported,
      "External accounts cannot obtain ID tokens for services. Impersonate a service account that may call the service."
    )
  }
}
