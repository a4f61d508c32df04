// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import PlatformFoundation

extension ServerMetadata {
  /// The optional endpoints.
  static let endpoints: [(key: CodingKeys, path: any (WritableKeyPath<ServerMetadata, URL?> & Sendable))] = [
    (.authorizationEndpoint, \.authorizationEndpoint), (.revocationEndpoint, \.revocationEndpoint),
    (.userinfoEndpoint, \.userinfoEndpoint), (.jwksURI, \.jwksURI),
    (.deviceAuthorizationEndpoint, \.deviceAuthorizationEndpoint),
    (.pushedAuthorizationRequestEndpoint, \.pushedAuthorizationRequestEndpoint),
    (.introspectionEndpoint, \.introspectionEndpoint), (.registrationEndpoint, \.registrationEndpoint),
    (.endSessionEndpoint, \.endSessionEndpoint),
  ]

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
    for (key, path) in Self.endpoints where key != .authorizationEndpoint {
      if let url = self[keyPath: path], Origin(url)?.isSecure != true { self[keyPath: path] = nil }
    }
    mtlsEndpointAliases = mtlsEndpointAliases?.filter { Origin($0.value)?.isSecure == true }
  }

  /// Sets the missing optional members from `other`.
  mutating func fill(from other: ServerMetadata) {
    for member in Self.members { member.fill(&self, from: other) }
  }

  private protocol Member: Sendable {
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
