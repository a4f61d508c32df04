// SPDX-License-Identifier: Apache-2.0

#if !canImport(CryptoKit)
  import CLibcrypto
#endif

/// The SHA-256 digest of a long account name or of a credential, for comparison.
enum RecordDigest {
  #if !canImport(CryptoKit)
    static func of(_ bytes: [UInt8]) -> [UInt8] {
      var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
      // Safe: the function reads `bytes.count` bytes and writes the digest, which fits.
      _ = unsafe SHA256(bytes, bytes.count, &digest)
      return digest
    }
  #endif
}
