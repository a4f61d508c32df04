// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ServerMetadata {
  /// A metadata document as published: only the issuer has to be there.
  struct Document: Decodable {
    let issuer: String
    private var tokenEndpoint: URL?
    /// Everything else, its token endpoint being a stand-in.
    private var optional: ServerMetadata

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      issuer = try container.decode(String.self, forKey: .issuer)
      // It is required; that it is secure is checked with the rest, and reported.
      tokenEndpoint = try? container.decodeIfPresent(URL.self, forKey: .tokenEndpoint)
      optional = ServerMetadata(issuer: issuer, tokenEndpoint: tokenEndpoint ?? URL(filePath: "/"))
      optional.read(container)
    }

    /// Whether another document could add nothing that is used.
    var isComplete: Bool {
      tokenEndpoint != nil && optional.authorizationEndpoint != nil && optional.revocationEndpoint != nil
        && optional.tokenEndpointAuthMethodsSupported != nil
        && optional.authorizationResponseIssParameterSupported != nil
    }

    /// Returns this document with what it lacks taken from `other`.
    func filled(from other: Document) -> Document {
      var filled = self
      filled.tokenEndpoint = tokenEndpoint ?? other.tokenEndpoint
      filled.optional.fill(from: other.optional)
      return filled
    }

    /// The metadata; `nil` if the token endpoint is missing.
    var metadata: ServerMetadata? {
      guard let tokenEndpoint else { return nil }
      var metadata = optional
      metadata.tokenEndpoint = tokenEndpoint
      return metadata
    }
  }
}
