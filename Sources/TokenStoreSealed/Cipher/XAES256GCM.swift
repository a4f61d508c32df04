// SPDX-License-Identifier: Apache-2.0

import OAuthJOSE
package import TokenStore

/// The authenticated cipher XAES-256-GCM ([C2SP](https://c2sp.org/XAES-256-GCM)), over AES-256 of the system's library.
///
/// It derives a key for AES-256-GCM from the first half of a random nonce of 192 bits. A key can therefore seal a virtually unlimited
/// number of messages (2⁸⁰).
package struct XAES256GCM: Sendable {
  /// The size of a key, in bytes.
  package static let keySize = 32
  /// The size of a nonce, in bytes.
  package static let nonceSize = 24
  /// The size of the tag after the ciphertext, in bytes.
  package static let tagSize = 16

  let key: SecretBytes
  /// *K1* of the specification, which depends only on the key.
  private let subkey: SecretBytes

  /// Creates a cipher.
  ///
  /// - Parameter key: 32 bytes.
  /// - Throws: `TokenStorageError` with code `invalidKeys` for a key of another size, and with code `unavailable` if the system's
  ///   library fails.
  package init(key bytes: [UInt8]) throws(TokenStorageError) {
    guard bytes.count == Self.keySize else {
      throw TokenStorageError(
        .invalidKeys,
        "A sealing key must have \(Self.keySize) bytes, not \(bytes.count). Check where they come from. For a new store, use SealingKey.generate(_:)."
      )
    }
    key = SecretBytes(bytes)
    // Steps 1 and 2: the subkey of CMAC.
    var block = try AES256.encrypt([UInt8](repeating: 0, count: 16), key: key)
    defer { block.wipe() }
    let carry: UInt8 = block[0] >> 7
    for index in 0..<15 { block[index] = block[index] << 1 | block[index + 1] >> 7 }
    // This does not branch on a secret.
    block[15] = block[15] << 1 ^ 0x87 & (0 &- carry)
    subkey = SecretBytes(block)
  }

  /// Encrypts and authenticates a message.
  ///
  /// - Parameters:
  ///   - plaintext: The message.
  ///   - nonce: 24 random bytes, for this message only.
  ///   - data: The associated data, which is authenticated and not encrypted.
  /// - Returns: The ciphertext, followed by the tag.
  /// - Throws: `TokenStorageError` with code `unavailable` if the system's library fails.
  package func seal(
    _ plaintext: [UInt8], nonce: [UInt8], authenticating data: [UInt8]
  ) throws(TokenStorageError) -> [UInt8] {
    try AES256.seal(
      plaintext, key: try derivedKey(nonce), nonce: Array(nonce[12...]), authenticating: data)
  }

  /// Authenticates and decrypts a message.
  ///
  /// - Parameters:
  ///   - sealed: The ciphertext, followed by the tag.
  ///   - nonce: The nonce of the message, 24 bytes.
  ///   - data: The data authenticated with the message.
  /// - Returns: The message, or `nil` if the key, the nonce, the data or a byte of the message differ.
  /// - Throws: `TokenStorageError` with code `unavailable` if the system's library fails.
  package func open(
    _ sealed: [UInt8], nonce: [UInt8], authenticating data: [UInt8]
  ) throws(TokenStorageError) -> [UInt8]? {
    guard sealed.count >= Self.tagSize else { return nil }
    return try AES256.open(
      sealed, key: try derivedKey(nonce), nonce: Array(nonce[12...]), authenticating: data)
  }

  /// Returns the key of a message: steps 3 to 5.
  private func derivedKey(_ nonce: [UInt8]) throws(TokenStorageError) -> SecretBytes {
    guard nonce.count == Self.nonceSize else {
      throw TokenStorageError(.unavailable, "A nonce must have \(Self.nonceSize) bytes, not \(nonce.count).")
    }
    let context = nonce[..<12]
    // M1 and M2: a counter, the label X, and the context.
    var blocks: [UInt8] = [0, 1, 0x58, 0] + context + [0, 2, 0x58, 0] + context
    defer { blocks.wipe() }
    // Safe: the subkey has 16 bytes.
    unsafe subkey.withBytes { subkey in
      for index in blocks.indices { unsafe blocks[index] ^= subkey[index % 16] }
    }
    var derived = try AES256.encrypt(blocks, key: key)
    defer { derived.wipe() }
    return SecretBytes(derived)
  }
}
