// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import OAuthJOSE
import TokenStore

extension OAuthClient {
  /// Generates the key for binding the tokens of a new authorization, or returns `nil` for unbound tokens.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/invalidConfiguration`` if the registration requires bound
  ///   tokens and the server supports none of the algorithms, or `CancellationError`.
  func makeProofKey() async throws -> ProofKey? {
    let offered = server.dpopSigningAlgValuesSupported
    if registration.dpop == .off || (registration.dpop == .preferred && offered == nil) { return nil }
    let candidates = [registration.dpopAlgorithm] + Self.proofAlgorithms
    guard let algorithm = candidates.first(where: { offered?.contains($0.rawValue) ?? true }) else {
      guard registration.dpop == .required else { return nil }
      throw OAuthError(
        .invalidConfiguration,
        "\(server.name) supports none of the client's algorithms for DPoP. Do not require DPoP, or use another server."
      )
    }
    return try await DPoPKey.generate(algorithm).record()
  }

  /// The algorithms for a server without support for the registration's, the fastest first.
  private static let proofAlgorithms: [JWS.Algorithm] = [
    .es256, .edDSA, .ed25519, .es384, .es512, .ps256, .rs256, .ps384, .rs384, .ps512, .rs512,
  ]

  /// Checks that a stored token can be used and refreshed with its stored key.
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/signInRequired``.
  func checkProofKey(of token: StoredToken) throws {
    if let key = token.proofKey {
      _ = try DPoPKey(key)
    } else if token.tokenType.isBoundTokenType {
      throw OAuthError.proofKeyMissing
    } else if registration.dpop == .required {
      throw OAuthError(
        .signInRequired, "The stored token is not bound to a key, but the registration requires DPoP. Sign in again.")
    }
  }

  /// Rejects a bearer token if the registration requires bound tokens, and a bound token whose key the client does not have
  /// ([RFC 9449 § 5](https://www.rfc-editor.org/rfc/rfc9449.html#section-5)).
  ///
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/unsupportedTokenType``, after an attempt to revoke the token.
  func refuseOtherBinding(_ response: TokenResponse) async throws {
    let problem: String
    if registration.dpop == .required, response.isBearer {
      problem =
        "issued a bearer token, but the registration requires DPoP. Do not require DPoP for this server."
    } else if response.isBound, response.proofKey == nil {
      problem =
        "issued a DPoP-bound token, although the client sent no proof. Set the registration's dpop to preferred, and report the error to the server's operator."
    } else {
      return
    }
    await revokeUnstored(response.stored(requestedScopes: [], by: self))
    throw OAuthError(.unsupportedTokenType, "\(server.name) \(problem)")
  }
}

/// A client's use of DPoP, which binds tokens to a key
/// ([RFC 9449](https://www.rfc-editor.org/rfc/rfc9449.html)).
public enum DPoPUse: Sendable, Hashable {
  /// Never binds tokens.
  case off
  /// Binds tokens if the server's metadata lists a supported DPoP algorithm, and accepts unbound tokens.
  case preferred
  /// Always binds tokens, and rejects unbound tokens.
  case required
}
