// SPDX-License-Identifier: Apache-2.0

#if canImport(CryptoKit)
  import CryptoKit
  import Darwin
  import Foundation

  /// The cryptographic functions besides keys, by the system's library: CryptoKit.
  enum Cryptography {
    static func digest(_ bytes: [UInt8], _ algorithm: MessageDigest.Algorithm) -> [UInt8] {
      switch algorithm {
      case .sha256: Array(SHA256.hash(data: bytes))
      case .sha384: Array(SHA384.hash(data: bytes))
      case .sha512: Array(SHA512.hash(data: bytes))
      }
    }

    static func hmacSHA256(_ message: [UInt8], key: UnsafeRawBufferPointer) -> [UInt8] {
      // Safe: CryptoKit copies the key, which is valid during the call.
      Array(unsafe HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key)))
    }

    /// Compares arrays of the same length.
    static func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
      // Safe: reads `left.count` bytes of both, and the caller has checked that the lengths agree.
      unsafe timingsafe_bcmp(left, right, left.count) == 0
    }

    /// Overwrites bytes in a way that the compiler does not optimize away.
    static func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
      // Safe: writes the buffer's own bytes.
      if let start = bytes.baseAddress { _ = unsafe memset_s(start, bytes.count, 0, bytes.count) }
    }
  }
#endif
