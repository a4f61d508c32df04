// SPDX-License-Identifier: Apache-2.0

#if !canImport(CryptoKit)
  import CLibcrypto
  import OAuthJOSE
  import TokenStore

  /// AES-256 by the system's library: OpenSSL's libcrypto, version 3.
  enum AES256 {
    /// Encrypts blocks of 16 bytes, each independently of the others.
    static func encrypt(_ blocks: [UInt8], key: SecretBytes) throws(TokenStorageError) -> [UInt8] {
      let context = try unsafe CipherContext(EVP_aes_256_ecb(), key: key, nonce: nil, isEncrypting: true)
      // Safe: the context is alive. Without padding, the output is as long as the input.
      guard unsafe EVP_CIPHER_CTX_set_padding(context.pointer, 0) == 1, let output = context.update(blocks),
        output.count == blocks.count
      else { throw failed() }
      return output
    }

    /// Returns the ciphertext of AES-256-GCM, followed by the tag.
    static func seal(
      _ plaintext: [UInt8], key: SecretBytes, nonce: [UInt8], authenticating data: [UInt8]
    ) throws(TokenStorageError) -> [UInt8] {
      let context = try unsafe CipherContext(EVP_aes_256_gcm(), key: key, nonce: nonce, isEncrypting: true)
      guard context.authenticate(data), var output = context.update(plaintext), context.finish() else { throw failed() }
      var tag = [UInt8](repeating: 0, count: XAES256GCM.tagSize)
      // Safe: writes the tag, which has the size of the array.
      guard unsafe EVP_CIPHER_CTX_ctrl(context.pointer, EVP_CTRL_AEAD_GET_TAG, CInt(tag.count), &tag) == 1 else {
        throw failed()
      }
      output += tag
      return output
    }

    /// Returns the plaintext of a ciphertext followed by its tag, or `nil` if they are not authentic.
    static func open(
      _ sealed: [UInt8], key: SecretBytes, nonce: [UInt8], authenticating data: [UInt8]
    ) throws(TokenStorageError) -> [UInt8]? {
      let context = try unsafe CipherContext(EVP_aes_256_gcm(), key: key, nonce: nonce, isEncrypting: false)
      let end = sealed.count - XAES256GCM.tagSize
      var tag = Array(sealed[end...])
      guard context.authenticate(data), var output = context.update(Array(sealed[..<end])) else { throw failed() }
      // Safe: reads the tag, which has the size of the array.
      guard unsafe EVP_CIPHER_CTX_ctrl(context.pointer, EVP_CTRL_AEAD_SET_TAG, CInt(tag.count), &tag) == 1 else {
        output.wipe()
        throw failed()
      }
      guard context.finish() else {
        output.wipe()
        ERR_clear_error()
        return nil
      }
      return output
    }

    /// Empties the thread's error queue, and returns the error to throw.
    ///
    /// Only a libcrypto without AES, or a lack of memory, causes this error, never a key or message.
    fileprivate static func failed() -> TokenStorageError {
      ERR_clear_error()
      return TokenStorageError(
        .unavailable, "The system's cryptography library failed. Check that libcrypto supports AES-256-GCM.")
    }
  }

  /// An operation of libcrypto, which overwrites its copy of the key when it is freed.
  ///
  /// `@safe`: the pointer is valid from `init` to `deinit`, and only one thread uses it.
  @safe
  private final class CipherContext {
    let pointer: OpaquePointer

    init(
      _ cipher: OpaquePointer?, key: SecretBytes, nonce: [UInt8]?, isEncrypting: Bool
    ) throws(TokenStorageError) {
      guard let pointer = unsafe EVP_CIPHER_CTX_new() else { throw AES256.failed() }
      unsafe self.pointer = pointer
      // Safe: reads 32 bytes of the key, and 12 bytes of the nonce, the default size of GCM.
      let isReady = unsafe key.withBytes { key in
        let key = unsafe key.bindMemory(to: UInt8.self).baseAddress
        return unsafe EVP_CipherInit_ex2(pointer, cipher, key, nonce, isEncrypting ? 1 : 0, nil) == 1
      }
      guard isReady else { throw AES256.failed() }
    }

    deinit { unsafe EVP_CIPHER_CTX_free(pointer) }

    /// Adds authenticated but unencrypted data.
    func authenticate(_ data: [UInt8]) -> Bool {
      var count: CInt = 0
      // Safe: reads the array. Without an output, nothing is written.
      return unsafe data.isEmpty || EVP_CipherUpdate(pointer, nil, &count, data, CInt(clamping: data.count)) == 1
    }

    /// Encrypts or decrypts bytes, or returns `nil` on failure.
    func update(_ input: [UInt8]) -> [UInt8]? {
      guard let size = CInt(exactly: input.count), size > 0 else { return input.isEmpty ? [] : nil }
      var isDone = false
      let output = unsafe [UInt8](unsafeUninitializedCapacity: input.count) { buffer, count in
        var written: CInt = 0
        // Safe: neither ECB of whole blocks nor GCM writes more bytes than it reads.
        isDone = unsafe EVP_CipherUpdate(pointer, buffer.baseAddress, &written, input, size) == 1
        count = isDone ? Int(written) : 0
      }
      return isDone ? output : nil
    }

    /// Computes the tag when sealing, and compares it when opening.
    func finish() -> Bool {
      var (none, count): (UInt8, CInt) = (0, 0)
      // Safe: GCM writes nothing here.
      return unsafe EVP_CipherFinal_ex(pointer, &none, &count) == 1
    }
  }
#endif
