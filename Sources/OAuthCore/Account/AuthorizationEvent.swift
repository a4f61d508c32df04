// SPDX-License-Identifier: Apache-2.0

/// What happened to an account's authorization.
public enum AuthorizationEvent: Sendable, Hashable {
  /// The user signed in and the tokens are stored.
  case granted
  /// The access token was refreshed and the new one is stored.
  case refreshed
  /// The server no longer accepts the refresh token: the user has to sign in again.
  case signInRequired
  /// The stored tokens are removed; the authorization at the server was left as it is.
  case signedOut
  /// The authorization was revoked and the stored tokens are removed.
  case revoked
}
