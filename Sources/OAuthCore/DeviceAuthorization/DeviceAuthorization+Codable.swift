// SPDX-License-Identifier: Apache-2.0

import Timekeeping
import TokenStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension DeviceAuthorization: Codable {
  private enum CodingKeys: CodingKey {
    case userCode, verificationURI, verificationURIComplete, interval, lifetime, deadline, deviceCode, issuer, scopes
    case resources, proofKey
  }

  /// Writes the value, its secret included, for a sign-in that outlives the process.
  ///
  /// Keep it where only its user can reach it.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(userCode, forKey: .userCode)
    try container.encode(verificationURI, forKey: .verificationURI)
    try container.encodeIfPresent(verificationURIComplete, forKey: .verificationURIComplete)
    try container.encode(interval, forKey: .interval)
    try container.encode(lifetime, forKey: .lifetime)
    try container.encode(deadline, forKey: .deadline)
    try container.encode(deviceCode.reveal(), forKey: .deviceCode)
    try container.encode(issuer, forKey: .issuer)
    try container.encode(scopes, forKey: .scopes)
    try container.encode(resources, forKey: .resources)
    try container.encodeIfPresent(proofKey, forKey: .proofKey)
  }

  /// Reads what ``encode(to:)`` has written.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      userCode: try container.decode(String.self, forKey: .userCode),
      verificationURI: try container.decode(URL.self, forKey: .verificationURI),
      verificationURIComplete: try container.decodeIfPresent(URL.self, forKey: .verificationURIComplete),
      interval: try container.decode(Duration.self, forKey: .interval),
      lifetime: try container.decode(Duration.self, forKey: .lifetime),
      deadline: try container.decode(Timestamp.self, forKey: .deadline),
      deviceCode: Secret(try container.decode(String.self, forKey: .deviceCode)),
      issuer: try container.decode(String.self, forKey: .issuer),
      scopes: try container.decode([String].self, forKey: .scopes),
      resources: try container.decode([URL].self, forKey: .resources),
      proofKey: try container.decodeIfPresent(ProofKey.self, forKey: .proofKey))
  }
}
