// SPDX-License-Identifier: Apache-2.0

import AppFlip

/// The app's own server, as far as linking needs it.
protocol LinkServer: Sendable {
  /// Whether a user is signed in to the app.
  var isSignedIn: Bool { get async }

  /// Signs a user in to the app.
  ///
  /// - Throws: Any error if no user has signed in.
  func signIn() async throws

  /// Returns an authorization code of the signed-in user's, issued for the request's client, scopes and redirect URI.
  ///
  /// - Throws: ``LinkServerError``; anything else means that the server could not be asked.
  func authorizationCode(for request: AppFlipRequest) async throws -> String
}

enum LinkServerError: Error {
  /// No account is signed in to the app.
  case signInRequired
  /// The account cannot be linked, such as one that is disabled.
  case accountDisabled
}
