// SPDX-License-Identifier: Apache-2.0

/// The SHA-256 digest in the file name of a long account.
enum FileNameDigest {
  /// Returns the digest of `bytes` as 64 lower-case hexadecimal digits.
  static func hexadecimal(_ bytes: [UInt8]) -> String {
    sha256(bytes).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
