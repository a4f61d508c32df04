// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ServerMetadata {
  /// The endpoints that a server may lack.
  static let endpoints: [(key: CodingKeys, path: any (WritableKeyPath<ServerMetadata, URL?> & Sendable))] = [
    (.authorizationEndpoint, \.authorizationEndpoint), (.revocationEndpoint, \.revocationEndpoint),
    (.userinfoEndpoint, \.userinfoEndpoint), (.jwksURI, \.jwksURI),
    (.deviceAuthorizationEndpoint, \.deviceAuthorizationEndpoint),
    (.pushedAuthorizationRequestEndpoint, \.pushedAuthorizationRequestEndpoint),
    (.introspectionEndpoint, \.introspectionEndpoint), (.registrationEndpoint, \.registrationEndpoint),
    (.endSessionEndpoint, \.endSessionEndpoint),
  ]

  /// The other members that a document may leave out.
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

  /// Every member that a document may leave out.
  private static let members = endpoints.map { Value($0.key, $0.path) as any Member } + values

  /// Takes over the optional members of a document; one of the wrong form is ignored, since it must not cost the others.
  mutating func read(_ container: KeyedDecodingContainer<CodingKeys>) {
    for member in Self.members { member.read(container, into: &self) }
    // The authorization endpoint is checked with the token endpoint, and reported.
    for (key, path) in Self.endpoints where key != .authorizationEndpoint {
      if let url = self[keyPath: path], Origin(url)?.isSecure != true { self[keyPath: path] = nil }
    }
    mtlsEndpointAliases = mtlsEndpointAliases?.filter { Origin($0.value)?.isSecure == true }
  }

  /// Takes from `other` what is missing here.
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
