// SPDX-License-Identifier: Apache-2.0

#if !canImport(CryptoKit)
  import CLibcrypto

  /// What the module asks of the system's cryptography library: here OpenSSL's libcrypto, version 3.
  enum Cryptography {
    static func sha256(_ bytes: [UInt8]) -> [UInt8] {
      unsafe [UInt8](unsafeUninitializedCapacity: 32) { output, count in
        // Safe: EVP_Digest reads exactly `bytes.count` bytes and writes the 32 that the output has room for.
        let done = unsafe bytes.withUnsafeBytes { input in
          unsafe EVP_Digest(input.baseAddress, input.count, output.baseAddress, nil, EVP_sha256(), nil)
        }
        // Only a libcrypto built without SHA-256, or no memory, gets here. Going on with a wrong digest would be worse.
        precondition(done == 1, "The system's libcrypto cannot compute SHA-256.")
        count = 32
      }
    }

    /// Returns whether `signature` is an RSASSA-PKCS1-v1_5 signature with SHA-256 of `message` by a PKCS #1 public key.
    static func verifyRS256(_ signature: [UInt8], of message: [UInt8], publicKey: [UInt8]) throws(JOSEError) -> Bool {
      try RSAKey(publicKey: publicKey).verify(signature, of: message)
    }
  }

  /// An RSA key that libcrypto holds.
  ///
  /// Sendable although the compiler cannot see it: the pointer is set once, the key behind it is never changed after
  /// `init`, every operation uses a context of its own, and libcrypto allows that from any number of threads at once
  /// (openssl-threads(7)). `deinit` runs when nobody holds the key any more.
  /// `@safe` for the same reasons: the pointer is valid from `init` to `deinit` and never leaves the class.
  @safe
  final class RSAKey: @unchecked Sendable {
    private let key: OpaquePointer

    /// Creates a key pair; takes a CPU some 50 to 500 ms for 2048 bits.
    init(generating bits: Int) throws(JOSEError) {
      // Safe: every pointer below comes from libcrypto, is checked for NULL and freed on each path.
      let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "RSA", nil)
      defer { unsafe EVP_PKEY_CTX_free(context) }
      var key: OpaquePointer?
      guard unsafe context != nil, unsafe EVP_PKEY_keygen_init(context) == 1,
        unsafe EVP_PKEY_CTX_set_rsa_keygen_bits(context, Int32(clamping: bits)) == 1,
        unsafe EVP_PKEY_generate(context, &key) == 1, let key = unsafe key
      else { throw failure("The RSA key could not be generated.") }
      unsafe self.key = key
    }

    /// Reads a PKCS #1 private key.
    init(privateKey bytes: [UInt8]) throws(JOSEError) {
      let key = unsafe bytes.withUnsafeBufferPointer { buffer in
        // Safe: reads at most `buffer.count` bytes, moves only the local pointer, and makes a key of its own.
        var start = buffer.baseAddress
        return unsafe d2i_PrivateKey(EVP_PKEY_RSA, nil, &start, buffer.count)
      }
      guard let key = unsafe key else {
        ERR_clear_error()
        throw JOSEError(.unsuitableKey, "The RSA private key could not be read.")
      }
      unsafe self.key = key
    }

    /// Reads a PKCS #1 public key.
    init(publicKey bytes: [UInt8]) throws(JOSEError) {
      let key = unsafe bytes.withUnsafeBufferPointer { buffer in
        // Safe: as in `init(privateKey:)`.
        var start = buffer.baseAddress
        return unsafe d2i_PublicKey(EVP_PKEY_RSA, nil, &start, buffer.count)
      }
      guard let key = unsafe key else {
        ERR_clear_error()
        throw JOSEError(.unsuitableKey, "The RSA public key could not be read.")
      }
      unsafe self.key = key
    }

    deinit { unsafe EVP_PKEY_free(key) }

    /// The public key in the form of PKCS #1.
    func publicKey() throws(JOSEError) -> [UInt8] {
      let size = unsafe i2d_PublicKey(key, nil)
      guard size > 0 else { throw failure("The RSA public key could not be written.") }
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Int(size)) { output, count in
        // Safe: writes the `size` bytes that the first call announced, and moves only the local pointer.
        var start = output.baseAddress
        count = Int(max(unsafe i2d_PublicKey(key, &start), 0))
      }
      guard bytes.count == Int(size) else { throw failure("The RSA public key could not be written.") }
      return bytes
    }

    /// Signs with RSASSA-PKCS1-v1_5 and SHA-256.
    func sign(_ message: [UInt8]) throws(JOSEError) -> [UInt8] {
      // Safe: the context is freed on each path; the sizes given are those of the buffers.
      let context = unsafe EVP_MD_CTX_new()
      defer { unsafe EVP_MD_CTX_free(context) }
      var size = 0
      guard unsafe context != nil, unsafe EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1,
        unsafe EVP_DigestSign(context, nil, &size, message, message.count) == 1
      else { throw failure("The content could not be signed.") }
      var signature = [UInt8](repeating: 0, count: size)
      guard unsafe EVP_DigestSign(context, &signature, &size, message, message.count) == 1, size <= signature.count
      else { throw failure("The content could not be signed.") }
      signature.removeLast(signature.count - size)
      return signature
    }

    fileprivate func verify(_ signature: [UInt8], of message: [UInt8]) throws(JOSEError) -> Bool {
      // Safe: the context is freed on each path; the sizes given are those of the arrays.
      let context = unsafe EVP_MD_CTX_new()
      defer { unsafe EVP_MD_CTX_free(context) }
      guard unsafe context != nil, unsafe EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1 else {
        throw failure("The signature could not be checked.")
      }
      let verified = unsafe EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
      if !verified { ERR_clear_error() }
      return verified
    }
  }

  /// Empties the thread's error queue, whose text might show a key, and returns the error to throw.
  private func failure(_ message: String) -> JOSEError {
    ERR_clear_error()
    return JOSEError(.cryptographyFailed, message)
  }
#endif
