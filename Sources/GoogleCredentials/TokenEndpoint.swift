// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import OAuthCore
import PlatformFoundation
import TokenStore

/// Google's token endpoint, for assertions.
struct TokenEndpoint {
  private let client: OAuthClient
  private let clock: CredentialEnvironment

  /// - Parameter client: The signer of the assertions, which is not sent.
  init(_ url: URL, client: String, environment: CredentialEnvironment) throws {
    self.client = try OAuthClient(
      server: ServerMetadata(issuer: "https://accounts.google.com", tokenEndpoint: url),
      registration: ClientRegistration(clientID: client, authentication: AssertionAlone()),
      transport: RepeatableRequests(environment.transport), clock: environment.clock)
    clock = environment
  }

  /// Requests an access token.
  func accessToken(for assertion: String, scopes: [Scope]) async throws -> AccessToken {
    // Google grants all requested scopes, and does not name them in the response.
    try await client.requestAccessToken(grant(assertion)).granting(scopes)
  }

  /// Requests an ID token, with an assertion that names its audience.
  func idToken(for assertion: String, audience: String) async throws -> AccessToken {
    let response = try await client.post(grant(assertion), to: client.server.tokenEndpoint)
    guard let token = response["id_token"]?.string else {
      throw GoogleCredentialError(.invalidResponse, "The response of \(client.server.name) contains no ID token.")
    }
    return try .idToken(token, for: audience)
  }

  private func grant(_ assertion: String) -> FormFields {
    ["assertion": assertion, "grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer"]
  }
}

/// The client authentication of a grant whose assertion already authenticates the client: no parameter is added
/// ([RFC 7521 § 4.1](https://www.rfc-editor.org/rfc/rfc7521.html#section-4.1)).
struct AssertionAlone: ClientAuthentication {
  func authenticate(_ request: inout TokenRequest) {}
}

/// A transport that marks every request as repeatable, because token requests change nothing at Google.
struct RepeatableRequests: Transport {
  private let base: any Transport

  init(_ base: any Transport) { self.base = base }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    var request = request
    request.isRepeatable = true
    return try await base.send(request)
  }
}
