// SPDX-License-Identifier: Apache-2.0

#if canImport(CryptoKit)
  import CryptoKit
  import Foundation

  /// A public key of Ed25519 in CryptoKit.
  struct SystemEd25519PublicKey: Sendable {
    private let key: Curve25519.Signing.PublicKey

    init(_ bytes: [UInt8]) throws(JOSEError) {
      do {
        key = try Curve25519.Signing.PublicKey(rawRepresentation: bytes)
      } catch { throw JOSEError(.unsuitableKey, "The public key is not valid.") }
    }

    func verifies(_ signature: [UInt8], of message: [UInt8]) throws(JOSEError) -> Bool {
      key.isValidSignature(signature, for: message)
    }
  }

  /// A private key of Ed25519 in CryptoKit.
  struct SystemEd25519PrivateKey: Sendable {
    private let key: Curve25519.Signing.PrivateKey

    /// Creates a key pair.
    init() throws(JOSEError) { key = Curve25519.Signing.PrivateKey() }

    init(seed: [UInt8]) throws(JOSEError) {
      do {
        key = try Curve25519.Signing.PrivateKey(rawRepresentation: seed)
      } catch { throw JOSEError(.unsuitableKey, "The private key is not valid.") }
    }

    func publicKey() throws(JOSEError) -> [UInt8] { Array(key.publicKey.rawRepresentation) }

    func seed() throws(JOSEError) -> [UInt8] { Array(key.rawRepresentation) }

    /// Signs a message.
    ///
    /// CryptoKit adds randomness, so two signatures of one message differ.
    ///
    /// Both are valid.
    func signature(for message: [UInt8]) throws(JOSEError) -> [UInt8] {
      do {
        return Array(try key.signature(for: message))
      } catch { throw JOSEError(.cryptographyFailed, "The content could not be signed.") }
    }
  }
#endif
