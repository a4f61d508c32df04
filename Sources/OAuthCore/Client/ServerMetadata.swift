// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What an authorization server says of itself
/// ([RFC 8414 § 2](https://www.rfc-editor.org/rfc/rfc8414.html#section-2),
/// [OpenID Connect Discovery § 3](https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderMetadata)).
///
/// A value is written by hand, taken from ``Provider``, or read with ``discover(issuer:transport:)``.
public struct ServerMetadata: Sendable, Hashable, Codable {
  /// The server's identifier, an https URL without query and fragment.
  public var issuer: String
  /// Where the user is sent.
  public var authorizationEndpoint: URL
  /// Where codes and refresh tokens are exchanged.
  public var tokenEndpoint: URL
  /// Where tokens are revoked ([RFC 7009](https://www.rfc-editor.org/rfc/rfc7009.html)).
  public var revocationEndpoint: URL?
  /// Where the user's profile is read.
  public var userinfoEndpoint: URL?
  /// Where the keys that sign ID tokens are published.
  public var jwksURI: URL?
  /// Where a device requests a code ([RFC 8628](https://www.rfc-editor.org/rfc/rfc8628.html)).
  public var deviceAuthorizationEndpoint: URL?
  /// Whether every authorization response carries `iss` ([RFC 9207 § 3](https://www.rfc-editor.org/rfc/rfc9207.html#section-3)).
  public var authorizationResponseIssParameterSupported: Bool?
  /// The client authentication methods of the token endpoint; `nil` means `client_secret_basic`.
  public var tokenEndpointAuthMethodsSupported: [String]?
  /// Other names under which the server signs ID tokens.
  ///
  /// It is no part of published metadata.
  public var issuerAliases: [String] = []

  enum CodingKeys: String, CodingKey {
    case issuer
    case authorizationEndpoint = "authorization_endpoint"
    case tokenEndpoint = "token_endpoint"
    case revocationEndpoint = "revocation_endpoint"
    case userinfoEndpoint = "userinfo_endpoint"
    case jwksURI = "jwks_uri"
    case deviceAuthorizationEndpoint = "device_authorization_endpoint"
    case authorizationResponseIssParameterSupported = "authorization_response_iss_parameter_supported"
    case tokenEndpointAuthMethodsSupported = "token_endpoint_auth_methods_supported"
  }

  /// Creates metadata by hand.
  public init(
    issuer: String, authorizationEndpoint: URL, tokenEndpoint: URL, revocationEndpoint: URL? = nil,
    userinfoEndpoint: URL? = nil, jwksURI: URL? = nil, deviceAuthorizationEndpoint: URL? = nil,
    authorizationResponseIssParameterSupported: Bool? = nil,
    tokenEndpointAuthMethodsSupported: [String]? = nil, issuerAliases: [String] = []
  ) {
    self.issuer = issuer
    self.authorizationEndpoint = authorizationEndpoint
    self.tokenEndpoint = tokenEndpoint
    self.revocationEndpoint = revocationEndpoint
    self.userinfoEndpoint = userinfoEndpoint
    self.jwksURI = jwksURI
    self.deviceAuthorizationEndpoint = deviceAuthorizationEndpoint
    self.authorizationResponseIssParameterSupported = authorizationResponseIssParameterSupported
    self.tokenEndpointAuthMethodsSupported = tokenEndpointAuthMethodsSupported
    self.issuerAliases = issuerAliases
  }
}

extension ServerMetadata {
  /// The server in a message.
  package var name: String { OAuthError.printable(issuer, limit: 200) }

  /// Checks that every endpoint is https, or http that does not leave the machine.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidConfiguration``.
  package func validate() throws {
    let endpoints = [
      ("authorization", authorizationEndpoint), ("token", tokenEndpoint), ("revocation", revocationEndpoint),
      ("userinfo", userinfoEndpoint), ("jwks", jwksURI), ("device authorization", deviceAuthorizationEndpoint),
    ]
    for case (let name, let url?) in endpoints where Origin(url)?.isSecure != true {
      throw OAuthError(
        .invalidConfiguration,
        "The \(name) endpoint \(OAuthError.printable(url.absoluteString, limit: 200)) must be an https URL; plain http is for loopback only."
      )
    }
  }
}
