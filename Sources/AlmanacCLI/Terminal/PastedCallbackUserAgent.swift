// SPDX-License-Identifier: Apache-2.0

import OAuthCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A browser on any computer: the URL is printed, and the URL that the browser ends at is entered.
///
/// Nothing listens at the redirect URI. What is entered is handed on whole, so that every check of a callback is made.
struct PastedCallbackUserAgent: UserAgent {
  let terminal: Terminal
  /// The port of the redirect URI; `nil` for any.
  let port: Int?

  func authorize(_ begin: SignInStart) async throws -> AuthorizationResponse {
    // A port that is taken by chance on the user's computer would be told the code, which is of no use without the verifier.
    let port = port.flatMap { $0 == 0 ? nil : $0 } ?? Int.random(in: 49_152...65_535)
    guard let redirectURI = URL(string: "http://127.0.0.1:\(port)/callback") else {
      throw OAuthError(.invalidConfiguration, "The port of the redirect URI is not valid.")
    }
    let pending = try await begin(redirectURI)
    terminal.note(
      "Open this URL in a browser on any computer, and sign in:\n\(pending.authorizationURL.absoluteString)")
    terminal.note(
      "The browser then cannot load a page at 127.0.0.1, which is as it should be. Enter the whole URL of that page.")
    let entered = try await terminal.ask("URL: ")?.filter { !$0.isWhitespace } ?? ""
    guard !entered.isEmpty else { throw UsageError("No URL was entered.") }
    guard let callback = URL(string: entered), callback.scheme != nil else {
      throw OAuthError(
        .invalidCallback,
        "What was entered is not a URL. Start the sign-in again, and copy the whole URL from the browser.")
    }
    return AuthorizationResponse(pending: pending, callback: callback)
  }
}
