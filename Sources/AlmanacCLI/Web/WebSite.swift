// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacSandbox
import CalendarAPI
package import HTTPTransport
import LoopbackHTTP
import OAuthCore
import OAuthJOSE
import OpenIDConnect
package import PlatformFoundation
import Support
import Timekeeping
import TokenStore

/// The server of the page.
///
/// Only the browser that opened the URL from the terminal has the session cookie and can use the page. Every change is
/// a POST with a key contained only in the page.
package actor WebSite {
  private let demo: DemoEnvironment
  private var google: GoogleAccount
  private var base = URL(filePath: "/")
  private var entranceKey: Secret? = Secret(randomToken())
  private let session = Secret(randomToken())
  private let formKey = Secret(randomToken())
  private var pending: PendingAuthorization?
  /// The exchange of an authorization code for tokens, if one is in progress.
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

  /// Sets the site's URL, and starts to observe the account's events.
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

  /// The URL that gives access to the first browser that opens it.
  ///
  /// Its key is an argument of the program that opens the browser, so other users of the computer can briefly see it.
  /// The key is valid for one use. If another user opens the URL first, that user sees the page of a fictitious
  /// account, and the intended user sees that the URL was used.
  package var entrance: URL { base.appending(path: "/open/\(entranceKey?.reveal() ?? "")") }

  package func respond(to request: HTTPRequest) async -> HTTPResponse {
    let path = request.url.path(percentEncoded: true)
    if request.method == .get, path.hasPrefix("/open/") { return open(key: String(path.dropFirst(6))) }
    // The stylesheet is the same for every user, and the refusal page below requires it too.
    if request.method == .get, path == "/style.css" { return .stylesheet }
    guard isSession(request) else {
      return .message(
        403, "Another browser has this page",
        "Only the browser that opened the URL in the terminal can use it. To use it here, start the demonstration again.",
        back: "Try again")
    }
    switch (request.method, path) {
    case (.get, "/"): return await page()
    case (.get, "/callback"): return complete(request.url)
    case (.get, "/token"): return .page(200, .retrievingToken, nonce: randomToken())
    case (.post, "/grant"), (.post, "/revoke"), (.post, "/hour"), (.post, "/forget"), (.post, "/revoke-at-server"),
      (.post, "/relaunch"), (.post, "/event"):
      let form = FormEncoding.form.decode(String(decoding: request.body ?? [], as: UTF8.self))
      guard let key = form["key"], Secret(key) == formKey else {
        return .message(
          403, "Nothing was changed", "The form did not come from this page. Go back and press the button again.")
      }
      return await act(path)
    default: return .message(404, "Page not found", "There is no page at this URL.")
    }
  }

  private func open(key: String) -> HTTPResponse {
    guard let entranceKey, Secret(key) == entranceKey else {
      return .message(
        403, "This link was used already",
        "It opens the page once, in one browser. In that browser, follow the link below. For another browser, start the "
          + "demonstration again.")
    }
    self.entranceKey = nil
    var response = HTTPResponse.redirect(to: "/")
    // With Lax, the callback from the authorization server sends the cookie. With HttpOnly, no script can read it.
    response.fields["Set-Cookie"] = "\(cookieName)=\(session.reveal()); Path=/; HttpOnly; SameSite=Lax"
    return response
  }

  /// The name of the session cookie.
  ///
  /// The name contains the port, because servers on other ports of this computer share the cookies.
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
      case "/event":
        let added = try await google.calendar.events.insert(nextHour, in: "primary")
        notice = Notice(text: "Added “\(added.summary ?? "")” to your calendar, \(added.when).")
      case "/hour":
        demo.clock.advance(by: .seconds(3600))
        notice = Notice(text: "An hour has passed: the access token expired and was refreshed.")
      case "/revoke-at-server":
        // The page's next request detects the revocation and shows the error.
        demo.sandbox.revokeGrants()
      case "/relaunch":
        // As at a program's start, nothing is in memory, and the tokens are read from their file.
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

  /// An event in the next full hour.
  private var nextHour: Event {
    let now = demo.clock.now.secondsSince1970
    let start = Timestamp(secondsSince1970: now - now % 3600 + 3600)
    var event = Event()
    event.summary = "Tea with Almanac"
    event.period = .timed(start: OffsetDateTime(start), end: OffsetDateTime(start + .seconds(3600)), timeZone: "UTC")
    return event
  }

  private func complete(_ callback: URL) -> HTTPResponse {
    guard callback.query() != nil else {
      return .message(
        400, "No sign-in is in progress",
        "The server's response does not belong to a sign-in of this page, or it was already used. To begin another, go back "
          + "and press Grant.")
    }
    // After the redirect, the address bar contains no code, even an unused one.
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
    // A denied request has no code to exchange.
    let fields = FormEncoding.form.decode(callback.query(percentEncoded: true) ?? "")
    return .redirect(to: fields["code"] == nil ? "/" : "/token")
  }

  private func page() async -> HTTPResponse {
    if let exchange {
      self.exchange = nil
      notice = await exchange.value
    }
    // A notice is shown once.
    var notice = notice
    self.notice = nil
    var isSignedIn = true
    var content: AccountPage.Content?
    let requested = google.oauthAccount.scopes
    var access = GrantedAccess(requested: requested, granted: requested)
    var granted: [Scope] = []
    do {
      let token = try await google.oauthAccount.storedToken
      isSignedIn = token != nil
      if let token {
        granted = token.scopes
        access = GrantedAccess(requested: requested, granted: granted)
        content = try await read(Set(token.scopes))
      }
    } catch {
      // The error of this attempt is shown once. The next successful attempt replaces it.
      notice = Notice(error)
      if let error = error as? OAuthError, error.code == .signInRequired { isSignedIn = false }
    }
    let page = AccountPage(
      notice: notice, isSignedIn: isSignedIn, content: content, access: access,
      canAddEvents: ScopeRule.google.isCovered(.calendarEvents, by: granted), formKey: formKey,
      history: History(events: events, exchanges: demo.exchanges.all))
    return .page(200, page.document, server: demo.server.url, nonce: randomToken())
  }

  /// Reads the data that the scopes allow.
  private func read(_ scopes: Set<Scope>) async throws -> AccountPage.Content {
    var content = AccountPage.Content()
    if scopes.contains(.openID) { content.profile = try await google.profile() }
    if scopes.contains(.calendarReadOnly) {
      let list = try await PaintedCalendars(google.calendar)
      content.calendars = (list, try await Agenda(google.calendar, list, from: demo.clock.now, days: 7))
    }
    return content
  }

  private func note(_ event: SignInEvent) {
    switch event {
    case .granted: events.append("Access granted: the tokens are stored.")
    case .refreshed: events.append("Access token refreshed: the rotated token is stored.")
    case .signInRequired: events.append("The sign-in expired or was revoked.")
    case .signedOut: events.append("Signed out: the tokens are removed.")
    case .revoked: events.append("Access revoked: the tokens are removed.")
    }
  }
}

extension HTTPResponse {
  /// Returns a page with a message and a link to the main page.
  fileprivate static func message(
    _ status: Int, _ heading: String, _ text: String, back: String = "Back to the page"
  ) -> HTTPResponse {
    .page(status, .message(heading, text, back: back), nonce: randomToken())
  }
}
