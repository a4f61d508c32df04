// SPDX-License-Identifier: Apache-2.0

import AppFlip

/// The part of the app's server that linking needs.
protocol LinkServer: Sendable {
  /// Whether a user is signed in to the app.
  var isSignedIn: Bool { get async }

  /// Signs a user in to the app.
  ///
  /// - Throws: Any error if no user has signed in.
  func signIn() async throws

  /// Returns an authorization code of the signed-in user for the request's client, scopes and redirect URI.
  ///
  /// - Throws: ``LinkServerError``. Any other error means that the server is unreachable.
  func authorizationCode(for request: AppFlipRequest) async throws -> String
}

enum LinkServerError: Error {
  /// No user is signed in to the app.
  case signInRequired
  /// The account cannot be linked, for example because it is disabled.
  case accountDisabled
}
