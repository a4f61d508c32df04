// SPDX-License-Identifier: Apache-2.0

#if !canImport(CryptoKit)
  import CLibcrypto

  /// A public key of an elliptic curve in the system's library.
  struct SystemECPublicKey: Sendable {
    private let key: EVPKey
    private let curve: EllipticCurve

    /// Checks that the uncompressed point is on the curve.
    init(point: [UInt8], curve: EllipticCurve) throws(JOSEError) {
      key = try EVPKey(publicKey: point, .ec(curve), checked: true)
      self.curve = curve
    }

    /// Verifies a signature of twice the curve's size.
    func verifies(_ signature: [UInt8], of message: [UInt8]) throws(JOSEError) -> Bool {
      let halves = [signature.prefix(curve.size), signature.dropFirst(curve.size)]
      let der = DER.element(DER.Tag.sequence, halves.flatMap { DER.unsignedInteger($0) })
      return try key.verifies(der, of: message, digest: curve.digest)
    }
  }

  /// A private key of an elliptic curve in the system's library.
  struct SystemECPrivateKey: Sendable {
    private let key: EVPKey
    private let curve: EllipticCurve

    init(generating curve: EllipticCurve) throws(JOSEError) {
      // Safe: the context is alive during the call.
      key = try unsafe EVPKey(generating: "EC") { unsafe EVP_PKEY_CTX_set_group_name($0, curve.rawValue) }
      self.curve = curve
    }

    init(scalar: [UInt8], curve: EllipticCurve) throws(JOSEError) {
      var sec1 = ECPrivateKeyInfo.der(scalar: scalar, publicKey: nil)
      defer { sec1.wipe() }
      key = try EVPKey(privateKey: sec1, .ec(curve), checked: true)
      self.curve = curve
    }

    func publicPoint() throws(JOSEError) -> [UInt8] { try key.publicKey() }

    func scalar() throws(JOSEError) -> [UInt8] {
      let outer = try key.privateKey()
      guard let inner = ECPrivateKeyInfo(der: outer.key) else { throw failedCryptography() }
      return inner.scalar
    }

    /// Returns r and s with their full length, from libcrypto's DER.
    func signature(for message: [UInt8]) throws(JOSEError) -> [UInt8] {
      var reader = DER.Reader(try key.signature(for: message, digest: curve.digest))
      guard var halves = reader.nested(), let r = halves.unsignedInteger(), let s = halves.unsignedInteger(),
        r.count <= curve.size, s.count <= curve.size
      else { throw failedCryptography() }
      return [r, s].flatMap { [UInt8](repeating: 0, count: curve.size - $0.count) + $0 }
    }
  }
#endif
