// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import JSONCoding
import OAuthCore
public import OAuthScope
import PlatformFoundation
import Support
import Timekeeping
import TokenStore

/// The metadata server's tokens for the service account attached to the machine or service.
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
    String(decoding: ByteOrderMark.dropped(from: try await server.value("project/project-id").content), as: UTF8.self)
  }

  func accessToken(scopes: [Scope]) async throws -> AccessToken {
    var query = FormFields()
    // Cloud Run and App Engine return a token for these scopes; Compute Engine returns one for the machine's scopes.
    query["scopes"] = scopes.isEmpty ? nil : scopes.joined(separator: ",")
    let (content, _) = try await server.value("instance/service-accounts/\(account)/token", query)
    guard let json = (try? JSONValue(json: content))?.withoutAbsentMembers, let token = json["access_token"]?.string,
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
      return try .idToken(String(decoding: ByteOrderMark.dropped(from: content), as: UTF8.self), for: audience)
    }
  }
}

extension GoogleCredential {
  /// Returns the credential of the service account attached to the machine or service that the program runs on.
  ///
  /// The method sends no request and does not check whether the account exists.
  ///
  /// - Parameters:
  ///   - account: The account's e-mail address, or `nil` for the default account.
  ///   - scopes: The scopes of the access tokens. Cloud Run and App Engine apply these scopes. A machine of Compute Engine has
  ///     its own scopes, which apply instead.
  ///   - environment: The environment for requests. Its variable `GCE_METADATA_HOST` can name another server.
  /// - Throws: ``GoogleCredentialError`` with code ``GoogleCredentialError/Code/invalidConfiguration`` if the variable or the
  ///   account is invalid.
  public static func metadataServer(
    account: String? = nil, scopes: [Scope] = [], in environment: CredentialEnvironment
  ) throws -> GoogleCredential {
    guard account?.utf8.allSatisfy(\.isAccountCharacter) ?? true, account?.isEmpty != true else {
      throw GoogleCredentialError(.invalidConfiguration, "The account is not the e-mail address of a service account.")
    }
    return metadataServer(try MetadataServer(environment), account: account, scopes: scopes, in: environment)
  }

  static func metadataServer(
    _ server: MetadataServer, account: String? = nil, scopes: [Scope], in environment: CredentialEnvironment
  ) -> GoogleCredential {
    GoogleCredential(
      MetadataServerMethod(server, account: account ?? "default", clock: environment.clock),
      at: .metadataServer(host: server.host), scopes: scopes, in: environment)
  }
}

extension UInt8 {
  /// Whether the e-mail address of a service account can contain the character.
  ///
  /// No such character has a meaning in a URL.
  var isAccountCharacter: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "@.-_".utf8.contains(self)
    }
  }
}
