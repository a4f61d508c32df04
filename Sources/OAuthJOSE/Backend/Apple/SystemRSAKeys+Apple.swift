// SPDX-License-Identifier: Apache-2.0

#if canImport(CryptoKit)
  import Foundation
  import Security

  /// An RSA public key in the Security framework.
  ///
  /// Sendable although the compiler cannot verify it: a `SecKey` is immutable, and any thread may call its functions.
  struct SystemRSAPublicKey: @unchecked Sendable {
    private let key: SecKey

    init(pkcs1: [UInt8]) throws(JOSEError) { key = try secKey(pkcs1, class: kSecAttrKeyClassPublic) }

    func verifies(_ signature: [UInt8], of message: [UInt8], padding: RSAPadding) throws(JOSEError) -> Bool {
      SecKeyVerifySignature(key, padding.secKeyAlgorithm, Data(message) as CFData, Data(signature) as CFData, nil)
    }
  }

  /// An RSA private key in the Security framework.
  ///
  /// Sendable for the same reason as ``SystemRSAPublicKey``.
  struct SystemRSAPrivateKey: @unchecked Sendable {
    private let key: SecKey

    /// Creates a key pair.
    ///
    /// This takes some 50 to 500 ms of CPU time for 2048 bits.
    init(generating bits: Int) throws(JOSEError) {
      let attributes: [CFString: Any] = [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: bits]
      guard let key = SecKeyCreateRandomKey(attributes as CFDictionary, nil) else {
        throw JOSEError(.cryptographyFailed, "The RSA key could not be generated.")
      }
      self.key = key
    }

    init(pkcs1: [UInt8]) throws(JOSEError) { key = try secKey(pkcs1, class: kSecAttrKeyClassPrivate) }

    func publicPKCS1() throws(JOSEError) -> [UInt8] {
      guard let key = SecKeyCopyPublicKey(key), let bytes = SecKeyCopyExternalRepresentation(key, nil) else {
        throw JOSEError(.cryptographyFailed, "The RSA public key could not be written.")
      }
      return Array(bytes as Data)
    }

    func pkcs1() throws(JOSEError) -> [UInt8] {
      guard let bytes = SecKeyCopyExternalRepresentation(key, nil) else {
        throw JOSEError(.cryptographyFailed, "The RSA private key could not be written.")
      }
      return Array(bytes as Data)
    }

    func signature(for message: [UInt8], padding: RSAPadding) throws(JOSEError) -> [UInt8] {
      guard let signature = SecKeyCreateSignature(key, padding.secKeyAlgorithm, Data(message) as CFData, nil) else {
        throw JOSEError(.cryptographyFailed, "The content could not be signed.")
      }
      return Array(signature as Data)
    }
  }

  extension RSAPadding {
    /// The Security framework's algorithm.
    ///
    /// With PSS, the salt is as long as the digest.
    fileprivate var secKeyAlgorithm: SecKeyAlgorithm {
      switch self {
      case .pkcs1(.sha256): .rsaSignatureMessagePKCS1v15SHA256
      case .pkcs1(.sha384): .rsaSignatureMessagePKCS1v15SHA384
      case .pkcs1(.sha512): .rsaSignatureMessagePKCS1v15SHA512
      case .pss(.sha256): .rsaSignatureMessagePSSSHA256
      case .pss(.sha384): .rsaSignatureMessagePSSSHA384
      case .pss(.sha512): .rsaSignatureMessagePSSSHA512
      }
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
