// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacSandbox
package import HTTPTransport
import LoopbackHTTP
import OAuthCore
import OAuthJOSE
import OpenIDConnect
import Support
import Timekeeping
import TokenStore

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The server of the page.
///
/// One browser may use it: the one that opened the URL from the terminal and got the session cookie. Everything that
/// changes something is a POST with a key that only the page knows.
package actor WebSite {
  private let demo: DemoEnvironment
  private var google: GoogleAccount
  private var base = URL(filePath: "/")
  private var entranceKey: Secret? = Secret(randomToken())
  private let session = Secret(randomToken())
  private let formKey = Secret(randomToken())
  private var pending: PendingAuthorization?
  /// The exchange of an authorization code for tokens, while it is under way.
  private var exchange: Task<Notice, Never>?
  private var notice: Notice?
  private var events: [String] = []
  private var observation: Task<Void, Never>?

  private typealias Notice = AccountPage.Notice

  package init(demo: DemoEnvironment) {
    self.demo = demo
    google = demo.google
  }

  deinit { observation?.cancel() }

  /// Sets the site's own URL, and begins to observe the account's events.
  package func start(at url: URL) {
    base = url
    observe()
  }

  private func observe() {
    let events = google.signInEvents
    observation?.cancel()
    observation = Task { [weak self] in
      for await event in events { await self?.note(event) }
    }
  }

  /// The URL that gives one browser access, once.
  ///
  /// Its key passes through the arguments of the program that opens the browser, where other users of the same computer
  /// can see it for a moment. It is valid for one use: another user who is faster gets a page about an account that does not
  /// exist, and the intended user sees that the URL was used.
  package var entrance: URL { base.appending(path: "/open/\(entranceKey?.reveal() ?? "")") }

  package func respond(to request: HTTPRequest) async -> HTTPResponse {
    let path = request.url.path(percentEncoded: true)
    if request.method == .get, path.hasPrefix("/open/") { return open(key: String(path.dropFirst(6))) }
    // It is the same for everyone, and the pages below need it too.
    if request.method == .get, path == "/style.css" { return .stylesheet }
    guard isSession(request) else {
      return .message(
        403, "Another browser has this page",
        "It belongs to the browser that opened the URL shown in the terminal. To use it here, start the demonstration again.",
        back: "Try again")
    }
    switch (request.method, path) {
    case (.get, "/"): return await page()
    case (.get, "/callback"): return complete(request.url)
    case (.get, "/token"): return .page(200, .retrievingToken, nonce: randomToken())
    case (.post, "/grant"), (.post, "/revoke"), (.post, "/hour"), (.post, "/forget"), (.post, "/relaunch"):
      let form = FormEncoding.form.decode(String(decoding: request.body ?? [], as: UTF8.self))
      guard let key = form["key"], Secret(key) == formKey else {
        return .message(
          403, "Nothing was changed", "The form did not come from this page. Go back and press the button again.")
      }
      return await act(path)
    default: return .message(404, "Page not found", "This URL leads nowhere.")
    }
  }

  private func open(key: String) -> HTTPResponse {
    guard let entranceKey, Secret(key) == entranceKey else {
      return .message(
        403, "This link was used already",
        "It opens the page in one browser, once. In that browser the link below leads to it; for another, start the "
          + "demonstration again.")
    }
    self.entranceKey = nil
    var response = HTTPResponse.redirect(to: "/")
    // Lax, so that the way back from the authorization server counts; HttpOnly, so that no script reads it.
    response.fields["Set-Cookie"] = "\(cookieName)=\(session.reveal()); Path=/; HttpOnly; SameSite=Lax"
    return response
  }

  /// Cookies ignore ports: under a common name another server on this computer would overwrite it.
  private var cookieName: String { "almanac-\(base.port ?? 80)" }

  private func isSession(_ request: HTTPRequest) -> Bool {
    let start = cookieName + "="
    return request.fields.values(for: "Cookie").flatMap { $0.split(separator: ";") }
      .contains { cookie in
        let cookie = cookie.drop { $0 == " " }
        return cookie.hasPrefix(start) && Secret(String(cookie.dropFirst(start.count))) == session
      }
  }

  private func act(_ path: String) async -> HTTPResponse {
    do {
      switch path {
      case "/grant":
        let pending = try await google.oauthAccount.beginSignIn(redirectURI: base.appending(path: "/callback"))
        self.pending = pending
        return .redirect(to: pending.authorizationURL.absoluteString)
      case "/revoke":
        try await google.revoke()
        notice = Notice(text: "The access is revoked and the token removed.")
      case "/hour":
        demo.clock.advance(by: .seconds(3600))
        notice = Notice(text: "An hour has passed: the access token expired and was refreshed.")
      case "/relaunch":
        // As a program does at its start: nothing is in memory, and the tokens are read from their file.
        google = try demo.account(nil, account: "demo")
        observe()
        notice = Notice(text: "The account was opened again: the stored tokens were read, and no sign-in was needed.")
      default:
        demo.sandbox.invalidateAccessTokens()
        notice = Notice(
          text: "The server rejected the access token: it was refreshed, and the page's request was sent again.")
      }
    } catch {
      notice = Notice(error)
    }
    return .redirect(to: "/")
  }

  private func complete(_ callback: URL) -> HTTPResponse {
    guard callback.query() != nil else {
      return .message(
        400, "No sign-in is under way",
        "The response of the server belongs to no sign-in of this page. It may have been used already: go back, and press "
          + "Grant to begin another.")
    }
    // The URL of the page that follows holds no code, whether it was used or not.
    guard let pending, pending.matches(callback) else { return .redirect(to: "/callback") }
    self.pending = nil
    let account = google.oauthAccount
    exchange = Task {
      do {
        let token = try await account.completeSignIn(pending, callback: callback)
        let access = GrantedAccess(requested: account.scopes, granted: token.scopes)
        return Notice(
          text: access.missing.isEmpty
            ? "Access is granted." : "You are signed in, with less access than was requested.")
      } catch {
        return Notice(error)
      }
    }
    // A refusal brings no code to exchange.
    let fields = FormEncoding.form.decode(callback.query(percentEncoded: true) ?? "")
    return .redirect(to: fields["code"] == nil ? "/" : "/token")
  }

  private func page() async -> HTTPResponse {
    if let exchange {
      self.exchange = nil
      notice = await exchange.value
    }
    // A notice is about the last action: it goes after one view.
    var notice = notice
    self.notice = nil
    var isSignedIn = true
    var content: AccountPage.Content?
    let requested = google.oauthAccount.scopes
    var access = GrantedAccess(requested: requested, granted: requested)
    do {
      let token = try await google.oauthAccount.storedToken
      isSignedIn = token != nil
      if let token {
        access = GrantedAccess(requested: requested, granted: token.scopes)
        content = try await read(Set(token.scopes))
      }
    } catch {
      // A fault of this reading is shown with it, and is gone with the next one that succeeds.
      notice = Notice(error)
      if let error = error as? OAuthError, error.code == .signInRequired { isSignedIn = false }
    }
    let page = AccountPage(
      notice: notice, isSignedIn: isSignedIn, content: content, access: access, formKey: formKey,
      history: History(events: events, exchanges: demo.exchanges.all))
    return .page(200, page.document, server: demo.server.url, nonce: randomToken())
  }

  /// Reads what the scopes allow.
  private func read(_ scopes: Set<String>) async throws -> AccountPage.Content {
    var content = AccountPage.Content()
    if scopes.contains(GoogleScope.openID.rawValue) { content.profile = try await google.profile() }
    if scopes.contains(GoogleScope.calendarReadOnly.rawValue) {
      let list = try await PaintedCalendars(google.calendar)
      content.calendars = (list, try await Agenda(google.calendar, list, from: demo.clock.now, days: 7))
    }
    return content
  }

  private func note(_ event: SignInEvent) {
    switch event {
    case .granted: events.append("Access granted: the tokens are stored.")
    case .refreshed: events.append("Access token refreshed: the rotated token is stored.")
    case .signInRequired: events.append("The sign-in is no longer accepted.")
    case .signedOut: events.append("Signed out: the tokens are removed.")
    case .revoked: events.append("Access revoked: the tokens are removed.")
    }
  }
}

extension HTTPResponse {
  /// A page that says what happened and leads back.
  fileprivate static func message(
    _ status: Int, _ heading: String, _ text: String, back: String = "Back to the page"
  ) -> HTTPResponse {
    .page(status, .message(heading, text, back: back), nonce: randomToken())
  }
}
