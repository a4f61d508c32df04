// SPDX-License-Identifier: Apache-2.0

import HTTPTransport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ServerMetadata {
  /// A metadata document as published: only the issuer has to be there.
  struct Document: Decodable {
    let issuer: String
    private var authorizationEndpoint: URL?
    private var tokenEndpoint: URL?
    private var revocationEndpoint: URL?
    private var userinfoEndpoint: URL?
    private var jwksURI: URL?
    private var deviceAuthorizationEndpoint: URL?
    private var authorizationResponseIssParameterSupported: Bool?
    private var tokenEndpointAuthMethodsSupported: [String]?

    /// A member of the wrong form is ignored: an odd one must not cost the others.
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      func value<Value: Decodable>(_ key: CodingKeys) -> Value? {
        try? container.decodeIfPresent(Value.self, forKey: key)
      }
      func secureURL(_ key: CodingKeys) -> URL? {
        (value(key) as URL?).flatMap { Origin($0)?.isSecure == true ? $0 : nil }
      }
      issuer = try container.decode(String.self, forKey: .issuer)
      // These two are required; that they are secure is checked with the rest, and reported.
      authorizationEndpoint = value(.authorizationEndpoint)
      tokenEndpoint = value(.tokenEndpoint)
      revocationEndpoint = secureURL(.revocationEndpoint)
      userinfoEndpoint = secureURL(.userinfoEndpoint)
      jwksURI = secureURL(.jwksURI)
      deviceAuthorizationEndpoint = secureURL(.deviceAuthorizationEndpoint)
      authorizationResponseIssParameterSupported = value(.authorizationResponseIssParameterSupported)
      tokenEndpointAuthMethodsSupported = value(.tokenEndpointAuthMethodsSupported)
    }

    /// Whether another document could add nothing that is used.
    var isComplete: Bool {
      authorizationEndpoint != nil && tokenEndpoint != nil && revocationEndpoint != nil
        && tokenEndpointAuthMethodsSupported != nil && authorizationResponseIssParameterSupported != nil
    }

    /// Returns this document with what it lacks taken from `other`.
    func filled(from other: Document) -> Document {
      var filled = self
      filled.authorizationEndpoint = authorizationEndpoint ?? other.authorizationEndpoint
      filled.tokenEndpoint = tokenEndpoint ?? other.tokenEndpoint
      filled.revocationEndpoint = revocationEndpoint ?? other.revocationEndpoint
      filled.userinfoEndpoint = userinfoEndpoint ?? other.userinfoEndpoint
      filled.jwksURI = jwksURI ?? other.jwksURI
      filled.deviceAuthorizationEndpoint = deviceAuthorizationEndpoint ?? other.deviceAuthorizationEndpoint
      filled.authorizationResponseIssParameterSupported =
        authorizationResponseIssParameterSupported ?? other.authorizationResponseIssParameterSupported
      filled.tokenEndpointAuthMethodsSupported =
        tokenEndpointAuthMethodsSupported ?? other.tokenEndpointAuthMethodsSupported
      return filled
    }

    /// The metadata; `nil` if an endpoint that every authorization needs is missing.
    var metadata: ServerMetadata? {
      guard let authorizationEndpoint, let tokenEndpoint else { return nil }
      return ServerMetadata(
        issuer: issuer, authorizationEndpoint: authorizationEndpoint, tokenEndpoint: tokenEndpoint,
        revocationEndpoint: revocationEndpoint, userinfoEndpoint: userinfoEndpoint, jwksURI: jwksURI,
        deviceAuthorizationEndpoint: deviceAuthorizationEndpoint,
        authorizationResponseIssParameterSupported: authorizationResponseIssParameterSupported,
        tokenEndpointAuthMethodsSupported: tokenEndpointAuthMethodsSupported)
    }
  }
}
