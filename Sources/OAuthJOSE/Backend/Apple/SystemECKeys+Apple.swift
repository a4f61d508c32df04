// SPDX-License-Identifier: Apache-2.0

#if canImport(CryptoKit)
  import CryptoKit
  import Foundation

  /// A public key of an elliptic curve in CryptoKit.
  struct SystemECPublicKey: Sendable {
    private enum Key {
      case p256(P256.Signing.PublicKey)
      case p384(P384.Signing.PublicKey)
      case p521(P521.Signing.PublicKey)
    }

    private let key: Key

    /// Creates a key, after CryptoKit has checked that the uncompressed point is on the curve.
    init(point: [UInt8], curve: EllipticCurve) throws(JOSEError) {
      do {
        switch curve {
        case .p256: key = .p256(try P256.Signing.PublicKey(x963Representation: point))
        case .p384: key = .p384(try P384.Signing.PublicKey(x963Representation: point))
        case .p521: key = .p521(try P521.Signing.PublicKey(x963Representation: point))
        }
      } catch { throw JOSEError(.unsuitableKey, "The public key is not valid.") }
    }

    /// Verifies a signature of twice the curve's size.
    func verifies(_ signature: [UInt8], of message: [UInt8]) throws(JOSEError) -> Bool {
      // A signature that CryptoKit cannot parse is not valid.
      switch key {
      case .p256(let key):
        (try? P256.Signing.ECDSASignature(rawRepresentation: signature))
          .map { key.isValidSignature($0, for: SHA256.hash(data: message)) } ?? false
      case .p384(let key):
        (try? P384.Signing.ECDSASignature(rawRepresentation: signature))
          .map { key.isValidSignature($0, for: SHA384.hash(data: message)) } ?? false
      case .p521(let key):
        (try? P521.Signing.ECDSASignature(rawRepresentation: signature))
          .map { key.isValidSignature($0, for: SHA512.hash(data: message)) } ?? false
      }
    }
  }

  /// A private key of an elliptic curve in CryptoKit.
  struct SystemECPrivateKey: Sendable {
    private enum Key {
      case p256(P256.Signing.PrivateKey)
      case p384(P384.Signing.PrivateKey)
      case p521(P521.Signing.PrivateKey)
    }

    private let key: Key

    init(generating curve: EllipticCurve) throws(JOSEError) {
      switch curve {
      case .p256: key = .p256(P256.Signing.PrivateKey())
      case .p384: key = .p384(P384.Signing.PrivateKey())
      case .p521: key = .p521(P521.Signing.PrivateKey())
      }
    }

    init(scalar: [UInt8], curve: EllipticCurve) throws(JOSEError) {
      do {
        switch curve {
        case .p256: key = .p256(try P256.Signing.PrivateKey(rawRepresentation: scalar))
        case .p384: key = .p384(try P384.Signing.PrivateKey(rawRepresentation: scalar))
        case .p521: key = .p521(try P521.Signing.PrivateKey(rawRepresentation: scalar))
        }
      } catch { throw JOSEError(.unsuitableKey, "The private key is not valid.") }
    }

    func publicPoint() throws(JOSEError) -> [UInt8] {
      switch key {
      case .p256(let key): Array(key.publicKey.x963Representation)
      case .p384(let key): Array(key.publicKey.x963Representation)
      case .p521(let key): Array(key.publicKey.x963Representation)
      }
    }

    func scalar() throws(JOSEError) -> [UInt8] {
      switch key {
      case .p256(let key): Array(key.rawRepresentation)
      case .p384(let key): Array(key.rawRepresentation)
      case .p521(let key): Array(key.rawRepresentation)
      }
    }

    /// Returns r and s with their full length.
    func signature(for message: [UInt8]) throws(JOSEError) -> [UInt8] {
      do {
        switch key {
        case .p256(let key): return Array(try key.signature(for: SHA256.hash(data: message)).rawRepresentation)
        case .p384(let key): return Array(try key.signature(for: SHA384.hash(data: message)).rawRepresentation)
        case .p521(let key): return Array(try key.signature(for: SHA512.hash(data: message)).rawRepresentation)
        }
      } catch { throw JOSEError(.cryptographyFailed, "The content could not be signed.") }
    }
  }
#endif
