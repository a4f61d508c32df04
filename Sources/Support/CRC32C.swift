// SPDX-License-Identifier: Apache-2.0

/// The checksum that Google Cloud KMS compares in both directions
/// ([verifying end-to-end data integrity](https://cloud.google.com/kms/docs/data-integrity-guidelines)): the Castagnoli polynomial,
/// [RFC 3720 § 12.1](https://www.rfc-editor.org/rfc/rfc3720.html#section-12.1).
package enum CRC32C {
  /// Returns the checksum of bytes.
  package static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
    var sum = ~UInt32(0)
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0x82F6_3B78 : sum >> 1 }
    }
    return ~sum
  }
}
