// SPDX-License-Identifier: Apache-2.0

/// A key that signs a JWS: what ``JWS/sign(_:with:keyID:type:publicKey:)`` takes.
///
/// ``SigningKey`` and ``ClientSecretKey`` are ready ones. A key that a hardware module or a key service holds needs two members.
public protocol JWSSigningKey: Sendable {
  /// The algorithm, which goes into the header.
  var algorithm: JWS.Algorithm { get }

  /// Returns the signature of `message`, in the form that the algorithm has in a JWS
  /// ([RFC 7518 § 3](https://www.rfc-editor.org/rfc/rfc7518.html#section-3)).
  func signature(for message: [UInt8]) throws(JOSEError) -> [UInt8]
}
