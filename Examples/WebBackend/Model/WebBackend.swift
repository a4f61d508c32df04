// SPDX-License-Identifier: Apache-2.0

import Almanac
import CalendarAPI
import Foundation
import HTTPTransport
import LoopbackHTTP
import OAuthCore
import OpenIDConnect
import Timekeeping
import TokenStore

/// A web server where many users sign in with Google and see their calendars.
///
/// Users are identified by the subject of the verified ID token, never by the e-mail address, which can be reassigned. All state
/// is in `storage` and `sessions`, so sign-ins survive a restart.
struct WebBackend: Sendable {
  private let client: OAuthClient
  private let verifier: IDTokenVerifier
  private let storage: any TokenStorage
  private let sessions: Sessions
  private let transport: any Transport
  private let apiURL: URL
  /// The public URL of this server, or of the proxy in front of it.
  private let publicURL: URL

  /// - Throws: `OAuthError` with code `invalidConfiguration`.
  init(
    _ services: GoogleServices = .production, registration: ClientRegistration, publicURL: URL,
    storage: some TokenStorage, sessions: Sessions, transport: some Transport, clock: some WallClock = SystemClock()
  ) throws {
    client = try OAuthClient(
      provider: services.provider, registration: registration, transport: transport, clock: clock)
    verifier = IDTokenVerifier(client: client, transport: transport, clock: clock)
    self.storage = storage
    self.sessions = sessions
    self.transport = transport
    self.publicURL = publicURL
    apiURL = services.apiURL
  }

  /// Serves on a loopback address until the server is stopped.
  func serve(port: Int) async throws -> LoopbackServer {
    try await LoopbackServer.start(port: port) { await respond(to: $0) }
  }

  func respond(to request: HTTPRequest) async -> HTTPResponse {
    do {
      switch (request.method, request.url.path()) {
      case (.get, "/"), (.get, ""): return try await home(request)
      case (.get, "/sign-in"): return try await beginSignIn()
      case (.get, "/callback"): return try await completeSignIn(request)
      case (.post, "/sign-out"): return try await signOut(request, isRevoking: false)
      case (.post, "/disconnect"): return try await signOut(request, isRevoking: true)
      default: return .page(404, "Not found", "There is nothing at this URL.")
      }
    } catch let error as OAuthError {
      return .page(error)
    } catch {
      // Log the message of a library error here: it contains no secrets.
      return .page(502, "That did not work", "Try again later.")
    }
  }
}

// Signing in.
extension WebBackend {
  private var redirectURI: URL { publicURL.appending(path: "callback") }

  private func beginSignIn() async throws -> HTTPResponse {
    let pending = try await client.beginAuthorization(
      scopes: [.openID, .email, .profile, .calendarReadOnly], redirectURI: redirectURI)
    // Binds the sign-in to this browser's session. A callback that an attacker injects into another browser then fails.
    let id = try await sessions.add(.pending(pending))
    return redirect(to: pending.authorizationURL, session: id)
  }

  private func completeSignIn(_ request: HTTPRequest) async throws -> HTTPResponse {
    // Removed before its use, so a repeated callback finds no sign-in. A link of another site to this URL ends no session.
    guard let id = request.session, case .pending = await sessions.session(id),
      case .pending(let pending) = try await sessions.take(id),
      let callback = URL(string: "\(redirectURI.absoluteString)?\(request.url.query(percentEncoded: true) ?? "")")
    else {
      return .page(400, "No sign-in", "No sign-in is under way in this browser. Start it again.")
    }
    let token = try await client.completeAuthorization(pending, callback: callback)
    let user = try await verifier.claims(of: token, for: pending)
    try await storage.withExclusiveAccess(to: user.subject) { try await $0.write(token) }
    // A new identifier prevents session fixation.
    let session = try await sessions.add(.signedIn(Sessions.User(subject: user.subject, name: user.name)))
    return redirect(to: publicURL, session: session)
  }

  private func signOut(_ request: HTTPRequest, isRevoking: Bool) async throws -> HTTPResponse {
    if let id = request.session {
      if isRevoking, case .signedIn(let user) = await sessions.session(id) {
        try await OAuthAccount(client: client, storage: storage, account: user.subject, scopes: []).revoke()
      }
      _ = try await sessions.take(id)
    }
    return redirect(to: publicURL, session: nil)
  }
}

// The pages.
extension WebBackend {
  private func home(_ request: HTTPRequest) async throws -> HTTPResponse {
    guard let id = request.session, case .signedIn(let user) = await sessions.session(id) else {
      return .page(200, "Calendars", signIn: "Sign in with Google")
    }
    // The user's account in the storage is the subject. All processes that share the storage share its refreshes.
    let tokens = RefreshingTokenSource(client: client, storage: storage, account: user.subject)
    let calendar = CalendarClient(
      transport: transport.authorized(by: tokens, for: [apiURL]), baseURL: apiURL)
    var titles: [String] = []
    for try await entry in calendar.calendarList.all() { titles.append(entry.title) }
    return .page(200, "Calendars of \(user.name ?? "you")", titles.sorted())
  }

  private func redirect(to url: URL, session: String?) -> HTTPResponse {
    // Lax, because the browser sends the cookie with the callback, a link from Google's page, but not with another site's form.
    let attributes = "Path=/; HttpOnly; SameSite=Lax" + (publicURL.scheme == "https" ? "; Secure" : "")
    return HTTPResponse(
      status: 303,
      fields: [
        "Location": url.absoluteString, "Cache-Control": "no-store",
        "Set-Cookie": "session=\(session ?? ""); \(attributes)\(session == nil ? "; Max-Age=0" : "")",
      ])
  }
}
