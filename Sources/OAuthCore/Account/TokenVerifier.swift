// SPDX-License-Identifier: Apache-2.0

public import TokenStore

/// A type that verifies the tokens of a sign-in before they are stored.
///
/// `IDTokenVerifier` of module OpenIDConnect validates ID tokens.
///
/// A verifier is called with exclusive access to the account's record. It must not request the account's tokens.
public protocol TokenVerifier: Sendable {
  /// Verifies `token`, the result of `pending`.
  ///
  /// - Throws: An error with the problem. The tokens are then revoked and not stored.
  func verify(_ token: StoredToken, for pending: PendingAuthorization) async throws

  /// Verifies `token`, the result of a sign-in on another device, which has no nonce.
  ///
  /// - Throws: An error with the problem. The tokens are then revoked and not stored. The default implementation throws
  ///   ``OAuthError`` with code ``OAuthError/Code/unsupported``.
  func verify(_ token: StoredToken, for device: DeviceAuthorization) async throws
}

extension TokenVerifier {
  /// Throws ``OAuthError`` with code ``OAuthError/Code/unsupported``.
  public func verify(_ token: StoredToken, for device: DeviceAuthorization) async throws {
    throw OAuthError(
      .unsupported, "The account's verifier does not support sign-ins on another device. Use a verifier that does.")
  }
}
