// SPDX-License-Identifier: Apache-2.0

import OAuthCore
import PlatformFoundation

/// A user agent that prints the authorization URL for a browser on any computer, and reads the callback URL.
///
/// Nothing listens at the redirect URI. The client checks a pasted callback URL in the same way as a received one.
struct PastedCallbackUserAgent: UserAgent {
  let terminal: Terminal
  /// The port of the redirect URI, or `nil` for any.
  let port: Int?

  func authorize(_ begin: SignInStart) async throws -> AuthorizationResponse {
    // Another program that listens on the port receives the code. Without the PKCE verifier, it cannot exchange the code.
    let port = port.flatMap { $0 == 0 ? nil : $0 } ?? Int.random(in: 49_152...65_535)
    guard let redirectURI = URL(string: "http://127.0.0.1:\(port)/callback") else {
      throw OAuthError(.invalidConfiguration, "The port of the redirect URI is not valid.")
    }
    let pending = try await begin(redirectURI)
    terminal.note(
      "Open this URL in a browser on any computer, and sign in:\n\(pending.authorizationURL.absoluteString)")
    terminal.note(
      "The browser then fails to load a page at 127.0.0.1, as expected. Enter the whole URL of that page.")
    for attempt in 1... {
      let entered = try await terminal.ask("URL: ")
      // A copied text can contain white space, a byte order mark and quotation marks or brackets around the URL.
      var text = entered?.filter { !$0.isWhitespace && $0 != "\u{FEFF}" && $0 != "\u{200B}" } ?? ""
      for marks in ["\"\"", "''", "<>"] where text.count > 1 && text.first == marks.first && text.last == marks.last {
        text = String(text.dropFirst().dropLast())
      }
      // Some browsers copy a URL without its scheme.
      if text.hasPrefix("127.0.0.1:") { text = "http://" + text }
      let callback = URL(callback: text)
      let isOfThisSignIn = callback.map { pending.matches($0) } ?? false
      // A script has one attempt. A user can mistype a line, or copy another URL, such as that of the sign-in page.
      if entered != nil, !isOfThisSignIn, terminal.canAsk, attempt < 10 {
        terminal.note(
          """
          This is not the URL of the page at 127.0.0.1 of this sign-in. Copy the whole URL from the browser, from http:// to its end, \
          and enter it again. To stop, press Ctrl-C.
          """)
        continue
      }
      guard !text.isEmpty else { throw UsageError("No URL was entered.") }
      guard let callback else {
        throw OAuthError(
          .invalidCallback,
          "The input is not a URL. Start the sign-in again, and copy the whole URL from the browser.")
      }
      return AuthorizationResponse(pending: pending, callback: callback)
    }
    throw UsageError("No URL was entered.")
  }
}
