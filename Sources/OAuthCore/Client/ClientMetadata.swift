// SPDX-License-Identifier: Apache-2.0

public import OAuthJOSE

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What a client says of itself when it registers
/// ([RFC 7591 § 2](https://www.rfc-editor.org/rfc/rfc7591.html#section-2)).
///
/// What is `nil` is left to the server, which may also replace what is set.
public struct ClientMetadata: Sendable, Hashable, Codable {
  /// Where the server may send users back to.
  public var redirectURIs: [URL]?
  /// How the client authenticates.
  public var tokenEndpointAuthMethod: String?
  /// The algorithm of the assertions by which it authenticates.
  public var tokenEndpointAuthSigningAlg: String?
  /// The grants that the client uses.
  public var grantTypes: [String]?
  /// The response types that the client uses.
  public var responseTypes: [String]?
  /// The name that users are shown.
  public var clientName: String?
  /// A page about the client.
  public var clientURI: URL?
  /// The client's logo.
  public var logoURI: URL?
  /// The scopes that the client may ask for, with spaces between them.
  public var scope: String?
  /// Who is responsible, usually e-mail addresses.
  public var contacts: [String]?
  /// The terms of service.
  public var tosURI: URL?
  /// The privacy policy.
  public var policyURI: URL?
  /// Where the client publishes its keys.
  public var jwksURI: URL?
  /// The client's keys, where it has no `jwks_uri`.
  public var jwks: JWKSet?
  /// The identifier of the software, the same for all that run it.
  public var softwareID: String?
  /// The version of the software.
  public var softwareVersion: String?
  /// Metadata that another party has signed.
  public var softwareStatement: String?
  /// `native` or `web`, in OpenID Connect.
  public var applicationType: String?
  /// The algorithm of the client's request objects.
  public var requestObjectSigningAlg: String?
  /// Whether the client always pushes its requests.
  public var requirePushedAuthorizationRequests: Bool?
  /// Whether the client's tokens are always bound to a key
  /// ([RFC 9449 § 5.2](https://www.rfc-editor.org/rfc/rfc9449.html#section-5.2)).
  public var dpopBoundAccessTokens: Bool?
  /// The subject of the certificate that the client presents.
  public var tlsClientAuthSubjectDN: String?

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

  /// Reads metadata.
  ///
  /// A member of the wrong form counts as missing: some servers write an empty string for a missing URL, which must not make the
  /// registration unreadable.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func read<Value: Decodable>(_ key: CodingKeys) -> Value? { try? container.decodeIfPresent(Value.self, forKey: key) }
    redirectURIs = read(.redirectURIs)
    tokenEndpointAuthMethod = read(.tokenEndpointAuthMethod)
    tokenEndpointAuthSigningAlg = read(.tokenEndpointAuthSigningAlg)
    grantTypes = read(.grantTypes)
    responseTypes = read(.responseTypes)
    clientName = read(.clientName)
    clientURI = read(.clientURI)
    logoURI = read(.logoURI)
    scope = read(.scope)
    contacts = read(.contacts)
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

  /// Creates metadata; the other members are set afterwards.
  ///
  /// - Parameters:
  ///   - clientName: The name that users are shown.
  ///   - redirectURIs: Where the server may send users back to; empty for a client without users.
  ///   - tokenEndpointAuthMethod: How the client authenticates; `none` for one that cannot keep a secret. `nil` leaves it to the server:
  ///     see ``authenticating(at:)``.
  public init(clientName: String? = nil, redirectURIs: [URL] = [], tokenEndpointAuthMethod: String? = nil) {
    self.clientName = clientName
    self.redirectURIs = redirectURIs.isEmpty ? nil : redirectURIs
    self.tokenEndpointAuthMethod = tokenEndpointAuthMethod
  }
}

extension ClientMetadata {
  /// Returns the metadata with a client authentication method that the server lists
  /// ([RFC 8414 § 2](https://www.rfc-editor.org/rfc/rfc8414.html#section-2)), unless one is set.
  ///
  /// The choice is `private_key_jwt` if the metadata has keys, else `none`, else the first method of the server's list that uses a
  /// secret: servers list first what they support best. A server without a list gets `none`. If the server lists none of these
  /// methods, the member stays `nil`, and the server chooses.
  ///
  /// - Parameter server: The metadata of the server that the client registers at.
  public func authenticating(at server: ServerMetadata) -> ClientMetadata {
    guard tokenEndpointAuthMethod == nil else { return self }
    let hasKeys = jwks != nil || jwksURI != nil
    let preferred = (hasKeys ? ["private_key_jwt"] : []) + ["none"]
    var metadata = self
    metadata.tokenEndpointAuthMethod =
      server.tokenEndpointAuthMethodsSupported.map { listed in
        preferred.first(where: listed.contains) ?? listed.first(where: ServerMetadata.secretMethods.contains)
      } ?? (hasKeys ? "private_key_jwt" : "none")
    return metadata
  }
}
