// SPDX-License-Identifier: Apache-2.0

/// Cryptographic digests, computed by the system's library.
public enum MessageDigest {
  /// The digests for signatures.
  package enum Algorithm: Sendable, Hashable, CaseIterable {
    case sha256, sha384, sha512

    /// The length of the digest in bytes.
    package var count: Int {
      switch self {
      case .sha256: 32
      case .sha384: 48
      case .sha512: 64
      }
    }
  }

  /// Returns the 32 bytes of the SHA-256 digest
  /// ([FIPS 180-4](https://csrc.nist.gov/pubs/fips/180-4/upd1/final)) of `bytes`.
  public static func sha256(_ bytes: [UInt8]) -> [UInt8] { digest(bytes, .sha256) }

  /// Returns the 32 bytes of the SHA-256 digest of `text` in UTF-8.
  public static func sha256(_ text: String) -> [UInt8] { sha256(Array(text.utf8)) }

  /// Returns the 32 bytes of HMAC with SHA-256 ([RFC 2104](https://www.rfc-editor.org/rfc/rfc2104.html)).
  package static func hmacSHA256(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
    // Safe: the bytes are read during the call only.
    unsafe key.withUnsafeBytes { unsafe Cryptography.hmacSHA256(message, key: $0) }
  }

  package static func digest(_ bytes: [UInt8], _ algorithm: Algorithm) -> [UInt8] {
    Cryptography.digest(bytes, algorithm)
  }
}
