// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import OAuthCore
import PlatformFoundation
import Support

/// The browser's last page of a sign-in with ``LoopbackUserAgent``.
///
/// By default, the page names the program, states the server's response, and asks the user to return. To name the program in
/// other words, or to show a page of your own:
///
/// ```swift
/// let named = SignInPage(program: "Field Notes")
/// let own = SignInPage { outcome in outcome == .allowed ? "<h1>Welcome</h1>" : "<h1>Access was not allowed</h1>" }
/// let userAgent = LoopbackUserAgent(page: named) { link in print(link) }
/// ```
public struct SignInPage: Sendable {
  /// The server's response to the authorization request.
  public enum Outcome: Sendable, Hashable, CaseIterable {
    /// The user allowed access. The program exchanges the authorization code meanwhile, which can still fail.
    case allowed
    /// The user denied access.
    case denied
    /// The server reported another error.
    ///
    /// The page does not show it, but the program does.
    case failed
  }

  private let html: @Sendable (Outcome, _ nonce: String?) -> String
  /// The source of styles allowed by the page's policy, for a nonce.
  private let styles: @Sendable (_ nonce: String) -> String

  /// Creates the default page.
  ///
  /// - Parameter program: The name of the program. Defaults to the name of the process.
  public init(program: String? = nil) {
    let name = program ?? ProcessInfo.processInfo.processName
    html = { MessagePage(outcome: $0, program: name).html(nonce: $1 ?? "") }
    styles = { "'nonce-\($0)'" }
  }

  /// Creates a page of your own.
  ///
  /// The page is stored nowhere. Its policy allows styles within the page and images in `data:` URLs. Scripts do not
  /// run, and nothing else is loaded.
  ///
  /// - Parameter html: A closure that returns the complete HTML document, in UTF-8.
  public init(html: @escaping @Sendable (Outcome) -> String) {
    self.html = { outcome, _ in html(outcome) }
    styles = { _ in "'unsafe-inline'" }
  }

  func response(_ outcome: Outcome) -> HTTPResponse {
    let nonce = randomToken()
    let policy = ["style-src \(styles(nonce))", "img-src data:"]
    return HTTPResponse(
      status: 200, fields: HTTPFields(SecurityHeaders.page(allowing: policy)), body: Array(html(outcome, nonce).utf8))
  }
}

extension SignInPage.Outcome {
  /// The outcome of a callback.
  init(_ callback: URL) {
    let fields = FormEncoding.form.decode(callback.query(percentEncoded: true) ?? "")
    switch fields["error"] {
    case nil: self = .allowed
    case let code? where ServerErrorCode.denials.contains(code): self = .denied
    default: self = .failed
    }
  }
}

/// A styled page with a heading and a sentence.
struct MessagePage {
  let heading: String
  let sentence: String
  /// The sign before the heading.
  var sign = ""

  init(heading: String, sentence: String) {
    self.heading = heading
    self.sentence = sentence
  }

  init(outcome: SignInPage.Outcome, program: String) {
    switch outcome {
    case .allowed:
      sign = "✓"
      heading = "You allowed access"
      sentence =
        "\(program) has received the response and finishes the sign-in. You can close this window and return to \(program)."
    case .denied:
      sign = "–"
      heading = "You did not allow access"
      sentence =
        "\(program) cannot use your account. To allow access after all, start the sign-in again. You can close this window and return to \(program)."
    case .failed:
      sign = "!"
      heading = "The sign-in did not succeed"
      sentence =
        "The server reported an error, which \(program) explains. You can close this window and return to \(program)."
    }
  }

  /// Returns the document, which loads nothing.
  ///
  /// - Parameter nonce: The nonce of the style in the page's policy.
  func html(nonce: String) -> String {
    let badge = sign.isEmpty ? "" : "<p class=\"sign\" aria-hidden=\"true\">\(sign)</p>\n"
    return """
      <!doctype html>
      <html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
      <meta name="color-scheme" content="light dark"><title>\(heading.escapedForHTML)</title>
      <style nonce="\(nonce)">
      :root { color-scheme: light dark; }
      body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#f4f5f7, #16181d);
        color: light-dark(#1b1e25, #e8eaee); font: 1.0625rem/1.5 system-ui, sans-serif; }
      main { box-sizing: border-box; max-width: 30rem; margin: 1rem; padding: 2rem; border-radius: .75rem; text-align: center;
        background: light-dark(#fff, #1f2229); border: 1px solid light-dark(#dfe2e8, #343944); overflow-wrap: anywhere; }
      h1 { margin: 0 0 .5rem; font-size: 1.5rem; line-height: 1.25; } p { margin: 0; color: light-dark(#4a5160, #b3bac6); }
      .sign { width: 3rem; margin: 0 auto 1rem; border-radius: 50%; font-size: 1.5rem; line-height: 3rem; font-weight: 700;
        color: light-dark(#1b1e25, #e8eaee); background: light-dark(#e6e9ef, #343944); }
      </style>
      <main>
      \(badge)<h1>\(heading.escapedForHTML)</h1>
      <p>\(sentence.escapedForHTML)</p>
      </main></html>
      """
  }
}
