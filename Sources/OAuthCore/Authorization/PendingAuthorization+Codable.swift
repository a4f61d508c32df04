// SPDX-License-Identifier: Apache-2.0

import Timekeeping
import TokenStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension PendingAuthorization: Codable {
  private enum CodingKeys: String, CodingKey {
    case authorizationURL, redirectURI, issuer, scopes, state, nonce, verifier, authentication, resources, proofKey
    case lifetime, deadline
  }

  /// Writes the value, secrets included, for a session that outlives the process.
  ///
  /// Keep it where only its user can reach it.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(authorizationURL, forKey: .authorizationURL)
    try container.encode(redirectURI, forKey: .redirectURI)
    try container.encode(issuer, forKey: .issuer)
    try container.encode(scopes, forKey: .scopes)
    try container.encode(state.reveal(), forKey: .state)
    try container.encodeIfPresent(nonce?.reveal(), forKey: .nonce)
    try container.encode(pkce.verifier.reveal(), forKey: .verifier)
    try container.encode(authentication, forKey: .authentication)
    try container.encode(resources, forKey: .resources)
    try container.encodeIfPresent(proofKey, forKey: .proofKey)
    try container.encode(lifetime, forKey: .lifetime)
    try container.encode(deadline, forKey: .deadline)
  }

  /// Reads what ``encode(to:)`` has written.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      authorizationURL: try container.decode(URL.self, forKey: .authorizationURL),
      redirectURI: try container.decode(URL.self, forKey: .redirectURI),
      issuer: try container.decode(String.self, forKey: .issuer),
      scopes: try container.decode([String].self, forKey: .scopes),
      state: Secret(try container.decode(String.self, forKey: .state)),
      nonce: try container.decodeIfPresent(String.self, forKey: .nonce).map { Secret($0) },
      pkce: PKCE(verifier: Secret(try container.decode(String.self, forKey: .verifier))),
      authentication: try container.decodeIfPresent(AuthenticationRequirement.self, forKey: .authentication) ?? .init(),
      resources: try container.decodeIfPresent([URL].self, forKey: .resources) ?? [],
      proofKey: try container.decodeIfPresent(ProofKey.self, forKey: .proofKey),
      lifetime: try container.decode(Duration.self, forKey: .lifetime),
      deadline: try container.decode(Timestamp.self, forKey: .deadline))
  }
}
