// SPDX-License-Identifier: Apache-2.0

#if !canImport(CryptoKit)
  import CLibcrypto

  /// A key in libcrypto, which overwrites the private half when it frees the key.
  ///
  /// The pointer may be sent to another thread: it is set once, and its key never changes after `init`. Every
  /// operation uses a separate context, and libcrypto allows this from any number of threads at once (openssl-threads(7)).
  /// `deinit` runs after the last reference to the key is gone. `@safe` for the same reasons: the pointer is valid from `init`
  /// to `deinit` and never leaves the class.
  @safe
  final class EVPKey: Sendable {
    nonisolated(unsafe) private let key: OpaquePointer

    /// Creates a key pair.
    ///
    /// - Parameters:
    ///   - type: libcrypto's name for the key type.
    ///   - configure: A closure that sets the size or curve, and returns 1 on success.
    init(generating type: String, configure: (OpaquePointer) -> CInt = { _ in 1 }) throws(JOSEError) {
      // Safe: every pointer below comes from libcrypto, is checked for NULL and freed on each path.
      let context = unsafe EVP_PKEY_CTX_new_from_name(nil, type, nil)
      defer { unsafe EVP_PKEY_CTX_free(context) }
      var key: OpaquePointer?
      guard let context = unsafe context, unsafe EVP_PKEY_keygen_init(context) == 1, unsafe configure(context) == 1,
        unsafe EVP_PKEY_generate(context, &key) == 1, let key = unsafe key
      else { throw failedCryptography() }
      unsafe self.key = key
    }

    /// Parses a public key.
    ///
    /// - Parameter checked: Whether libcrypto checks that the point is on its curve. Pass `false` for RSA: it would search for factors.
    init(publicKey: [UInt8], _ identifier: AlgorithmIdentifier, checked: Bool) throws(JOSEError) {
      let der = SubjectPublicKeyInfo(identifier, key: publicKey).der
      let key = unsafe der.withUnsafeBufferPointer { buffer in
        // Safe: reads at most `buffer.count` bytes, moves only the local pointer, and makes a key of its own.
        var start = buffer.baseAddress
        return unsafe d2i_PUBKEY(nil, &start, buffer.count)
      }
      guard let key = unsafe key else {
        ERR_clear_error()
        throw JOSEError(.unsuitableKey, "The public key could not be read.")
      }
      unsafe self.key = key
      guard unsafe !checked || check(EVP_PKEY_public_check_quick) else {
        throw JOSEError(.unsuitableKey, "The public key is not valid.")
      }
    }

    /// Parses a private key.
    ///
    /// The library computes a missing public half of an elliptic curve key.
    ///
    /// - Parameter checked: Whether libcrypto checks the range, and that both halves match. For RSA, this would take long.
    init(privateKey: [UInt8], _ identifier: AlgorithmIdentifier, checked: Bool) throws(JOSEError) {
      var der = PrivateKeyInfo(identifier, key: privateKey).der
      defer { der.wipe() }
      let key = unsafe der.withUnsafeBufferPointer { buffer in
        // Safe: as in `init(publicKey:_:checked:)`.
        var start = buffer.baseAddress
        return unsafe d2i_AutoPrivateKey(nil, &start, buffer.count)
      }
      guard let key = unsafe key else {
        ERR_clear_error()
        throw JOSEError(.unsuitableKey, "The private key could not be read.")
      }
      unsafe self.key = key
      guard unsafe !checked || check(EVP_PKEY_check) else {
        throw JOSEError(.unsuitableKey, "The private key is not valid.")
      }
    }

    deinit { unsafe EVP_PKEY_free(key) }

    private func check(_ check: (OpaquePointer) -> CInt) -> Bool {
      // Safe: the context is freed on each path, and the check does not keep it.
      let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, key, nil)
      defer { unsafe EVP_PKEY_CTX_free(context) }
      guard let context = unsafe context, unsafe check(context) == 1 else {
        ERR_clear_error()
        return false
      }
      return true
    }
  }

  extension EVPKey {
    /// Returns the public key in its algorithm's encoding, the content of `SubjectPublicKeyInfo`.
    func publicKey() throws(JOSEError) -> [UInt8] {
      let der = unsafe written { unsafe i2d_PUBKEY(key, $0) }
      guard let info = SubjectPublicKeyInfo(der: der) else { throw failedCryptography() }
      return info.key
    }

    /// Returns the private key as `PrivateKeyInfo`.
    func privateKey() throws(JOSEError) -> PrivateKeyInfo {
      // Safe: the structure is freed on each path, which overwrites its private part.
      let structure = unsafe EVP_PKEY2PKCS8(key)
      defer { unsafe PKCS8_PRIV_KEY_INFO_free(structure) }
      var der = unsafe structure == nil ? [] : written { unsafe i2d_PKCS8_PRIV_KEY_INFO(structure, $0) }
      defer { der.wipe() }
      guard let info = PrivateKeyInfo(der: der) else { throw failedCryptography() }
      return info
    }

    /// Returns the output of a libcrypto function that returns its size if called without a buffer, or empty if it
    /// fails.
    private func written(_ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> CInt) -> [UInt8] {
      let size = Int(write(nil))
      guard size > 0 else { return [] }
      return unsafe [UInt8](unsafeUninitializedCapacity: size) { output, count in
        // Safe: writes the `size` bytes that the first call announced, and moves only the local pointer.
        var start = output.baseAddress
        count = min(Int(max(unsafe write(&start), 0)), size)
      }
    }

    /// Signs a message.
    ///
    /// - Parameters:
    ///   - digest: The digest, or `nil` for EdDSA, which has its own.
    ///   - isPSS: Whether RSA uses PSS padding, with a salt as long as the digest.
    func signature(for message: [UInt8], digest: MessageDigest.Algorithm?, isPSS: Bool = false) throws(JOSEError)
      -> [UInt8]
    {
      // Safe: the context is freed on each path; the sizes given are those of the buffers.
      let context = unsafe EVP_MD_CTX_new()
      defer { unsafe EVP_MD_CTX_free(context) }
      var parameters: OpaquePointer?
      var size = 0
      guard unsafe context != nil,
        unsafe EVP_DigestSignInit(context, &parameters, digest?.method, nil, key) == 1,
        unsafe !isPSS || usePSS(parameters, digest),
        unsafe EVP_DigestSign(context, nil, &size, message, message.count) == 1
      else { throw failedCryptography() }
      var signature = [UInt8](repeating: 0, count: size)
      guard unsafe EVP_DigestSign(context, &signature, &size, message, message.count) == 1, size <= signature.count
      else { throw failedCryptography() }
      signature.removeLast(signature.count - size)
      return signature
    }

    /// Returns whether the signature is valid for the message.
    ///
    /// The parameters are as in `signature(for:digest:isPSS:)`.
    func verifies(_ signature: [UInt8], of message: [UInt8], digest: MessageDigest.Algorithm?, isPSS: Bool = false)
      throws(JOSEError) -> Bool
    {
      // Safe: the context is freed on each path; the sizes given are those of the arrays.
      let context = unsafe EVP_MD_CTX_new()
      defer { unsafe EVP_MD_CTX_free(context) }
      var parameters: OpaquePointer?
      guard unsafe context != nil,
        unsafe EVP_DigestVerifyInit(context, &parameters, digest?.method, nil, key) == 1,
        unsafe !isPSS || usePSS(parameters, digest)
      else { throw failedCryptography() }
      let verified = unsafe EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
      if !verified { ERR_clear_error() }
      return verified
    }

    private func usePSS(_ parameters: OpaquePointer?, _ digest: MessageDigest.Algorithm?) -> Bool {
      // Safe: the parameters belong to the caller's context, which is alive. MGF1 uses the same digest.
      unsafe EVP_PKEY_CTX_set_rsa_padding(parameters, RSA_PKCS1_PSS_PADDING) == 1
        && EVP_PKEY_CTX_set_rsa_pss_saltlen(parameters, CInt(digest?.count ?? 0)) == 1
    }
  }

  /// Empties the thread's error queue, whose text might show a key, and returns the error to throw.
  ///
  /// Only a libcrypto without the algorithm, or a lack of memory, causes this error, never an accepted key or message.
  func failedCryptography() -> JOSEError {
    ERR_clear_error()
    return JOSEError(.cryptographyFailed, "The system's cryptography library failed.")
  }
#endif
