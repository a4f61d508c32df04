// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import Synchronization
import Testing
import TokenStore

@testable import AppBackend

/// The backend, the app and the provider, connected without sockets.
final class Harness: Sendable {
  static let app = AppBackend.App(clientID: "app", redirectURI: "https://app.example/signed-in")

  let clock = ManualClock()
  let sandbox: Sandbox
  let storage = InMemoryTokenStorage()
  let folder = URL.temporaryDirectory.appending(path: "app-backend-\(UInt64.random(in: .min ... .max))")
  private let pkce = PKCE()
  private let seen = Mutex("")
  private let count = Mutex(0)

  init() {
    let client = Sandbox.Client(
      id: "meetup", name: "Example", redirectURIs: ["https://backend.example/callback"],
      authentication: .clientSecretPost(Secret("sandbox-secret")))
    sandbox = Sandbox(clock: clock) { $0.meetupClients = [client] }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  var signIns: Int { count.withLock { $0 } }
  /// Every URL, header field and body that the app has received.
  var seenByTheApp: String { seen.withLock { $0 } }
  var file: String { get throws { try String(contentsOf: folder.appending(path: "sessions.json"), encoding: .utf8) } }

  /// Starts the backend with an empty memory.
  func start() throws -> AppBackend {
    try AppBackend(
      publicURL: URL(text: "https://backend.example"), app: Self.app, provider: sandbox.meetupProvider(),
      registration: ClientRegistration(
        clientID: "meetup", authentication: .clientSecretPost(Secret("sandbox-secret"))),
      api: .meetup(at: sandbox.meetupURL().appending(path: "gql-ext")), storage: storage,
      sessions: Sessions(file: folder.appending(path: "sessions.json"), clock: clock), transport: sandbox.transport(),
      clock: clock)
  }

  /// Returns an app on a new device.
  func app(_ backend: AppBackend, denies: Bool = false) throws -> Membership {
    let transport = StubTransport { [self] request in
      let response = await backend.respond(to: request)
      note("\(response.fields) \(String(decoding: response.body, as: UTF8.self))")
      return response
    }
    let userAgent = ScriptedUserAgent(redirectURI: URL(text: "https://app.example/signed-in")) { [self] pending in
      count.withLock { $0 += 1 }
      let browser = Browser(backend)
      let consent = try #require(try await browser.open(pending.authorizationURL))
      let callback = denies ? try sandbox.deny(consent) : try sandbox.approve(consent)
      let back = try #require(try await browser.open(callback))
      note(back.absoluteString)
      return back
    }
    return try Membership(
      server: URL(text: "https://backend.example"), transport: transport, storage: InMemoryTokenStorage(),
      userAgent: userAgent)
  }

  private func note(_ text: String) { seen.withLock { $0 += text + "\n" } }

  /// Returns the app's authorization request, with changed or omitted parameters.
  func request(_ changes: [String: String?] = [:]) throws -> URL {
    var query: FormFields = [
      "response_type": "code", "client_id": Self.app.clientID, "redirect_uri": Self.app.redirectURI, "state": "s",
      "code_challenge": pkce.challenge, "code_challenge_method": "S256",
    ]
    for (name, value) in changes { query[name] = value }
    return try #require(URL(string: "https://backend.example/authorize?\(FormEncoding.query.encode(query))"))
  }

  /// Signs in, up to the backend's code.
  func code(_ browser: Browser) async throws -> String {
    let consent = try #require(try await browser.open(try request()))
    let back = try #require(try await browser.open(try sandbox.approve(consent)))
    return try #require(FormEncoding.query.decode(back.query(percentEncoded: true) ?? "")["code"])
  }

  func exchange(_ code: String, verifier: Secret? = nil, at backend: AppBackend) async throws -> HTTPResponse {
    let form: FormFields = [
      "grant_type": "authorization_code", "client_id": Self.app.clientID, "redirect_uri": Self.app.redirectURI,
      "code": code, "code_verifier": (verifier ?? pkce.verifier).reveal(),
    ]
    var request = HTTPRequest(.post, URL(text: "https://backend.example/token"))
    request.body = FormEncoding.form.encodedBytes(form)
    return await backend.respond(to: request)
  }

  func read(_ path: String, _ token: String?, at backend: AppBackend) async throws -> HTTPResponse {
    var request = HTTPRequest(.get, URL(text: "https://backend.example").appending(path: path))
    request.fields["Authorization"] = token.map { "Bearer \($0)" }
    return await backend.respond(to: request)
  }
}

extension HTTPResponse {
  var text: String { String(decoding: body, as: UTF8.self) }
}

/// A browser with a cookie.
final class Browser {
  var backend: AppBackend
  private(set) var cookie: String?
  private(set) var attributes: [String] = []
  private(set) var status = 0

  init(_ backend: AppBackend) { self.backend = backend }

  /// Opens a URL of the backend, and returns the redirect's target.
  func open(_ url: URL) async throws -> URL? {
    var request = HTTPRequest(.get, url)
    request.fields["Cookie"] = cookie.map { "theme=dark; sign-in=\($0)" }
    let response = await backend.respond(to: request)
    status = response.status
    if let field = response.fields["Set-Cookie"] {
      attributes = field.split(separator: ";").dropFirst().map { $0.trimmingCharacters(in: .whitespaces) }
      cookie = String(field.dropFirst("sign-in=".count).prefix { $0 != ";" })
    }
    return response.fields["Location"].flatMap { URL(string: $0) }
  }
}

extension URL {
  /// Creates a URL from text in the tests.
  init(text: String) { self = URL(string: text) ?? URL(filePath: "/") }
}
