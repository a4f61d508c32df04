// SPDX-License-Identifier: Apache-2.0

#if !canImport(CryptoKit)
  import CLibcrypto

  /// The cryptographic functions besides keys, by the system's library: OpenSSL's libcrypto, version 3.
  enum Cryptography {
    static func digest(_ bytes: [UInt8], _ algorithm: MessageDigest.Algorithm) -> [UInt8] {
      unsafe [UInt8](unsafeUninitializedCapacity: algorithm.count) { output, count in
        // Safe: EVP_Digest reads exactly `bytes.count` bytes and writes a digest that fits the output.
        let done = unsafe bytes.withUnsafeBytes { input in
          unsafe EVP_Digest(input.baseAddress, input.count, output.baseAddress, nil, algorithm.method, nil)
        }
        // Only a libcrypto without SHA-2, or without memory, fails here. Continuing with a wrong digest would be worse.
        precondition(done == 1, "The system's libcrypto cannot compute SHA-2.")
        count = algorithm.count
      }
    }

    static func hmacSHA256(_ message: [UInt8], key: UnsafeRawBufferPointer) -> [UInt8] {
      unsafe [UInt8](unsafeUninitializedCapacity: 32) { output, count in
        // Safe: HMAC reads the given lengths and writes the 32 bytes that fit the output.
        let done = unsafe message.withUnsafeBufferPointer { message in
          unsafe HMAC(
            EVP_sha256(), key.baseAddress, CInt(key.count), message.baseAddress, message.count, output.baseAddress, nil)
        }
        // As for the digest: continuing with a wrong code would be worse.
        precondition(unsafe done != nil, "The system's libcrypto cannot compute HMAC with SHA-256.")
        count = 32
      }
    }

    /// Compares arrays of the same length.
    static func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
      unsafe left.withUnsafeBytes { left in
        unsafe right.withUnsafeBytes { right in
          // Safe: reads `left.count` bytes of both, and the caller has checked that the lengths agree.
          unsafe CRYPTO_memcmp(left.baseAddress, right.baseAddress, left.count) == 0
        }
      }
    }

    /// Overwrites bytes in a way that the compiler does not optimize away.
    static func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
      // Safe: writes the buffer's own bytes.
      if let start = bytes.baseAddress { unsafe OPENSSL_cleanse(start, bytes.count) }
    }
  }

  extension MessageDigest.Algorithm {
    /// The algorithm in libcrypto: a constant of the library, valid for the life of the process.
    var method: OpaquePointer? {
      switch self {
      case .sha256: unsafe EVP_sha256()
      case .sha384: unsafe EVP_sha384()
      case .sha512: unsafe EVP_sha512()
      }
    }
  }
#endif
