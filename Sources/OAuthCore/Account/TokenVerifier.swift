// SPDX-License-Identifier: Apache-2.0

public import TokenStore

/// Checks the tokens of a sign-in before they are stored: the seam for ID-token validation, which module OpenIDConnect fills.
public protocol TokenVerifier: Sendable {
  /// Checks `token`, the outcome of `pending`.
  ///
  /// - Throws: An error that says what is wrong; the tokens are then revoked and not stored.
  func verify(_ token: StoredToken, for pending: PendingAuthorization) async throws

  /// Checks `token`, the outcome of a sign-in on another device, which has no nonce.
  ///
  /// - Throws: An error that says what is wrong; the tokens are then revoked and not stored. The default implementation throws
  ///   ``OAuthError`` with code ``OAuthError/Code/unsupported``.
  func verify(_ token: StoredToken, for device: DeviceAuthorization) async throws
}

extension TokenVerifier {
  /// Throws ``OAuthError`` with code ``OAuthError/Code/unsupported``.
  public func verify(_ token: StoredToken, for device: DeviceAuthorization) async throws {
    throw OAuthError(
      .unsupported, "The account's verifier does not check sign-ins on another device. Give it one that does.")
  }
}
