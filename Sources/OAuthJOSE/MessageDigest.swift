// SPDX-License-Identifier: Apache-2.0

/// Cryptographic digests, computed by the system's library.
public enum MessageDigest {
  /// Returns the 32 bytes of the SHA-256 digest
  /// ([FIPS 180-4](https://csrc.nist.gov/pubs/fips/180-4/upd1/final)) of `bytes`.
  public static func sha256(_ bytes: [UInt8]) -> [UInt8] { Cryptography.sha256(bytes) }

  /// Returns the 32 bytes of the SHA-256 digest of `text` in UTF-8.
  public static func sha256(_ text: String) -> [UInt8] { sha256(Array(text.utf8)) }
}
