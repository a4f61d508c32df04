// SPDX-License-Identifier: Apache-2.0

#if canImport(CryptoKit)
  import CryptoKit
#else
  import CLibcrypto
#endif

/// The SHA-256 digest in the file name of a long account.
enum FileNameDigest {
  /// Returns the digest of `bytes` as 64 lower-case hexadecimal digits.
  static func hexadecimal(_ bytes: [UInt8]) -> String {
    #if canImport(CryptoKit)
      let digest = Array(SHA256.hash(data: bytes))
    #else
      var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
      // Safe: the function reads `bytes.count` bytes and writes the digest, which fits.
      _ = unsafe SHA256(bytes, bytes.count, &digest)
    #endif
    return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
