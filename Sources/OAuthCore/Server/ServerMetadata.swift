// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
public import OAuthScope
public import PlatformFoundation

/// The metadata of an authorization server
/// ([RFC 8414 § 2](https://www.rfc-editor.org/rfc/rfc8414.html#section-2),
/// [OpenID Connect Discovery § 3](https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderMetadata)).
///
/// Create a value, use the metadata of a ``Provider``, or read it with ``discover(issuer:transport:)``.
public struct ServerMetadata: Sendable, Hashable, Codable {
  /// The server's identifier, an https URL without query and fragment.
  public var issuer: String
  /// The authorization endpoint, or `nil` for a server whose grants do not use the user's browser.
  public var authorizationEndpoint: URL?
  /// The token endpoint, which exchanges codes and refresh tokens.
  public var tokenEndpoint: URL
  /// The revocation endpoint ([RFC 7009](https://www.rfc-editor.org/rfc/rfc7009.html)).
  public var revocationEndpoint: URL?
  /// The userinfo endpoint, which returns the user's profile.
  public var userinfoEndpoint: URL?
  /// The URL of the keys that sign ID tokens.
  public var jwksURI: URL?
  /// The device authorization endpoint ([RFC 8628](https://www.rfc-editor.org/rfc/rfc8628.html)).
  public var deviceAuthorizationEndpoint: URL?
  /// The endpoint for pushed authorization requests
  /// ([RFC 9126](https://www.rfc-editor.org/rfc/rfc9126.html)).
  public var pushedAuthorizationRequestEndpoint: URL?
  /// The introspection endpoint, which returns the state of a token ([RFC 7662](https://www.rfc-editor.org/rfc/rfc7662.html)).
  public var introspectionEndpoint: URL?
  /// The logout endpoint
  /// ([OpenID Connect RP-Initiated Logout § 2.1](https://openid.net/specs/openid-connect-rpinitiated-1_0.html#OPMetadata)).
  public var endSessionEndpoint: URL?
  /// The registration endpoint ([RFC 7591](https://www.rfc-editor.org/rfc/rfc7591.html)).
  public var registrationEndpoint: URL?
  /// The endpoints for clients with a certificate, by the name of the metadata member, such as `token_endpoint`
  /// ([RFC 8705 § 5](https://www.rfc-editor.org/rfc/rfc8705.html#section-5)).
  public var mtlsEndpointAliases: [String: URL]?
  /// Whether every authorization response contains `iss` ([RFC 9207 § 3](https://www.rfc-editor.org/rfc/rfc9207.html#section-3)).
  public var authorizationResponseIssParameterSupported: Bool?
  /// Whether every authorization request must be pushed
  /// ([RFC 9126 § 5](https://www.rfc-editor.org/rfc/rfc9126.html#section-5)).
  public var requirePushedAuthorizationRequests: Bool?
  /// Whether every authorization request must be signed
  /// ([RFC 9101 § 10.5](https://www.rfc-editor.org/rfc/rfc9101.html#section-10.5)).
  public var requireSignedRequestObject: Bool?
  /// The signature algorithms for request objects.
  public var requestObjectSigningAlgValuesSupported: [String]?
  /// The client authentication methods of the token endpoint.
  ///
  /// `nil` means `client_secret_basic`.
  public var tokenEndpointAuthMethodsSupported: [String]?
  /// The client authentication methods of the revocation endpoint.
  ///
  /// `nil` means those of the token endpoint.
  public var revocationEndpointAuthMethodsSupported: [String]?
  /// The client authentication methods of the introspection endpoint.
  ///
  /// `nil` means those of the token endpoint.
  public var introspectionEndpointAuthMethodsSupported: [String]?
  /// The signature algorithms for the assertions of `private_key_jwt` and `client_secret_jwt`.
  public var tokenEndpointAuthSigningAlgValuesSupported: [String]?
  /// The grant types of the token endpoint.
  public var grantTypesSupported: [String]?
  /// The scopes listed by the server.
  public var scopesSupported: [Scope]?
  /// The PKCE methods.
  public var codeChallengeMethodsSupported: [String]?
  /// The types of authorization details ([RFC 9396 § 10](https://www.rfc-editor.org/rfc/rfc9396.html#section-10)).
  public var authorizationDetailsTypesSupported: [String]?
  /// Whether a client can identify itself by the URL of its own metadata
  /// ([Client ID Metadata Document](https://datatracker.ietf.org/doc/draft-ietf-oauth-client-id-metadata-document/)).
  public var clientIDMetadataDocumentSupported: Bool?
  /// The identifiers of the protected resources of the server
  /// ([RFC 9728 § 4](https://www.rfc-editor.org/rfc/rfc9728.html#section-4)), or `nil` for a server without a list.
  public var protectedResources: [String]?
  /// The signature algorithms for DPoP proofs
  /// ([RFC 9449 § 5.1](https://www.rfc-editor.org/rfc/rfc9449.html#section-5.1)), or `nil` if the server does not
  /// announce DPoP.
  public var dpopSigningAlgValuesSupported: [String]?
  /// The server's other issuer names in ID tokens.
  ///
  /// They are not part of published metadata.
  public var issuerAliases: [String] = []

  enum CodingKeys: String, CodingKey {
    case issuer
    case authorizationEndpoint = "authorization_endpoint"
    case tokenEndpoint = "token_endpoint"
    case revocationEndpoint = "revocation_endpoint"
    case userinfoEndpoint = "userinfo_endpoint"
    case jwksURI = "jwks_uri"
    case deviceAuthorizationEndpoint = "device_authorization_endpoint"
    case pushedAuthorizationRequestEndpoint = "pushed_authorization_request_endpoint"
    case introspectionEndpoint = "introspection_endpoint"
    case endSessionEndpoint = "end_session_endpoint"
    case registrationEndpoint = "registration_endpoint"
    case mtlsEndpointAliases = "mtls_endpoint_aliases"
    case authorizationResponseIssParameterSupported = "authorization_response_iss_parameter_supported"
    case requirePushedAuthorizationRequests = "require_pushed_authorization_requests"
    case requireSignedRequestObject = "require_signed_request_object"
    case requestObjectSigningAlgValuesSupported = "request_object_signing_alg_values_supported"
    case tokenEndpointAuthMethodsSupported = "token_endpoint_auth_methods_supported"
    case revocationEndpointAuthMethodsSupported = "revocation_endpoint_auth_methods_supported"
    case introspectionEndpointAuthMethodsSupported = "introspection_endpoint_auth_methods_supported"
    case tokenEndpointAuthSigningAlgValuesSupported = "token_endpoint_auth_signing_alg_values_supported"
    case grantTypesSupported = "grant_types_supported"
    case scopesSupported = "scopes_supported"
    case codeChallengeMethodsSupported = "code_challenge_methods_supported"
    case authorizationDetailsTypesSupported = "authorization_details_types_supported"
    case clientIDMetadataDocumentSupported = "client_id_metadata_document_supported"
    case protectedResources = "protected_resources"
    case dpopSigningAlgValuesSupported = "dpop_signing_alg_values_supported"
  }

  /// Creates metadata.
  ///
  /// ```swift
  /// let server = ServerMetadata(issuer: "https://login.example", tokenEndpoint: url.appending(path: "token")) {
  ///   $0.revocationEndpoint = url.appending(path: "revoke")
  ///   $0.tokenEndpointAuthMethodsSupported = ["client_secret_post"]
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - issuer: The server's identifier.
  ///   - authorizationEndpoint: The URL of the sign-in page.
  ///   - tokenEndpoint: The URL of token requests.
  ///   - change: A closure that sets the other members.
  public init(
    issuer: String, authorizationEndpoint: URL? = nil, tokenEndpoint: URL,
    _ change: (inout ServerMetadata) -> Void = { _ in }
  ) {
    self.issuer = issuer
    self.authorizationEndpoint = authorizationEndpoint
    self.tokenEndpoint = tokenEndpoint
    change(&self)
  }
}

extension ServerMetadata {
  /// Returns whether two identifiers name one issuer: they are identical, or differ only by a slash after an empty path
  /// ([RFC 3986 § 6.2.3](https://www.rfc-editor.org/rfc/rfc3986.html#section-6.2.3)).
  ///
  /// Both spellings have the same well-known URLs. Each server uses one spelling, with which `iss` is compared exactly.
  package static func isSameIssuer(_ one: String, _ other: String) -> Bool {
    withoutEmptyPath(one).utf8.elementsEqual(withoutEmptyPath(other).utf8)
  }

  private static func withoutEmptyPath(_ issuer: String) -> Substring {
    guard issuer.hasSuffix("/"), let url = URL(string: issuer), let origin = Origin(url),
      url.path(percentEncoded: true) == "/", origin.isSecure, url.query() == nil, url.fragment() == nil
    else { return issuer[...] }
    return issuer.dropLast()
  }

  /// The server's name in messages.
  package var name: String { OAuthError.printable(issuer, limit: 200) }

  /// Checks that every endpoint is https, or http to loopback.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidConfiguration``.
  package func validate() throws {
    var endpoints = [(CodingKeys.tokenEndpoint.rawValue, tokenEndpoint)]
    endpoints += Self.endpoints.compactMap { endpoint in
      self[keyPath: endpoint.path].map { (endpoint.key.rawValue, $0) }
    }
    endpoints += mtlsEndpointAliases?.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } ?? []
    for (name, url) in endpoints where Origin(url)?.isSecure != true {
      throw OAuthError(
        .invalidConfiguration,
        "The server's \(OAuthError.printable(name, limit: 64)), \(OAuthError.printable(url.absoluteString, limit: 200)), must be an https URL. Plain http is allowed for loopback only."
      )
    }
  }
}
