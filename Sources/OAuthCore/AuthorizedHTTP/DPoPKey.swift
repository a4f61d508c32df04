// SPDX-License-Identifier: Apache-2.0

public import OAuthJOSE
public import TokenStore

/// The key of DPoP-bound tokens ([RFC 9449](https://www.rfc-editor.org/rfc/rfc9449.html)).
///
/// The client proves that it has the key, so no other party can use its tokens. If ``ClientRegistration/dpop`` requires
/// it, the client generates a key for each authorization and stores it with the tokens. Create a key for tokens
/// obtained by other means:
///
/// ```swift
/// let key = try await DPoPKey.generate()
/// let token = AccessToken(Secret(text), type: "DPoP", proofKey: try key.record())
/// ```
///
/// The description does not contain the private key.
public struct DPoPKey: Sendable {
  let signingKey: SigningKey
  /// The thumbprint of the public key for binding tokens, `jkt`
  /// ([RFC 9449 § 6](https://www.rfc-editor.org/rfc/rfc9449.html#section-6)).
  public let thumbprint: String

  /// Creates a value with a signing key.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidConfiguration`` if it has no thumbprint.
  public init(_ key: SigningKey) throws {
    guard let thumbprint = key.publicJWK.thumbprint else {
      throw OAuthError(.invalidConfiguration, "The key is of a type that has no thumbprint. Use an ES256 key.")
    }
    signingKey = key
    self.thumbprint = thumbprint
  }

  /// Generates a new key.
  ///
  /// - Parameter algorithm: The algorithm of the proofs. Defaults to ES256. An RSA key has 2048 bits, and its generation takes longer.
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidConfiguration`` for an algorithm without a public key,
  ///   or `CancellationError`.
  @concurrent public static func generate(_ algorithm: JWS.Algorithm = .es256) async throws -> DPoPKey {
    do {
      do {
        return try DPoPKey(SigningKey.generate(algorithm))
      } catch let error as JOSEError where error.code == .unsupportedAlgorithm {
        return try DPoPKey(try await SigningKey.generate(algorithm, bits: 2048))
      }
    } catch let error as JOSEError {
      throw OAuthError(.invalidConfiguration, "The DPoP key cannot be generated: \(error.message)")
    }
  }
}

extension DPoPKey {
  /// Creates a key from its stored form.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/signInRequired`` if the stored form is damaged. The tokens
  ///   bound to the key are then unusable.
  public init(_ record: ProofKey) throws {
    do {
      let algorithm = JWS.Algorithm(rawValue: record.algorithm)
      try self.init(SigningKey(pem: record.privateKey.reveal(), algorithm: algorithm))
    } catch is JOSEError {
      throw OAuthError(.signInRequired, "The DPoP key for these tokens is damaged. Sign in again.")
    }
  }

  /// Returns the key in its stored form, including the private key.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidConfiguration`` if the key cannot be encoded.
  public func record() throws -> ProofKey {
    do {
      return ProofKey(algorithm: signingKey.algorithm.rawValue, privateKey: Secret(try signingKey.revealPEM()))
    } catch {
      throw OAuthError(.invalidConfiguration, "The DPoP key cannot be encoded: \(error.message)")
    }
  }
}

extension DPoPKey: CustomStringConvertible, CustomReflectable {
  /// The algorithm and the thumbprint, without any secret.
  public var description: String { "DPoP key for \(signingKey.algorithm.rawValue), \(thumbprint)" }
  /// A redacted mirror for debugging.
  public var customMirror: Mirror {
    Mirror(self, children: ["algorithm": signingKey.algorithm.rawValue, "thumbprint": thumbprint])
  }
}
