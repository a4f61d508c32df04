// SPDX-License-Identifier: Apache-2.0

#if canImport(CryptoKit)
  import CryptoKit
  import Darwin
  import Foundation
  import Security

  /// What the module asks of the system's cryptography library: here CryptoKit and the Security framework.
  enum Cryptography {
    static func sha256(_ bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }

    /// Returns whether `signature` is an RSASSA-PKCS1-v1_5 signature with SHA-256 of `message` by a PKCS #1 public key.
    static func verifyRS256(_ signature: [UInt8], of message: [UInt8], publicKey: [UInt8]) throws(JOSEError) -> Bool {
      let key = try secKey(publicKey, class: kSecAttrKeyClassPublic)
      return SecKeyVerifySignature(
        key, .rsaSignatureMessagePKCS1v15SHA256, Data(message) as CFData, Data(signature) as CFData, nil)
    }
  }

  /// An RSA key that the Security framework holds.
  ///
  /// Sendable although the compiler cannot see it: a `SecKey` is immutable, and its functions may be called from any
  /// thread.
  final class RSAKey: @unchecked Sendable {
    private let key: SecKey

    /// Creates a key pair; takes a CPU some 50 to 500 ms for 2048 bits.
    init(generating bits: Int) throws(JOSEError) {
      let attributes: [CFString: Any] = [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: bits]
      guard let key = SecKeyCreateRandomKey(attributes as CFDictionary, nil) else {
        throw JOSEError(.cryptographyFailed, "The RSA key could not be generated.")
      }
      self.key = key
    }

    /// Reads a PKCS #1 private key.
    init(privateKey bytes: [UInt8]) throws(JOSEError) {
      key = try secKey(bytes, class: kSecAttrKeyClassPrivate)
    }

    /// The public key in the form of PKCS #1.
    func publicKey() throws(JOSEError) -> [UInt8] {
      guard let key = SecKeyCopyPublicKey(key), let bytes = SecKeyCopyExternalRepresentation(key, nil) else {
        throw JOSEError(.cryptographyFailed, "The RSA public key could not be written.")
      }
      return Array(bytes as Data)
    }

    /// Signs with RSASSA-PKCS1-v1_5 and SHA-256.
    func sign(_ message: [UInt8]) throws(JOSEError) -> [UInt8] {
      let signature = SecKeyCreateSignature(
        key, .rsaSignatureMessagePKCS1v15SHA256, Data(message) as CFData, nil)
      guard let signature else { throw JOSEError(.cryptographyFailed, "The content could not be signed.") }
      return Array(signature as Data)
    }
  }

  private func secKey(_ bytes: [UInt8], class keyClass: CFString) throws(JOSEError) -> SecKey {
    let attributes: [CFString: Any] = [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeyClass: keyClass]
    guard let key = SecKeyCreateWithData(Data(bytes) as CFData, attributes as CFDictionary, nil) else {
      throw JOSEError(.unsuitableKey, "The RSA key could not be read.")
    }
    return key
  }
#endif
