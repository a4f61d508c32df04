// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import OAuthJOSE
import TokenStore

extension OAuthClient {
  /// Makes the key that the tokens of a new authorization are bound to; `nil` if they are not.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidConfiguration`` if tokens have to be bound and the server accepts
  ///   no algorithm that is known here; `CancellationError`.
  func makeProofKey() async throws -> ProofKey? {
    let offered = server.dpopSigningAlgValuesSupported
    if registration.dpop == .off || (registration.dpop == .preferred && offered == nil) { return nil }
    let candidates = [registration.dpopAlgorithm] + Self.proofAlgorithms
    guard let algorithm = candidates.first(where: { offered?.contains($0.rawValue) ?? true }) else {
      guard registration.dpop == .required else { return nil }
      throw OAuthError(
        .invalidConfiguration,
        "\(server.name) accepts no proof by an algorithm that is known here. Do not require DPoP, or use another server."
      )
    }
    return try await DPoPKey.generate(algorithm).record()
  }

  /// The algorithms for a server that does not accept the registration's, fastest first.
  private static let proofAlgorithms: [JWS.Algorithm] = [
    .es256, .edDSA, .ed25519, .es384, .es512, .ps256, .rs256, .ps384, .rs384, .ps512, .rs512,
  ]

  /// Checks that a stored token can be used, and if need be refreshed, with the key that is stored with it.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/signInRequired``.
  func checkProofKey(of token: StoredToken) throws {
    if let key = token.proofKey {
      _ = try DPoPKey(key)
    } else if token.tokenType.isBoundTokenType {
      throw OAuthError.proofKeyMissing
    } else if registration.dpop == .required {
      throw OAuthError(
        .signInRequired, "The stored token is not bound to a key, which the registration requires. Sign in again.")
    }
  }

  /// Refuses a bearer token if the registration requires tokens that are bound to a key, and a bound token if no proof was sent
  /// ([RFC 9449 § 5](https://www.rfc-editor.org/rfc/rfc9449.html#section-5)), since the client does not have its key.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/unsupportedTokenType``, once the token is revoked.
  func refuseOtherBinding(_ response: TokenResponse) async throws {
    let problem: String
    if registration.dpop == .required, response.isBearer {
      problem =
        "gave a bearer token, although a proof was sent and the registration requires tokens that are bound to a key. Do not require DPoP of this server."
    } else if response.isBound, response.proofKey == nil {
      problem =
        "gave a token that is bound to a key, although no proof was sent. Set the registration's dpop to preferred, and report it to those who run the server."
    } else {
      return
    }
    // Tokens that are kept nowhere must not stay valid. The reason to report is the type.
    try? await revoke(response.stored(requestedScopes: [], by: self), within: .seconds(10))
    throw OAuthError(.unsupportedTokenType, "\(server.name) \(problem)")
  }
}

/// Whether a client binds its tokens to a key
/// ([RFC 9449](https://www.rfc-editor.org/rfc/rfc9449.html)).
public enum DPoPUse: Sendable, Hashable {
  /// It does not.
  case off
  /// It does where the server's metadata name an algorithm for proofs, and takes the token that the server gives.
  case preferred
  /// It does, and refuses a token that is not bound.
  case required
}
