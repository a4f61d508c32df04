// SPDX-License-Identifier: Apache-2.0

#if !canImport(CryptoKit)
  /// A public key of Ed25519 in the system's library.
  struct SystemEd25519PublicKey: Sendable {
    private let key: EVPKey

    init(_ bytes: [UInt8]) throws(JOSEError) { key = try EVPKey(publicKey: bytes, .ed25519, checked: true) }

    func verifies(_ signature: [UInt8], of message: [UInt8]) throws(JOSEError) -> Bool {
      try key.verifies(signature, of: message, digest: nil)
    }
  }

  /// A private key of Ed25519 in the system's library.
  struct SystemEd25519PrivateKey: Sendable {
    private let key: EVPKey

    /// Creates a key pair.
    init() throws(JOSEError) { key = try unsafe EVPKey(generating: "ED25519") }

    init(seed: [UInt8]) throws(JOSEError) {
      var octets = DER.element(DER.Tag.octetString, seed)
      defer { octets.wipe() }
      key = try EVPKey(privateKey: octets, .ed25519, checked: false)
    }

    func publicKey() throws(JOSEError) -> [UInt8] { try key.publicKey() }

    func seed() throws(JOSEError) -> [UInt8] {
      let info = try key.privateKey()
      var reader = DER.Reader(info.key)
      guard let seed = reader.read(DER.Tag.octetString) else { throw failedCryptography() }
      return Array(seed)
    }

    func signature(for message: [UInt8]) throws(JOSEError) -> [UInt8] { try key.signature(for: message, digest: nil) }
  }
#endif
