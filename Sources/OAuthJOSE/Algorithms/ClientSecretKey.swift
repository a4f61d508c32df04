// SPDX-License-Identifier: Apache-2.0

/// A secret shared by client and server, for HS256: the key of `client_secret_jwt`
/// ([OpenID Connect Core § 9](https://openid.net/specs/openid-connect-core-1_0.html#ClientAuthentication)) only.
///
/// It is a separate type, so a public key cannot be used as a shared secret, nor a shared secret as a public key.
public struct ClientSecretKey: JWSSigningKey {
  private let secret: SecretBytes

  /// Creates a key from the UTF-8 of a client secret.
  ///
  /// - Throws: ``JOSEError`` with code ``JOSEError/Code/unsuitableKey`` if the secret is shorter than 32 bytes
  ///   ([RFC 7518 § 3.2](https://www.rfc-editor.org/rfc/rfc7518.html#section-3.2)).
  public init(_ clientSecret: String) throws(JOSEError) {
    var bytes = Array(clientSecret.utf8)
    defer { bytes.wipe() }
    try self.init(bytes: bytes)
  }

  /// Creates a key from bytes.
  ///
  /// - Throws: The errors of ``init(_:)``.
  public init(bytes: [UInt8]) throws(JOSEError) {
    guard bytes.count >= 32 else {
      throw JOSEError(
        .unsuitableKey, "A secret for HS256 must have at least 32 bytes. Use another client authentication.")
    }
    secret = SecretBytes(bytes)
  }

  /// HS256.
  public var algorithm: JWS.Algorithm { .hs256 }

  /// Returns the 32 bytes of HMAC with SHA-256 ([RFC 2104](https://www.rfc-editor.org/rfc/rfc2104.html)).
  public func signature(for message: [UInt8]) -> [UInt8] {
    // Safe: the bytes are read during the call only.
    unsafe secret.withBytes { key in unsafe Cryptography.hmacSHA256(message, key: key) }
  }
}

extension JWS.Algorithm {
  /// HMAC with SHA-256, for a ``ClientSecretKey`` only.
  public static let hs256 = JWS.Algorithm(rawValue: "HS256")
}

extension JWS {
  /// Returns the payload after verifying the signature with a shared secret.
  ///
  /// - Throws: ``JOSEError`` with code ``JOSEError/Code/algorithmNotAllowed`` if the header names an algorithm other than
  ///   HS256, or ``JOSEError/Code/invalidSignature``.
  public func payload(verifiedWith secret: ClientSecretKey) throws(JOSEError) -> [UInt8] {
    try verifiedPayload(allowing: [secret.algorithm]) { signature, message throws(JOSEError) in
      let expected = secret.signature(for: message)
      return expected.count == signature.count && Cryptography.equal(expected, signature)
    }
  }
}

extension ClientSecretKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// A fixed text without the secret.
  public var description: String { "client secret for HS256" }

  /// A fixed text without the secret.
  public var debugDescription: String { description }

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
