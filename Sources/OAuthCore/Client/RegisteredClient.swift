// SPDX-License-Identifier: Apache-2.0

public import OAuthJOSE
public import Timekeeping
public import TokenStore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A client as a server has registered it ([RFC 7591 § 3.2.1](https://www.rfc-editor.org/rfc/rfc7591.html#section-3.2.1)).
///
/// It holds secrets: keep it where only the program can reach it, in its `Codable` form, so that the client registers once.
public struct RegisteredClient: Sendable, Hashable {
  /// The client identifier.
  public let clientID: String
  /// The secret; `nil` for a client that has none.
  public let clientSecret: Secret?
  /// When the secret expires; `nil` if it does not.
  public let clientSecretExpiresAt: Timestamp?
  /// When the client was registered; `nil` if the server did not say.
  public let issuedAt: Timestamp?
  /// Where the registration is read, changed and removed
  /// ([RFC 7592](https://www.rfc-editor.org/rfc/rfc7592.html)); `nil` if that is not possible.
  public let registrationClientURI: URL?
  /// What gives access to it.
  public let registrationAccessToken: Secret?
  /// The metadata as registered, which may differ from what was requested.
  public let metadata: ClientMetadata
}

extension RegisteredClient {
  /// Returns the registration to make an ``OAuthClient`` with.
  ///
  /// - Parameter key: The key for a client that authenticates by one, `private_key_jwt`.
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidConfiguration`` if the registered method needs a secret or key
  ///   that is not there, or is not known.
  public func registration(signingWith key: SigningKey? = nil) throws -> ClientRegistration {
    ClientRegistration(clientID: clientID, authentication: try authentication(key))
  }

  private func authentication(_ key: SigningKey?) throws -> any ClientAuthentication {
    // RFC 7591 § 2: Basic is the default; a client without secret and key, of which the server does not say how it authenticates,
    // can only be a public one.
    let isPublic = clientSecret == nil && key == nil
    switch (metadata.tokenEndpointAuthMethod ?? (isPublic ? "none" : "client_secret_basic"), clientSecret, key) {
    case ("none", _, _): return .none
    case ("client_secret_basic", let secret?, _): return .clientSecretBasic(secret)
    case ("client_secret_post", let secret?, _): return .clientSecretPost(secret)
    case ("client_secret_jwt", let secret?, _): return try .clientSecretJWT(secret)
    case ("private_key_jwt", _, let key?): return .privateKeyJWT(key)
    case ("tls_client_auth", _, _), ("self_signed_tls_client_auth", _, _): return .tlsClientCertificate
    case (let method, _, _):
      throw OAuthError(
        .invalidConfiguration,
        "The client is registered for \(OAuthError.printable(method, limit: 64)), for which the secret or the key is missing."
      )
    }
  }
}

extension RegisteredClient: Codable {
  private enum CodingKeys: String, CodingKey {
    case clientID = "client_id"
    case clientSecret = "client_secret"
    case clientSecretExpiresAt = "client_secret_expires_at"
    case issuedAt = "client_id_issued_at"
    case registrationClientURI = "registration_client_uri"
    case registrationAccessToken = "registration_access_token"
  }

  /// Reads a response of the server, or what ``encode(to:)`` has written.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func secret(_ key: CodingKeys) throws -> Secret? {
      try container.decodeIfPresent(String.self, forKey: key).flatMap { $0.isEmpty ? nil : Secret($0) }
    }
    func time(_ key: CodingKeys) -> Timestamp? {
      (try? container.decodeIfPresent(ReportedDuration.self, forKey: key))?.absolute
    }
    clientID = try container.decode(String.self, forKey: .clientID)
    clientSecret = try secret(.clientSecret)
    // RFC 7591 § 3.2.1: 0 for a secret that does not expire.
    clientSecretExpiresAt = time(.clientSecretExpiresAt).flatMap { $0 == .unixEpoch ? nil : $0 }
    issuedAt = time(.issuedAt)
    registrationClientURI = try? container.decodeIfPresent(URL.self, forKey: .registrationClientURI)
    registrationAccessToken = try secret(.registrationAccessToken)
    metadata = try ClientMetadata(from: decoder)
  }

  /// Writes the client, secrets included, in the form of the server's response.
  public func encode(to encoder: any Encoder) throws {
    try metadata.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(clientID, forKey: .clientID)
    try container.encodeIfPresent(clientSecret?.reveal(), forKey: .clientSecret)
    if clientSecret != nil {
      try container.encode(clientSecretExpiresAt?.secondsSince1970 ?? 0, forKey: .clientSecretExpiresAt)
    }
    try container.encodeIfPresent(issuedAt?.secondsSince1970, forKey: .issuedAt)
    try container.encodeIfPresent(registrationClientURI, forKey: .registrationClientURI)
    try container.encodeIfPresent(registrationAccessToken?.reveal(), forKey: .registrationAccessToken)
  }
}

extension RegisteredClient: CustomStringConvertible, CustomReflectable {
  /// The client identifier, and nothing that is secret.
  public var description: String { "registered client \(OAuthError.printable(clientID, limit: 64))" }
  /// What a dump shows, without any secret.
  public var customMirror: Mirror { Mirror(self, children: ["clientID": clientID]) }
}
