// SPDX-License-Identifier: Apache-2.0

import OAuthCore
import PlatformFoundation

/// A user agent that prints the authorization URL for a browser on any computer, and reads the callback URL.
///
/// Nothing listens at the redirect URI. The callback URL is checked in the same way as a received one.
struct PastedCallbackUserAgent: UserAgent {
  let terminal: Terminal
  /// The port of the redirect URI, or `nil` for any.
  let port: Int?

  func authorize(_ begin: SignInStart) async throws -> AuthorizationResponse {
    // If another program listens on the port, it receives the code, which it cannot exchange without the PKCE verifier.
    let port = port.flatMap { $0 == 0 ? nil : $0 } ?? Int.random(in: 49_152...65_535)
    guard let redirectURI = URL(string: "http://127.0.0.1:\(port)/callback") else {
      throw OAuthError(.invalidConfiguration, "The port of the redirect URI is not valid.")
    }
    let pending = try await begin(redirectURI)
    terminal.note(
      "Open this URL in a browser on any computer, and sign in:\n\(pending.authorizationURL.absoluteString)")
    terminal.note(
      "The browser then fails to load a page at 127.0.0.1, as expected. Enter the whole URL of that page.")
    let entered = try await terminal.ask("URL: ")?.filter { !$0.isWhitespace } ?? ""
    guard !entered.isEmpty else { throw UsageError("No URL was entered.") }
    // Some browsers copy a URL without its scheme.
    let text = entered.hasPrefix("127.0.0.1:") ? "http://" + entered : entered
    guard let callback = URL(callback: text) else {
      throw OAuthError(
        .invalidCallback,
        "The input is not a URL. Start the sign-in again, and copy the whole URL from the browser.")
    }
    return AuthorizationResponse(pending: pending, callback: callback)
  }
}
