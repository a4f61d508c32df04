// SPDX-License-Identifier: Apache-2.0

public import OAuthJOSE
public import PlatformFoundation
public import Timekeeping
public import TokenStore

/// A client as a server has registered it ([RFC 7591 § 3.2.1](https://www.rfc-editor.org/rfc/rfc7591.html#section-3.2.1)).
///
/// Store the value in its `Codable` form, so the client registers only once. The value contains secrets: store it where only the
/// program can access it.
public struct RegisteredClient: Sendable, Hashable {
  /// The client identifier.
  public let clientID: String
  /// The client secret, or `nil` for a client without one.
  public let clientSecret: Secret?
  /// The expiry of the secret, or `nil` if it does not expire.
  public let clientSecretExpiresAt: Timestamp?
  /// The time of the registration, or `nil` if the server omitted it.
  public let issuedAt: Timestamp?
  /// The URL for managing the registration ([RFC 7592](https://www.rfc-editor.org/rfc/rfc7592.html)), or `nil` if the
  /// server does not support it.
  public let registrationClientURI: URL?
  /// The access token for managing the registration.
  public let registrationAccessToken: Secret?
  /// The metadata as registered, which may differ from the requested metadata.
  public let metadata: ClientMetadata
}

extension RegisteredClient {
  /// Returns the registration for an ``OAuthClient``.
  ///
  /// - Parameter key: The key for `private_key_jwt`, or `nil` for other methods.
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidConfiguration`` if the registered method is not supported, or its secret
  ///   or key is missing.
  public func registration(signingWith key: SigningKey? = nil) throws -> ClientRegistration {
    ClientRegistration(clientID: clientID, authentication: try authentication(key))
  }

  private func authentication(_ key: SigningKey?) throws -> any ClientAuthentication {
    // RFC 7591 § 2: Basic is the default. If the server omits the method, a client without secret and key can only be public.
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
        "The client is registered for \(OAuthError.printable(method, limit: 64)), which is not supported or lacks its secret or key."
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

  /// Decodes a response of the server, or the form written by ``encode(to:)``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    // A server that issued no secret may write 0 or false.
    func secret(_ key: CodingKeys) -> Secret? {
      (try? container.decodeIfPresent(String.self, forKey: key)).flatMap { $0.isEmpty ? nil : Secret($0) }
    }
    func time(_ key: CodingKeys) -> Timestamp? {
      (try? container.decodeIfPresent(ReportedDuration.self, forKey: key))?.absolute
    }
    clientID = try container.decode(String.self, forKey: .clientID)
    clientSecret = secret(.clientSecret)
    // RFC 7591 § 3.2.1: 0 for a secret that does not expire.
    clientSecretExpiresAt = time(.clientSecretExpiresAt)
    issuedAt = time(.issuedAt)
    registrationClientURI = try? container.decodeIfPresent(URL.self, forKey: .registrationClientURI)
    registrationAccessToken = secret(.registrationAccessToken)
    metadata = try ClientMetadata(from: decoder)
  }

  /// Encodes the client, including its secrets, in the form of the server's response.
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
  /// The client identifier, without any secret.
  public var description: String { "registered client \(OAuthError.printable(clientID, limit: 64))" }
  /// A redacted mirror for debugging.
  public var customMirror: Mirror { Mirror(self, children: ["clientID": clientID]) }
}
