// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import OAuthCore
import PlatformFoundation
import Support
import Synchronization
import Timekeeping
import TokenStore

/// The request handler of the loopback port.
///
/// It responds to the sign-in's one-time link, the callback of the pending authorization, and the page that the
/// callback redirects to. The response to a callback is never a page: its URL, which contains the code, would stay in
/// the browser's address bar and history.
final class CallbackReceiver: Sendable {
  private let expected = Mutex<(pending: PendingAuthorization, link: OneTimeLink)?>(nil)
  private let wait = SingleWait<URL>()
  private let rejected: @Sendable (LoopbackUserAgent.Rejection) -> Void
  private let reported = Mutex<Set<LoopbackUserAgent.Rejection.Kind>>([])
  private let isLinkReused = Mutex(false)
  /// The path of the browser's last page.
  ///
  /// Only the browser that sent the callback knows it.
  private let lastPath = "/end/" + randomToken()
  private let lastPage = SingleWait<Void>()
  private let page: SignInPage
  /// The outcome shown on the last page.
  private let outcome = Mutex(SignInPage.Outcome.allowed)

  /// - Parameters:
  ///   - page: The last page.
  ///   - rejected: A closure called once for each kind of rejected request.
  init(page: SignInPage, rejected: @escaping @Sendable (LoopbackUserAgent.Rejection) -> Void = { _ in }) {
    self.page = page
    self.rejected = rejected
  }

  /// Sets the authorization whose callback is accepted.
  ///
  /// Until then, every request is rejected.
  ///
  /// - Returns: The path of the one-time link to the authorization server.
  func expect(_ pending: PendingAuthorization) -> String {
    let link = OneTimeLink(to: pending.authorizationURL) { [self] in
      isLinkReused.withLock { $0 = true }
      // Ends the wait that is currently active.
      wait.end(.failure(Self.linkReused))
      lastPage.end(.failure(Self.linkReused))
    }
    expected.withLock { $0 = (pending, link) }
    return link.path
  }

  /// Waits for the callback.
  ///
  /// Only one task may call this method, and only once.
  ///
  /// - Throws: `OAuthError` with code `linkReused` if the link was requested twice before, or `CancellationError`.
  func callback() async throws -> URL { try await wait.value() }

  /// Checks that the link was not requested twice, regardless of the sender of the callback.
  ///
  /// - Throws: `OAuthError` with code `linkReused`.
  func checkLink() throws {
    if isLinkReused.withLock(\.self) { throw Self.linkReused }
  }

  private static let linkReused = OAuthError(
    .linkReused,
    "The link that opens the browser was requested twice. Another program on this machine may have intercepted the sign-in. Start the sign-in again, and do not reload the page."
  )

  /// Waits until the browser has requested its last page, at most for `limit`: some programs do not follow redirects.
  func lastPage(within limit: Duration, by clock: any WallClock) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { [lastPage] in _ = try? await lastPage.value() }
      group.addTask { try? await clock.sleep(for: limit) }
      await group.next()
      group.cancelAll()
    }
  }

  /// Reports a request rejected before ``respond(to:)``.
  @Sendable func reject(status: Int, reason: String) { report(.unreadable(reason)) }

  private func report(_ rejection: LoopbackUserAgent.Rejection) {
    guard reported.withLock({ $0.insert(rejection.kind).inserted }) else { return }
    rejected(rejection)
  }

  @Sendable func respond(to request: HTTPRequest) async -> HTTPResponse {
    let expected = expected.withLock { $0 }
    if let response = expected?.link.response(to: request) { return response }
    let path = request.url.path(percentEncoded: true)
    if request.method == .get, Secret(path) == Secret(lastPath), lastPage.end(.success(())) {
      return page.response(outcome.withLock(\.self))
    }
    if request.isPreflight, Secret(path) == Secret(lastPath) { return .preflight(for: request) }
    let pending = expected?.pending
    guard path == pending?.redirectURI.path(percentEncoded: true) else {
      return .page(404, "There is nothing at this URL.")
    }
    if request.isPreflight { return .preflight(for: request) }
    guard request.method == .get else { return .methodNotAllowed }
    if let pending, pending.matches(request.url), wait.end(.success(request.url)) {
      outcome.withLock { $0 = SignInPage.Outcome(request.url) }
      return .seeOther(lastPath)
    }
    guard request.url.query() == nil else {
      if pending != nil, request.isAuthorizationResponse { report(.otherState) }
      return .seeOther(path)
    }
    return .page(400, "This is not part of the current sign-in. Return to the application.")
  }
}

extension HTTPRequest {
  /// Whether the query belongs to an authorization response, for any sign-in.
  fileprivate var isAuthorizationResponse: Bool {
    let fields = FormEncoding.form.decode(url.query(percentEncoded: true) ?? "")
    return fields["code"] != nil || fields["error"] != nil
  }

  /// Whether a browser asks for permission to send a GET from a page on another network
  /// ([Private Network Access § 3.1](https://wicg.github.io/private-network-access/#cors-preflight)).
  fileprivate var isPreflight: Bool {
    method == "OPTIONS" && fields["Origin"] != nil && fields["Access-Control-Request-Method"] == "GET"
  }
}

extension HTTPResponse {
  static var methodNotAllowed: HTTPResponse {
    var response = page(405, "Only GET is supported here.")
    response.fields["Allow"] = "GET"
    return response
  }

  /// Returns the permission for a page to send a GET, but not to read its response.
  ///
  /// Any page can send one in a browser without such preflights. It has no effect without the sign-in's `state`. The page is not
  /// always the server's: after redirects across origins, a browser sends `null`.
  fileprivate static func preflight(for request: HTTPRequest) -> HTTPResponse {
    HTTPResponse(
      status: 204,
      fields: HTTPFields(
        SecurityHeaders.common + [
          ("Access-Control-Allow-Origin", request.fields["Origin"] ?? "null"),
          ("Access-Control-Allow-Methods", "GET"), ("Access-Control-Allow-Private-Network", "true"),
          ("Vary", "Origin"),
        ]))
  }

  /// Returns a redirect that is followed with GET.
  static func seeOther(_ location: String) -> HTTPResponse {
    HTTPResponse(status: 303, fields: HTTPFields(SecurityHeaders.common + [("Location", location)]))
  }

  /// Returns a page with one sentence, which loads nothing and is not stored.
  static func page(_ status: Int, _ sentence: String) -> HTTPResponse {
    let nonce = randomToken()
    let html = MessagePage(heading: "Sign-in", sentence: sentence).html(nonce: nonce)
    let policy = ["style-src 'nonce-\(nonce)'"]
    return HTTPResponse(
      status: status, fields: HTTPFields(SecurityHeaders.page(allowing: policy)), body: Array(html.utf8))
  }
}
