// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension JWS {
  /// The members of a protected header that this module acts on
  /// ([RFC 7515 § 4.1](https://www.rfc-editor.org/rfc/rfc7515.html#section-4.1)).
  ///
  /// Keys that a header carries or points to (`jwk`, `jku`, `x5c`) are never used: what checks a proof of
  /// possession takes ``publicKey`` and compares its thumbprint with the one it expects.
  public struct Header: Sendable, Hashable {
    /// The algorithm, `alg`.
    public let algorithm: Algorithm
    /// The name of the key, `kid`.
    public let keyID: String?
    /// What the whole is, `typ`.
    public let type: String?
    /// The public key that the sender claims to have signed with, `jwk`.
    public let publicKey: JWK?
  }
}

extension JWS.Header: Codable {
  private enum CodingKeys: String, CodingKey {
    case algorithm = "alg"
    case keyID = "kid"
    case type = "typ"
    case publicKey = "jwk"
  }

  /// What makes a header invalid by being there.
  private struct Extensions: Decodable {
    let hasCritical: Bool
    let hasPrivateKey: Bool

    private enum CodingKeys: String, CodingKey {
      case critical = "crit"
      case publicKey = "jwk"
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      hasCritical = container.contains(.critical)
      let key = try? container.nestedContainer(keyedBy: JWK.Member.self, forKey: .publicKey)
      hasPrivateKey = key?.allKeys.contains { JWK.secretMembers.contains($0.stringValue) } ?? false
    }
  }

  init(json: [UInt8]) throws(JOSEError) {
    let data = Data(json)
    guard let header = try? JSONDecoder().decode(Self.self, from: data),
      let extensions = try? JSONDecoder().decode(Extensions.self, from: data)
    else { throw JOSEError(.malformed, "The header of the JWS is not a JSON object with an algorithm.") }
    guard JSONMembers.areUnique(in: json) else {
      throw JOSEError(.malformed, "The header of the JWS names a parameter twice.")
    }
    // RFC 7515 § 4.1.3, RFC 9449 § 4.3: the key is public.
    guard !extensions.hasPrivateKey else {
      throw JOSEError(.malformed, "The header of the JWS gives a private key away.")
    }
    // RFC 7515 § 4.1.11: an extension that must be understood and is not makes the whole invalid.
    guard !extensions.hasCritical else {
      throw JOSEError(.unsupportedExtension, "The JWS demands an extension that is not understood.")
    }
    self = header
  }

  func json() throws(JOSEError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else {
      throw JOSEError(.malformed, "The header of the JWS cannot be written as JSON.")
    }
    return Array(data)
  }
}
