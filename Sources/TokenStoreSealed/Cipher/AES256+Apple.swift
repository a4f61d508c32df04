// SPDX-License-Identifier: Apache-2.0

#if canImport(CryptoKit)
  import CommonCrypto
  import CryptoKit
  import Foundation
  import OAuthJOSE
  import TokenStore

  /// AES-256 by the system's libraries: CryptoKit, and CommonCrypto for single blocks, which CryptoKit does not support.
  enum AES256 {
    /// Encrypts blocks of 16 bytes, each independently of the others.
    static func encrypt(_ blocks: [UInt8], key: SecretBytes) throws(TokenStorageError) -> [UInt8] {
      var output = [UInt8](repeating: 0, count: blocks.count)
      var count = 0
      // Safe: reads the key and the blocks, and writes as many bytes as the output has.
      let status = unsafe key.withBytes { key in
        unsafe CCCrypt(
          CCOperation(kCCEncrypt), CCAlgorithm(kCCAlgorithmAES), CCOptions(kCCOptionECBMode), key.baseAddress,
          key.count, nil, blocks, blocks.count, &output, output.count, &count)
      }
      guard status == CCCryptorStatus(kCCSuccess), count == blocks.count else { throw failed() }
      return output
    }

    /// Returns the ciphertext of AES-256-GCM, followed by the tag.
    static func seal(
      _ plaintext: [UInt8], key: SecretBytes, nonce: [UInt8], authenticating data: [UInt8]
    ) throws(TokenStorageError) -> [UInt8] {
      do {
        let nonce = try AES.GCM.Nonce(data: nonce)
        let box = try AES.GCM.seal(plaintext, using: symmetric(key), nonce: nonce, authenticating: data)
        return Array(box.ciphertext) + Array(box.tag)
      } catch {
        throw failed()
      }
    }

    /// Returns the plaintext of a ciphertext followed by its tag, or `nil` if they are not authentic.
    static func open(
      _ sealed: [UInt8], key: SecretBytes, nonce: [UInt8], authenticating data: [UInt8]
    ) throws(TokenStorageError) -> [UInt8]? {
      let end = sealed.count - XAES256GCM.tagSize
      let box: AES.GCM.SealedBox
      do {
        box = try AES.GCM.SealedBox(
          nonce: AES.GCM.Nonce(data: nonce), ciphertext: sealed[..<end], tag: sealed[end...])
      } catch {
        throw failed()
      }
      // The only other failure is a tag that does not match.
      guard let opened = try? AES.GCM.open(box, using: symmetric(key), authenticating: data) else { return nil }
      return Array(opened)
    }

    private static func symmetric(_ key: SecretBytes) -> SymmetricKey {
      // Safe: CryptoKit copies the key, which is valid during the call.
      unsafe key.withBytes { unsafe SymmetricKey(data: $0) }
    }

    /// Only a lack of memory causes this error, never a key or message.
    private static func failed() -> TokenStorageError {
      TokenStorageError(.unavailable, "The system's cryptography library failed. Try again.")
    }
  }
#endif
