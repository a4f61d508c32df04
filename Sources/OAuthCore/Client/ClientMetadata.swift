// SPDX-License-Identifier: Apache-2.0

public import OAuthJOSE
public import OAuthScope
public import PlatformFoundation

/// The metadata of a client for its registration
/// ([RFC 7591 § 2](https://www.rfc-editor.org/rfc/rfc7591.html#section-2)).
///
/// The server chooses the values of `nil` members, and can replace others.
public struct ClientMetadata: Sendable, Hashable, Codable {
  /// The client's redirect URIs.
  public var redirectURIs: [URL]?
  /// The client authentication method at the token endpoint.
  public var tokenEndpointAuthMethod: String?
  /// The algorithm of the client authentication assertions.
  public var tokenEndpointAuthSigningAlg: String?
  /// The client's grants.
  public var grantTypes: [String]?
  /// The client's response types.
  public var responseTypes: [String]?
  /// The client's name for display.
  public var clientName: String?
  /// The URL of the client's home page.
  public var clientURI: URL?
  /// The URL of the client's logo.
  public var logoURI: URL?
  /// The scopes the client can request.
  public var scopes: [Scope]? {
    get { scope.map { [Scope](parameter: $0) } }
    set { scope = newValue?.joined() }
  }
  /// The contacts for the client, usually e-mail addresses.
  public var contacts: [String]?
  /// The URL of the terms of service.
  public var tosURI: URL?
  /// The URL of the privacy policy.
  public var policyURI: URL?
  /// The URL of the client's keys.
  public var jwksURI: URL?
  /// The client's keys, if it has no `jwks_uri`.
  public var jwks: JWKSet?
  /// The identifier of the software, the same for all its instances.
  public var softwareID: String?
  /// The version of the software.
  public var softwareVersion: String?
  /// Metadata signed by a third party.
  public var softwareStatement: String?
  /// The application type of OpenID Connect, `native` or `web`.
  public var applicationType: String?
  /// The algorithm of the client's request objects.
  public var requestObjectSigningAlg: String?
  /// Whether the client always pushes its authorization requests.
  public var requirePushedAuthorizationRequests: Bool?
  /// Whether the client's tokens are always bound to a key
  /// ([RFC 9449 § 5.2](https://www.rfc-editor.org/rfc/rfc9449.html#section-5.2)).
  public var dpopBoundAccessTokens: Bool?
  /// The subject of the client's certificate.
  public var tlsClientAuthSubjectDN: String?

  /// The scopes as in the document, separated by spaces.
  private var scope: String?

  private enum CodingKeys: String, CodingKey {
    case redirectURIs = "redirect_uris"
    case tokenEndpointAuthMethod = "token_endpoint_auth_method"
    case tokenEndpointAuthSigningAlg = "token_endpoint_auth_signing_alg"
    case grantTypes = "grant_types"
    case responseTypes = "response_types"
    case clientName = "client_name"
    case clientURI = "client_uri"
    case logoURI = "logo_uri"
    case scope
    case contacts
    case tosURI = "tos_uri"
    case policyURI = "policy_uri"
    case jwksURI = "jwks_uri"
    case jwks
    case softwareID = "software_id"
    case softwareVersion = "software_version"
    case softwareStatement = "software_statement"
    case applicationType = "application_type"
    case requestObjectSigningAlg = "request_object_signing_alg"
    case requirePushedAuthorizationRequests = "require_pushed_authorization_requests"
    case dpopBoundAccessTokens = "dpop_bound_access_tokens"
    case tlsClientAuthSubjectDN = "tls_client_auth_subject_dn"
  }

  /// Decodes metadata.
  ///
  /// A malformed member is decoded as `nil`: some servers write an empty string for a missing URL.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func read<Value: Decodable>(_ key: CodingKeys) -> Value? { try? container.decodeIfPresent(Value.self, forKey: key) }
    // A response with too many elements must not lose the registration.
    func list(_ key: CodingKeys) -> [String]? { read(key).map(ServerLimits.bounded) }
    redirectURIs = read(.redirectURIs).map { (uris: [URL]) in Array(uris.prefix(ServerLimits.elements)) }
    tokenEndpointAuthMethod = read(.tokenEndpointAuthMethod)
    tokenEndpointAuthSigningAlg = read(.tokenEndpointAuthSigningAlg)
    grantTypes = list(.grantTypes)
    responseTypes = list(.responseTypes)
    clientName = read(.clientName)
    clientURI = read(.clientURI)
    logoURI = read(.logoURI)
    scope = read(.scope)
    contacts = list(.contacts)
    tosURI = read(.tosURI)
    policyURI = read(.policyURI)
    jwksURI = read(.jwksURI)
    jwks = read(.jwks)
    softwareID = read(.softwareID)
    softwareVersion = read(.softwareVersion)
    softwareStatement = read(.softwareStatement)
    applicationType = read(.applicationType)
    requestObjectSigningAlg = read(.requestObjectSigningAlg)
    requirePushedAuthorizationRequests = read(.requirePushedAuthorizationRequests)
    dpopBoundAccessTokens = read(.dpopBoundAccessTokens)
    tlsClientAuthSubjectDN = read(.tlsClientAuthSubjectDN)
  }

  /// Creates metadata.
  ///
  /// - Parameters:
  ///   - clientName: The client's name for display.
  ///   - redirectURIs: The client's redirect URIs, or empty for a client without users.
  ///   - tokenEndpointAuthMethod: The client authentication method, or `none` for a public client. If `nil`, the server
  ///     decides. See ``authenticating(at:)``.
  public init(clientName: String? = nil, redirectURIs: [URL] = [], tokenEndpointAuthMethod: String? = nil) {
    self.clientName = clientName
    self.redirectURIs = redirectURIs.isEmpty ? nil : redirectURIs
    self.tokenEndpointAuthMethod = tokenEndpointAuthMethod
  }
}

extension ClientMetadata {
  /// Returns the metadata with a client authentication method listed by the server
  /// ([RFC 8414 § 2](https://www.rfc-editor.org/rfc/rfc8414.html#section-2)).
  ///
  /// If a method is set, the metadata are unchanged.
  ///
  /// The method is the first of these listed by the server:
  /// 1. `private_key_jwt`, if the metadata contains keys
  /// 2. `tls_client_auth`, if the metadata contains the subject of a certificate
  /// 3. `none`
  /// 4. The first method in the server's list that uses a secret
  ///
  /// If the server lists no methods, the method is `private_key_jwt` for a client with keys, `tls_client_auth` for one with a
  /// certificate, else `none`.
  ///
  /// - Parameter server: The server's metadata.
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/clientRequired`` if the server lists none of these methods. For example, it lists
  ///   only `private_key_jwt`, and the client has no keys. Such a client could never authenticate.
  public func authenticating(at server: ServerMetadata) throws(OAuthError) -> ClientMetadata {
    guard tokenEndpointAuthMethod == nil else { return self }
    let hasKeys = jwks != nil || jwksURI != nil
    let preferred =
      (hasKeys ? ["private_key_jwt"] : []) + (tlsClientAuthSubjectDN != nil ? ["tls_client_auth"] : []) + ["none"]
    var metadata = self
    guard let listed = server.tokenEndpointAuthMethodsSupported, !listed.isEmpty else {
      metadata.tokenEndpointAuthMethod = preferred[0]
      return metadata
    }
    guard
      let method = preferred.first(where: listed.contains) ?? listed.first(where: ServerMetadata.secretMethods.contains)
    else {
      let names = OAuthError.printable(listed.prefix(10).joined(separator: ", "), limit: 200)
      throw OAuthError(
        .clientRequired,
        "\(server.name) accepts only clients that authenticate by \(names), which this registration does not support. Register a client with a key or a certificate at the server, and name it with its issuer."
      )
    }
    metadata.tokenEndpointAuthMethod = method
    return metadata
  }
}
