// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import PlatformFoundation

extension ServerMetadata {
  /// The optional endpoints.
  static let endpoints: [Endpoint] = [
    Endpoint(.authorizationEndpoint, .authorizationEndpoint, \.authorizationEndpoint),
    Endpoint(.revocationEndpoint, .revocationEndpoint, \.revocationEndpoint),
    Endpoint(.userinfoEndpoint, .userinfoEndpoint, \.userinfoEndpoint), Endpoint(.jwksURI, .jwksURI, \.jwksURI),
    Endpoint(.deviceAuthorizationEndpoint, .deviceAuthorizationEndpoint, \.deviceAuthorizationEndpoint),
    Endpoint(
      .pushedAuthorizationRequestEndpoint, .pushedAuthorizationRequestEndpoint, \.pushedAuthorizationRequestEndpoint),
    Endpoint(.introspectionEndpoint, .introspectionEndpoint, \.introspectionEndpoint),
    Endpoint(.registrationEndpoint, .registrationEndpoint, \.registrationEndpoint),
    Endpoint(.endSessionEndpoint, .endSessionEndpoint, \.endSessionEndpoint),
  ]

  /// An optional endpoint, with the rule for its URL.
  struct Endpoint: Sendable {
    let key: CodingKeys
    let kind: ServerURL
    let path: any (WritableKeyPath<ServerMetadata, URL?> & Sendable)

    init(_ key: CodingKeys, _ kind: ServerURL, _ path: any (WritableKeyPath<ServerMetadata, URL?> & Sendable)) {
      (self.key, self.kind, self.path) = (key, kind, path)
    }
  }

  /// Checks all URLs of a document published by the issuer.
  ///
  /// - Throws: ``OAuthError``.
  func checkNamedURLs() throws(OAuthError) {
    guard let server = Origin(issuer) else { return }
    try ServerURL.tokenEndpoint.check(tokenEndpoint, namedBy: server)
    for endpoint in Self.endpoints {
      if let url = self[keyPath: endpoint.path] { try endpoint.kind.check(url, namedBy: server) }
    }
    for url in (mtlsEndpointAliases ?? [:]).values { try ServerURL.mtlsEndpointAliases.check(url, namedBy: server) }
  }

  /// The other optional members.
  private static let values: [any Member] = [
    Value(.mtlsEndpointAliases, \.mtlsEndpointAliases),
    Value(.authorizationResponseIssParameterSupported, \.authorizationResponseIssParameterSupported),
    Value(.requirePushedAuthorizationRequests, \.requirePushedAuthorizationRequests),
    Value(.requireSignedRequestObject, \.requireSignedRequestObject),
    Value(.requestObjectSigningAlgValuesSupported, \.requestObjectSigningAlgValuesSupported),
    Value(.tokenEndpointAuthMethodsSupported, \.tokenEndpointAuthMethodsSupported),
    Value(.revocationEndpointAuthMethodsSupported, \.revocationEndpointAuthMethodsSupported),
    Value(.introspectionEndpointAuthMethodsSupported, \.introspectionEndpointAuthMethodsSupported),
    Value(.tokenEndpointAuthSigningAlgValuesSupported, \.tokenEndpointAuthSigningAlgValuesSupported),
    Value(.grantTypesSupported, \.grantTypesSupported), Value(.scopesSupported, \.scopesSupported),
    Value(.codeChallengeMethodsSupported, \.codeChallengeMethodsSupported),
    Value(.authorizationDetailsTypesSupported, \.authorizationDetailsTypesSupported),
    Value(.clientIDMetadataDocumentSupported, \.clientIDMetadataDocumentSupported),
    Value(.protectedResources, \.protectedResources),
    Value(.dpopSigningAlgValuesSupported, \.dpopSigningAlgValuesSupported),
  ]

  /// All optional members.
  private static let members = endpoints.map { Value($0.key, $0.path) as any Member } + values

  /// Decodes the optional members of a document, ignoring malformed ones.
  mutating func read(_ container: KeyedDecodingContainer<CodingKeys>) {
    for member in Self.members { member.read(container, into: &self) }
    // `validate()` reports an authorization endpoint that is not secure.
    for endpoint in Self.endpoints where endpoint.key != .authorizationEndpoint {
      if let url = self[keyPath: endpoint.path], Origin(url)?.isSecure != true { self[keyPath: endpoint.path] = nil }
    }
    mtlsEndpointAliases = mtlsEndpointAliases?.filter { Origin($0.value)?.isSecure == true }
  }

  /// Sets the missing optional members from `other`.
  mutating func fill(from other: ServerMetadata) {
    for member in Self.members { member.fill(&self, from: other) }
  }

  private protocol Member: Sendable {
    var key: CodingKeys { get }
    func read(_ container: KeyedDecodingContainer<CodingKeys>, into metadata: inout ServerMetadata)
    func fill(_ metadata: inout ServerMetadata, from other: ServerMetadata)
  }

  private struct Value<Content: Decodable>: Member {
    let key: CodingKeys
    let path: any (WritableKeyPath<ServerMetadata, Content?> & Sendable)

    init(_ key: CodingKeys, _ path: any (WritableKeyPath<ServerMetadata, Content?> & Sendable)) {
      self.key = key
      self.path = path
    }

    func read(_ container: KeyedDecodingContainer<CodingKeys>, into metadata: inout ServerMetadata) {
      metadata[keyPath: path] = try? container.decodeIfPresent(Content.self, forKey: key)
    }

    func fill(_ metadata: inout ServerMetadata, from other: ServerMetadata) {
      metadata[keyPath: path] = metadata[keyPath: path] ?? other[keyPath: path]
    }
  }
}
