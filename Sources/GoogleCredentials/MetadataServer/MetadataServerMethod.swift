// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import OAuthCore
import Timekeeping
import TokenStore

/// The tokens that the metadata server gives for the service account that is attached to the machine or service.
struct MetadataServerMethod: CredentialMethod {
  private let server: MetadataServer
  private let account: String
  private let clock: any WallClock

  init(_ server: MetadataServer, account: String, clock: any WallClock) {
    self.server = server
    self.account = account
    self.clock = clock
  }

  var kind: GoogleCredential.Kind { .metadataServer }
  var principal: String? { account == "default" ? nil : account }

  func projectID() async throws -> String? {
    String(decoding: try await server.value("project/project-id").content, as: UTF8.self)
  }

  func accessToken(scopes: [String]) async throws -> AccessToken {
    var query = FormFields()
    // Cloud Run and App Engine give a token for these scopes; Compute Engine gives one for those of the machine.
    query["scopes"] = scopes.isEmpty ? nil : scopes.joined(separator: ",")
    let (content, _) = try await server.value("instance/service-accounts/\(account)/token", query)
    guard let json = try? JSONValue(json: content), let token = json["access_token"]?.string, !token.isEmpty,
      let lifetime = json["expires_in"]?.number?.integer, lifetime > 0
    else { throw server.failed("responded without an access token") }
    let now = clock.now
    return AccessToken(
      Secret(token), type: json["token_type"]?.string ?? "Bearer", scopes: scopes,
      expiresAt: now + .seconds(min(lifetime, 86_400)), issuedAt: now)
  }

  func idTokens(for audience: String) -> FetchedTokens {
    FetchedTokens {
      let query: FormFields = ["audience": audience, "format": "full"]
      let (content, _) = try await server.value("instance/service-accounts/\(account)/identity", query)
      return try .idToken(String(decoding: content, as: UTF8.self), for: audience)
    }
  }
}
