import Almanac
import AlmanacSandbox
package import HTTPTransport
import LoopbackHTTP
import OAuthCore
import OAuthJOSE
import OpenIDConnect
import Timekeeping
import TokenStore

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Answers the page's requests.
///
/// One browser may use it: the one that opened the address from the terminal and got the session cookie. Everything that
/// changes something is a POST with a key that only the page knows.
package actor WebSite {
  private let world: DemoWorld
  private var base = URL(filePath: "/")
  private var entranceKey: Secret? = Secret(randomToken())
  private let session = Secret(randomToken())
  private let formKey = Secret(randomToken())
  private var pending: PendingAuthorization?
  private var notice = Page.Notice(text: "Nobody is signed in.", isError: false)
  private var happened: [String] = []

  package init(world: DemoWorld) { self.world = world }

  /// Tells the site its own address, and begins to listen to what happens to the account.
  package func start(at url: URL) {
    base = url
    let events = world.google.events
    Task { [weak self] in
      for await event in events { await self?.note(event) }
    }
  }

  /// The address that lets one browser in, once.
  ///
  /// Its key passes through the arguments of the program that opens the browser, where other people on the same computer
  /// can see it for a moment. It is spent by its first use: whoever is faster gets a page about a person who does not
  /// exist, and the one who was meant to is told that the address was used.
  package var entrance: URL { base.appending(path: "/open/\(entranceKey?.reveal() ?? "")") }

  package func answer(_ request: HTTPRequest) async -> HTTPResponse {
    let path = request.url.path(percentEncoded: true)
    if request.method == .get, path.hasPrefix("/open/") { return open(key: String(path.dropFirst(6))) }
    guard isSession(request) else {
      return .page(403, Page.message("This page belongs to the browser that opened the address shown in the terminal."))
    }
    switch (request.method, path) {
    case (.get, "/"): return await page()
    case (.get, "/style.css"): return .stylesheet
    case (.get, "/callback"): return await complete(request.url)
    case (.post, "/grant"), (.post, "/revoke"), (.post, "/hour"), (.post, "/forget"):
      let form = FormEncoding.form.decode(String(decoding: request.body ?? [], as: UTF8.self))
      guard let key = form["key"], Secret(key) == formKey else {
        return .page(403, Page.message("This form is not from this page. Go back and load it again."))
      }
      return await act(path)
    default: return .page(404, Page.message("There is nothing at this address."))
    }
  }

  private func open(key: String) -> HTTPResponse {
    guard let entranceKey, Secret(key) == entranceKey else {
      return .page(403, Page.message("This address was used already. Start the demonstration again."))
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
        let pending = try await world.google.authorization.beginSignIn(redirectURI: base.appending(path: "/callback"))
        self.pending = pending
        return .redirect(to: pending.authorizationURL.absoluteString)
      case "/revoke":
        try await world.google.revoke()
        notice = Page.Notice(text: "The access is revoked and the token removed.", isError: false)
      case "/hour":
        world.clock.advance(by: .seconds(3600))
        notice = Page.Notice(text: "An hour has passed: the access token expired and was refreshed.", isError: false)
      default:
        world.sandbox.invalidateAccessTokens()
        notice = Page.Notice(
          text: "The server forgot the access token: the page's request was rejected, healed and repeated.",
          isError: false)
      }
    } catch {
      fail(error)
    }
    return .redirect(to: "/")
  }

  private func complete(_ callback: URL) async -> HTTPResponse {
    guard let pending, pending.isAnswered(by: callback) else {
      return .page(400, Page.message("This does not belong to a sign-in that is under way."))
    }
    self.pending = nil
    do {
      try await world.google.authorization.completeSignIn(pending, callback: callback)
      notice = Page.Notice(text: "Access is granted.", isError: false)
    } catch {
      fail(error)
    }
    // The next address has no code in it.
    return .redirect(to: "/")
  }

  private func page() async -> HTTPResponse {
    var notice = notice
    var isSignedIn = true
    var content: Page.Content?
    do {
      isSignedIn = try await world.google.authorization.storedToken != nil
      if isSignedIn { content = try await read() }
    } catch {
      // A fault of this reading is shown with it, and is gone with the next one that succeeds.
      notice = Page.Notice(text: Failure(error).message, isError: true)
      if let error = error as? OAuthError, error.code == .signInRequired { isSignedIn = false }
    }
    let nonce = randomToken()
    let page = Page(
      notice: notice, isSignedIn: isSignedIn, content: content, formKey: formKey,
      happened: happened.suffix(6).reversed() + world.exchanges.all.suffix(40).reversed().map(\.line))
    return .page(200, page.html(nonce: nonce), nonce: nonce, formTarget: world.server.url)
  }

  private func read() async throws -> Page.Content {
    async let profile = world.google.profile()
    let list = try await PaintedCalendars(world.google.calendar)
    let agenda = try await Agenda(world.google.calendar, list, from: world.clock.now, days: 7)
    return Page.Content(list: list, agenda: agenda, profile: try await profile)
  }

  private func fail(_ error: any Error) {
    let failure = Failure(error)
    notice = Page.Notice(text: failure.message, isError: true)
  }

  private func note(_ event: AuthorizationEvent) {
    switch event {
    case .granted: happened.append("Access granted: the tokens are stored.")
    case .refreshed: happened.append("Access token refreshed: the rotated token is stored.")
    case .signInRequired: happened.append("The sign-in is no longer accepted.")
    case .signedOut: happened.append("Signed out: the tokens are removed.")
    case .revoked: happened.append("Access revoked: the tokens are removed.")
    }
  }
}

extension ExchangeRecord {
  /// The exchange in a few words: the status, and the path without the identifiers that make it long.
  fileprivate var line: String {
    let path = address.split(separator: "/", omittingEmptySubsequences: true).dropFirst(2)
    let short = path.map { $0.count > 24 ? "…" : String($0) }.joined(separator: "/")
    return "\(status.map(String.init) ?? fault ?? "") \(method) /\(short)"
  }
}
