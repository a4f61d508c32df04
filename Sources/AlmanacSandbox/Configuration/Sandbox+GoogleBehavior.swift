// SPDX-License-Identifier: Apache-2.0

extension Sandbox {
  /// A way in which Google treats a client of the type *Desktop app*, where the specifications allow a server to be stricter.
  public enum GoogleBehavior: Sendable, Hashable, CaseIterable {
    /// Any port and path of `localhost`, `127.0.0.1` and `[::1]` is a redirect URI of the client.
    case anyLoopbackRedirect
    /// A client that authenticates may leave PKCE out. A verifier must still match its challenge.
    case optionalPKCE
    /// The token alone revokes, without authentication of the client, in the form or in the query.
    case revocationByToken
    /// The scopes `email` and `profile` are named `https://www.googleapis.com/auth/userinfo.email` and `…profile` in token
    /// responses, and `openid` is granted along with them.
    case longScopeNames
  }
}
