// SPDX-License-Identifier: Apache-2.0

#if !canImport(CryptoKit)
  import CLibcrypto

  extension FileNameDigest {
    static func sha256(_ bytes: [UInt8]) -> [UInt8] {
      var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
      // Safe: the function reads `bytes.count` bytes and writes the digest, which fits.
      _ = unsafe SHA256(bytes, bytes.count, &digest)
      return digest
    }
  }
#endif
