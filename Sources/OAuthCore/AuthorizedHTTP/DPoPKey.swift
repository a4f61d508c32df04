// SPDX-License-Identifier: Apache-2.0

public import OAuthJOSE
public import TokenStore

/// The key that a client proves to have, so that its tokens are of no use to others
/// ([RFC 9449](https://www.rfc-editor.org/rfc/rfc9449.html)).
///
/// A client makes one for each authorization, as ``ClientRegistration/dpop`` says, and keeps it with the tokens. Take one of your
/// own for tokens that were obtained by other means:
///
/// ```swift
/// let key = try await DPoPKey.generate()
/// let token = AccessToken(Secret(text), type: "DPoP", proofKey: try key.record())
/// ```
///
/// No description shows the private key.
public struct DPoPKey: Sendable {
  let signingKey: SigningKey
  /// The thumbprint of the public key, which the server binds the tokens to, `jkt`
  /// ([RFC 9449 § 6](https://www.rfc-editor.org/rfc/rfc9449.html#section-6)).
  public let thumbprint: String

  /// Takes a key.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidConfiguration`` if it has no thumbprint.
  public init(_ key: SigningKey) throws {
    guard let thumbprint = key.publicJWK.thumbprint else {
      throw OAuthError(.invalidConfiguration, "The key is of a type that has no thumbprint. Use an ES256 key.")
    }
    signingKey = key
    self.thumbprint = thumbprint
  }

  /// Makes a new key.
  ///
  /// - Parameter algorithm: The algorithm of the proofs. Defaults to ES256; an RSA key has 2048 bits and takes longer to make.
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidConfiguration`` for an algorithm that is not asymmetric;
  ///   `CancellationError`.
  public static func generate(_ algorithm: JWS.Algorithm = .es256) async throws -> DPoPKey {
    do {
      do {
        return try DPoPKey(SigningKey.generate(algorithm))
      } catch let error as JOSEError where error.code == .unsupportedAlgorithm {
        return try DPoPKey(try await SigningKey.generate(algorithm, bits: 2048))
      }
    } catch let error as JOSEError {
      throw OAuthError(.invalidConfiguration, "A key for proofs cannot be made: \(error.message)")
    }
  }
}

extension DPoPKey {
  /// Reads a key as it is kept.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/signInRequired`` if it is damaged: the tokens that are bound to it are
  ///   of no use.
  public init(_ record: ProofKey) throws {
    do {
      let algorithm = JWS.Algorithm(rawValue: record.algorithm)
      try self.init(SigningKey(pem: record.privateKey.reveal(), algorithm: algorithm))
    } catch is JOSEError {
      throw OAuthError(.signInRequired, "The key that the tokens are bound to is damaged. Sign in again.")
    }
  }

  /// Returns the key as it is kept, the private half included.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidConfiguration`` if the key cannot be written.
  public func record() throws -> ProofKey {
    do {
      return ProofKey(algorithm: signingKey.algorithm.rawValue, privateKey: Secret(try signingKey.revealPEM()))
    } catch {
      throw OAuthError(.invalidConfiguration, "The key for proofs cannot be kept: \(error.message)")
    }
  }
}

extension DPoPKey: CustomStringConvertible, CustomReflectable {
  /// The algorithm and the thumbprint, and nothing that is secret.
  public var description: String { "DPoP key for \(signingKey.algorithm.rawValue), \(thumbprint)" }
  /// What a dump shows, without any secret.
  public var customMirror: Mirror {
    Mirror(self, children: ["algorithm": signingKey.algorithm.rawValue, "thumbprint": thumbprint])
  }
}
