// SPDX-License-Identifier: Apache-2.0

package import OAuthCore

/// The default user agent of the platforms where only the app knows the window to show the sign-in page over.
///
/// An account is not made with it.
package struct MissingUserAgent: UserAgent {
  package init() {}

  package func authorize(_ begin: SignInStart) async throws -> AuthorizationResponse { throw Self.error }

  static let error = OAuthError(
    .invalidConfiguration,
    """
    There is no default user agent for a client with a secret on this platform. In an app, use \
    GoogleAccount(iOSClientID:scopes:) with a client of the type iOS, or pass a WebAuthenticationUserAgent as userAgent. \
    Pass nil if this program never shows a sign-in page.
    """)
}
