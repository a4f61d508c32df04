// SPDX-License-Identifier: Apache-2.0

import TokenStore

/// How a ``StoredAuthorization`` obtains a token when the stored one is of no use any more.
protocol TokenRenewal: Sendable {
  /// Whether a renewal spends what is stored, so that once it is sent it is carried through and its outcome stored, even if no
  /// caller waits any more.
  var spendsStoredToken: Bool { get }

  /// Checks that `stored` may be used here; for `nil`, that a token can be obtained without a record.
  ///
  /// - Throws: ``OAuthError``.
  func check(_ stored: StoredToken?) throws

  /// Whether a token can be obtained in place of `stored`.
  func canReplace(_ stored: StoredToken?) -> Bool

  /// Obtains a token from the server.
  ///
  /// - Parameters:
  ///   - stored: What is stored now.
  ///   - rejected: A token that a server refused.
  /// - Returns: What to store in its place.
  /// - Throws: ``OAuthError`` with code ``OAuthError/Code/signInRequired`` if the server refuses `stored`; any other error for
  ///   a fault that may pass.
  func token(inPlaceOf stored: StoredToken?, rejected: AccessToken?) async throws -> StoredToken
}
