// SPDX-License-Identifier: Apache-2.0

public import TokenStore

/// Checks the tokens of a sign-in before they are stored: the seam for ID-token validation, which module OpenIDConnect fills.
public protocol TokenVerifier: Sendable {
  /// Checks `token`, the outcome of `pending`.
  ///
  /// - Throws: An error that says what is wrong; the tokens are then revoked and not stored.
  func verify(_ token: StoredToken, for pending: PendingAuthorization) async throws
}
