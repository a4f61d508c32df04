// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import Testing
import Timekeeping
import TokenStore

@testable import WebBackend

/// Tests the server with a sandbox of two users, and browsers without sockets.
@Suite final class WebBackendTests {
  private let clock = ManualClock()
  private let google: TwoUsers
  private let storage = InMemoryTokenStorage()
  private let folder = URL.temporaryDirectory.appending(path: "web-backend-\(UInt64.random(in: .min ... .max))")

  init() { google = TwoUsers(clock: clock) }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Starts the server with an empty memory.
  func start() throws -> WebBackend {
    try WebBackend(
      GoogleServices(provider: google.ana.provider(), apiURL: Sandbox.inProcessURL),
      registration: ClientRegistration(clientID: TwoUsers.client.id),
      publicURL: try #require(URL(string: "https://calendars.example")), storage: storage,
      sessions: Sessions(file: folder.appending(path: "sessions.json"), clock: clock),
      transport: StubTransport { [google] in await google.respond(to: $0) }, clock: clock)
  }

  private func signIn(_ browser: Browser, as user: Sandbox, at server: WebBackend) async throws -> Page {
    let authorization = try #require(try await browser.open("/sign-in", at: server).location)
    return try await browser.open(user.approve(authorization), at: server)
  }

  @Test func aUserSignsInAndSeesTheirCalendars() async throws {
    let (server, browser) = (try start(), Browser())
    #expect(try await browser.open("/", at: server).text.contains("Sign in with Google"))
    let callback = try await signIn(browser, as: google.ana, at: server)
    #expect(callback.status == 303 && callback.location?.absoluteString == "https://calendars.example")
    let home = try await browser.open("/", at: server)
    #expect(home.status == 200 && home.text.contains("Calendars of Ana Alba") && home.text.contains("<li>"))
  }

  @Test func aSignInSurvivesARestartInItsMiddle() async throws {
    let browser = Browser()
    let authorization = try #require(try await browser.open("/sign-in", at: try start()).location)
    let callback = try google.ana.approve(authorization)
    let restarted = try start()
    #expect(try await browser.open(callback, at: restarted).status == 303)
    #expect(try await browser.open("/", at: try start()).text.contains("Calendars of Ana Alba"))
  }

  @Test func usersAreKnownByTheirSubject() async throws {
    let server = try start()
    let (first, second) = (Browser(), Browser())
    _ = try await signIn(first, as: google.ana, at: server)
    _ = try await signIn(second, as: google.ben, at: server)
    #expect(google.ana.configuration.user.email == google.ben.configuration.user.email, "An address tells nothing.")
    #expect(Set(try await storage.accounts()) == ["ana", "ben"])
    #expect(try await first.open("/", at: server).text.contains("Calendars of Ana Alba"))
    #expect(try await second.open("/", at: server).text.contains("Calendars of Ben Berg"))
  }

  @Test func aCallbackCountsInItsOwnBrowserAndOnce() async throws {
    let server = try start()
    let (attacker, browser) = (Browser(), Browser())
    let authorization = try #require(try await attacker.open("/sign-in", at: server).location)
    let callback = try google.ben.approve(authorization)
    #expect(try await browser.open(callback, at: server).status == 400, "A browser without a sign-in")
    _ = try await browser.open("/sign-in", at: server)
    #expect(try await browser.open(callback, at: server).status == 400, "A browser with another sign-in")
    #expect(try await storage.accounts().isEmpty)
    #expect(try await attacker.open(callback, at: server).status == 303)
    #expect(try await attacker.open(callback, at: server).status == 400)
  }

  @Test func aCallbackWithoutASignInKeepsTheSession() async throws {
    let (server, browser) = (try start(), Browser())
    _ = try await signIn(browser, as: google.ana, at: server)
    #expect(try await browser.open("/callback?code=x&state=y", at: server).status == 400)
    #expect(try await browser.open("/", at: server).text.contains("Calendars of Ana Alba"))
  }

  @Test func theFolderOfTheSessionsIsForThisUser() throws {
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    _ = try start()
    let mode = try FileManager.default.attributesOfItem(atPath: folder.path)[.posixPermissions] as? NSNumber
    #expect(mode == 0o700)
  }

  @Test func theSessionChangesWithTheSignIn() async throws {
    let (server, browser) = (try start(), Browser())
    let authorization = try #require(try await browser.open("/sign-in", at: server).location)
    let planted = browser.cookie
    _ = try await browser.open(google.ana.approve(authorization), at: server)
    #expect(browser.cookie != planted)
    #expect(browser.attributes.contains("HttpOnly") && browser.attributes.contains("Secure"))
    browser.cookie = planted
    #expect(try await browser.open("/", at: server).text.contains("Sign in with Google"))
  }

  @Test func aUserWhoSaysNoIsAskedAgain() async throws {
    let (server, browser) = (try start(), Browser())
    let authorization = try #require(try await browser.open("/sign-in", at: server).location)
    let page = try await browser.open(google.ana.deny(authorization), at: server)
    #expect(page.status == 403 && page.text.contains("/sign-in"))
  }

  @Test func accessThatWasWithdrawnLeadsToANewSignIn() async throws {
    let (server, browser) = (try start(), Browser())
    _ = try await signIn(browser, as: google.ana, at: server)
    google.ana.revokeGrants()
    let page = try await browser.open("/", at: server)
    #expect(page.status == 401 && page.text.contains("/sign-in"))
    _ = try await signIn(browser, as: google.ana, at: server)
    #expect(try await browser.open("/", at: server).status == 200)
  }

  @Test func signingOutEndsTheSessionAndDisconnectingTheAccess() async throws {
    let (server, browser) = (try start(), Browser())
    _ = try await signIn(browser, as: google.ana, at: server)
    #expect(try await browser.open("/sign-out", .post, at: server).status == 303)
    #expect(try await browser.open("/", at: server).text.contains("Sign in with Google"))
    #expect(try await storage.accounts() == ["ana"])
    _ = try await signIn(browser, as: google.ana, at: server)
    #expect(try await browser.open("/disconnect", .post, at: server).status == 303)
    #expect(try await storage.accounts().isEmpty)
  }
}

/// An authorization server with two users who have the same e-mail address, made of two sandboxes with one issuer.
private struct TwoUsers: Sendable {
  static let client = Sandbox.Client(
    id: "web", name: "Calendars", redirectURIs: ["https://calendars.example/callback"])

  let ana: Sandbox
  let ben: Sandbox

  init(clock: ManualClock) {
    func sandbox(_ subject: String, _ givenName: String, _ familyName: String) -> Sandbox {
      let user = Sandbox.User(
        subject: subject, givenName: givenName, familyName: familyName, email: "shared@example.com")
      return Sandbox(clock: clock) {
        ($0.clients, $0.user, $0.issuer) = ([Self.client], user, "https://sandbox.invalid")
      }
    }
    (ana, ben) = (sandbox("ana", "Ana", "Alba"), sandbox("ben", "Ben", "Berg"))
  }

  /// Returns the response of the sandbox that issued the code or the token.
  ///
  /// The key set has the keys of both.
  func respond(to request: HTTPRequest) async -> HTTPResponse {
    let first = await ana.respond(to: request)
    guard request.url.path() == "/jwks.json" || !first.isSuccess else { return first }
    var second = await ben.respond(to: request)
    if request.url.path() == "/jwks.json" { second.body = joined(first.body, second.body) }
    return second
  }

  private func joined(_ first: [UInt8], _ second: [UInt8]) -> [UInt8] {
    let sets = [first, second].map { try? JSONDecoder().decode([String: [[String: String]]].self, from: Data($0)) }
    let keys = sets.flatMap { $0?["keys"] ?? [] }
    return Array((try? JSONEncoder().encode(["keys": keys])) ?? Data())
  }
}

private struct Page {
  let status: Int
  let location: URL?
  let text: String
}

/// A browser with a cookie.
private final class Browser {
  var cookie: String?
  private(set) var attributes: [String] = []

  func open(_ path: String, _ method: HTTPMethod = .get, at server: WebBackend) async throws -> Page {
    try await open(try #require(URL(string: "http://127.0.0.1:8080\(path)")), method, at: server)
  }

  func open(_ url: URL, _ method: HTTPMethod = .get, at server: WebBackend) async throws -> Page {
    var request = HTTPRequest(method, url)
    request.fields["Cookie"] = cookie.map { "theme=dark; \($0)" }
    let response = await server.respond(to: request)
    if let cookie = response.fields["Set-Cookie"] {
      attributes = cookie.split(separator: ";").dropFirst().map { $0.trimmingCharacters(in: .whitespaces) }
      self.cookie = String(cookie.prefix { $0 != ";" })
    }
    return Page(
      status: response.status, location: response.fields["Location"].flatMap { URL(string: $0) },
      text: String(decoding: response.body, as: UTF8.self))
  }
}
