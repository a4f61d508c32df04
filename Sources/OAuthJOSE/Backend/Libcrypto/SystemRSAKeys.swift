// SPDX-License-Identifier: Apache-2.0

#if !canImport(CryptoKit)
  import CLibcrypto

  /// An RSA public key in the system's library.
  struct SystemRSAPublicKey: Sendable {
    private let key: EVPKey

    init(pkcs1: [UInt8]) throws(JOSEError) { key = try EVPKey(publicKey: pkcs1, .rsa, checked: false) }

    func verifies(_ signature: [UInt8], of message: [UInt8], padding: RSAPadding) throws(JOSEError) -> Bool {
      try key.verifies(signature, of: message, digest: padding.digest, isPSS: padding.isPSS)
    }
  }

  /// An RSA private key in the system's library.
  struct SystemRSAPrivateKey: Sendable {
    private let key: EVPKey

    /// Creates a key pair.
    ///
    /// This takes some 50 to 500 ms of CPU time for 2048 bits.
    init(generating bits: Int) throws(JOSEError) {
      // Safe: the context is alive during the call.
      key = try unsafe EVPKey(generating: "RSA") { unsafe EVP_PKEY_CTX_set_rsa_keygen_bits($0, CInt(clamping: bits)) }
    }

    init(pkcs1: [UInt8]) throws(JOSEError) { key = try EVPKey(privateKey: pkcs1, .rsa, checked: false) }

    func publicPKCS1() throws(JOSEError) -> [UInt8] { try key.publicKey() }

    func pkcs1() throws(JOSEError) -> [UInt8] { try key.privateKey().key }

    func signature(for message: [UInt8], padding: RSAPadding) throws(JOSEError) -> [UInt8] {
      try key.signature(for: message, digest: padding.digest, isPSS: padding.isPSS)
    }
  }

  extension RSAPadding {
    fileprivate var isPSS: Bool {
      if case .pss = self { true } else { false }
    }
  }
#endif
