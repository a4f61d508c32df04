// SPDX-License-Identifier: Apache-2.0

#if canImport(CryptoKit)
  import CryptoKit

  extension RecordDigest {
    static func of(_ bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }
  }
#endif
