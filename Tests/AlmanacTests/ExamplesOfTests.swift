// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacSandbox
import AlmanacTesting
import CalendarAPI
import Foundation
import HTTPTransport
import OAuthCore
import Synchronization
import Testing
import Timekeeping
import TokenStore

// The article TestingYourApp of AlmanacTesting's catalogue quotes this file; Tools/Checks/check-snippets compares the two.

/// The app that the tests are about: what its screen shows, for everything that can happen.
private struct CalendarScreen {
  enum Content: Equatable {
    case calendars
    /// A button to sign in.
    case signIn
    /// A button to allow what was refused.
    case allowMore
    /// A button to try again; the user stays signed in.
    case tryAgain
    case problem(String)
  }

  let google: GoogleAccount

  /// Returns the content when the app starts.
  func open() async throws -> Content {
    try await content { _ = try await google.calendar.calendarList.list() }
  }

  /// Signs in, and returns the content after it.
  func signIn() async throws -> Content {
    try await content {
      try await google.authorize()
      _ = try await google.calendar.calendarList.list()
    }
  }

  /// Requests the scopes that the user denied, and returns the content after it.
  func allowMore() async throws -> Content {
    try await content {
      try await google.authorize(adding: [.calendarReadOnly])
      _ = try await google.calendar.calendarList.list()
    }
  }

  /// Signs out, and returns the content after it.
  func signOut() async throws -> Content {
    try await content {
      try await google.revoke()
      throw OAuthError(.signInRequired, "The access is revoked.")
    }
  }

  private func content(_ load: () async throws -> Void) async throws -> Content {
    do {
      try await load()
      return .calendars
    } catch let error as OAuthError {
      switch error.code {
      case .signInRequired, .accessDenied, .signInTimedOut: return .signIn
      case .serverUnavailable: return .tryAgain
      default: return .problem(error.message)
      }
    } catch let error as CalendarError {
      switch error.remedy {
      case .signIn: return .signIn
      case .obtainAccess: return .allowMore
      case .backOff, .pause: return .tryAgain
      default: return .problem(error.message)
      }
    } catch let error as TokenStorageError {
      return error.code == .corrupted ? .signIn : .problem(error.message)
    } catch is TransportError {
      return .tryAgain
    }
  }
}

/// A network that delivers requests to the sandbox, unless a test replaces the response.
private final class Network: Transport {
  typealias Response = @Sendable (HTTPRequest) throws -> HTTPResponse?

  let sandbox: Sandbox
  private let replacement = Mutex<Response?>(nil)

  init(_ sandbox: Sandbox) { self.sandbox = sandbox }

  /// Replaces responses by those that `response` returns or throws.
  ///
  /// If it returns `nil`, the sandbox responds.
  func replace(_ response: Response?) { replacement.withLock { $0 = response } }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try Task.checkCancellation()
    if let response = try replacement.withLock({ $0 })?(request) { return response }
    return await sandbox.respond(to: request)
  }
}

/// Tests of an app's sign-in, refresh, revocation and failures: no network, no disk, no browser, no waiting.
@Suite struct ExamplesOfTests {
  private let clock = ManualClock(skipsWaits: true)
  private let storage = FaultyTokenStorage()
  private let sandbox: Sandbox
  private let network: Network

  init() {
    sandbox = Sandbox(clock: clock)
    network = Network(sandbox)
  }

  private func screen(
    of user: (any UserAgent)? = nil, clock: ManualClock? = nil, scopes: [Scope] = [.calendarReadOnly]
  ) throws -> CalendarScreen {
    CalendarScreen(
      google: try GoogleAccount(
        clientID: Sandbox.Client.native.id, scopes: scopes, storage: storage, userAgent: user ?? sandbox.approvingUser,
        options: .init(
          services: GoogleServices(provider: sandbox.provider(), apiURL: Sandbox.inProcessURL), transport: network,
          clock: clock ?? self.clock)))
  }

  private var consentPages: Int { sandbox.log.count { $0.kind == .consentShown } }
  private var isRevoked: Bool { sandbox.log.contains { $0.kind == .tokenRevoked } }

  // Sign-in

  @Test func theUserSignsInOnce() async throws {
    #expect(try await screen().open() == .signIn)
    #expect(consentPages == 0, "The app shows no page before the button is pressed.")
    #expect(try await screen().signIn() == .calendars)
    #expect(try await screen().open() == .calendars, "The next start of the app reads the storage.")
    #expect(consentPages == 1)
  }

  @Test func theUserSaysNo() async throws {
    #expect(try await screen(of: sandbox.denyingUser).signIn() == .signIn)
    #expect(try await storage.accounts().isEmpty)
  }

  @Test func theUserClosesThePage() async throws {
    let user = ScriptedUserAgent { _ in throw OAuthError(.accessDenied, "The sign-in page was closed.") }
    #expect(try await screen(of: user).signIn() == .signIn)
  }

  @Test func theUserAllowsAPartOfIt() async throws {
    let user = ScriptedUserAgent { [sandbox] in try sandbox.approve($0.authorizationURL, granting: ["openid"]) }
    let screen = try screen(of: user, scopes: [.openID, .calendarReadOnly])
    #expect(try await screen.signIn() == .allowMore)
    #expect(try await screen.google.authorize().scopes == ["openid"])
  }

  @Test func theUserAllowsTheRestLater() async throws {
    let user = ScriptedUserAgent { [sandbox] in try sandbox.approve($0.authorizationURL, granting: ["openid"]) }
    #expect(try await screen(of: user, scopes: [.openID, .calendarReadOnly]).signIn() == .allowMore)
    let screen = try screen(scopes: [.openID, .calendarReadOnly])
    #expect(try await screen.signIn() == .allowMore, "It does not request a denied scope again.")
    #expect(try await screen.allowMore() == .calendars)
  }

  // Refresh

  @Test func anExpiredTokenIsRefreshed() async throws {
    #expect(try await screen().signIn() == .calendars)
    clock.advance(by: .seconds(3600))
    #expect(try await screen().open() == .calendars)
    #expect(sandbox.refreshRequestCount == 1)
    #expect(consentPages == 1)
  }

  @Test func aTokenThatTheAPIRejectsIsRefreshed() async throws {
    #expect(try await screen().signIn() == .calendars)
    sandbox.invalidateAccessTokens()
    #expect(try await screen().open() == .calendars)
    #expect(sandbox.refreshRequestCount == 1)
  }

  @Test func theUserWithdrewTheAccess() async throws {
    #expect(try await screen().signIn() == .calendars)
    sandbox.revokeGrants()  // the token endpoint responds with invalid_grant
    #expect(try await screen().open() == .signIn)
    #expect(try await screen().signIn() == .calendars)
  }

  @Test("A device whose clock is wrong", arguments: [-7200, 7200])
  func theClockIsWrong(seconds: Int64) async throws {
    let device = ManualClock(now: clock.now + .seconds(seconds), skipsWaits: true)
    let screen = try screen(clock: device)
    #expect(try await screen.signIn() == .calendars)
    #expect(sandbox.refreshRequestCount == 0, "The new token is valid, although the device's clock is wrong.")
    for clock in [clock, device] { clock.advance(by: .seconds(3600)) }
    #expect(try await screen.open() == .calendars)
    #expect(sandbox.refreshRequestCount == 1)
    #expect(!sandbox.log.contains { $0.kind == .apiRefused }, "No request had to fail first.")
  }

  // Revocation

  @Test func theUserSignsOut() async throws {
    let screen = try screen()
    #expect(try await screen.signIn() == .calendars)
    #expect(try await screen.signOut() == .signIn)
    #expect(isRevoked)
    #expect(try await storage.accounts().isEmpty)
    #expect(try await screen.open() == .signIn)
  }

  @Test func theUserSignsOutWithoutANetwork() async throws {
    let screen = try screen()
    #expect(try await screen.signIn() == .calendars)
    network.replace { _ in throw TransportError(.unreachable, "No network.") }
    #expect(try await screen.signOut() == .tryAgain)
    network.replace(nil)
    #expect(try await screen.signOut() == .signIn, "The tokens were kept, so that they could still be revoked.")
    #expect(isRevoked)
  }

  // The network

  @Test func theNetworkIsDown() async throws {
    #expect(try await screen().signIn() == .calendars)
    clock.advance(by: .seconds(3600))
    network.replace { _ in throw TransportError(.unreachable, "No network.") }
    #expect(try await screen().open() == .tryAgain)
    network.replace(nil)
    #expect(try await screen().open() == .calendars)
    #expect(consentPages == 1, "It cost no sign-in.")
  }

  @Test("The token endpoint fails", arguments: [500, 502, 503])
  func theServerFails(status: Int) async throws {
    #expect(try await screen().signIn() == .calendars)
    clock.advance(by: .seconds(3600))
    network.replace { $0.url.path() == "/token" ? HTTPResponse(status: status, body: Array("<html>".utf8)) : nil }
    #expect(try await screen().open() == .tryAgain)
    network.replace(nil)
    #expect(try await screen().open() == .calendars)
    #expect(consentPages == 1, "It cost no sign-in.")
  }

  @Test func theCalendarAPIFails() async throws {
    #expect(try await screen().signIn() == .calendars)
    try sandbox.failCalls(Sandbox.CallFault(status: 503, reason: "backendError", count: 99))
    #expect(try await screen().open() == .tryAgain)
    sandbox.stopFailing()
    #expect(try await screen().open() == .calendars)
    #expect(consentPages == 1, "It cost no sign-in.")
  }

  // The storage

  @Test func theDiskIsFull() async throws {
    let screen = try screen()
    #expect(try await screen.signIn() == .calendars)
    clock.advance(by: .seconds(3600))
    storage.failWrites(with: TokenStorageError(.unavailable, "The disk is full."))
    #expect(try await screen.open() == .problem("The disk is full."))
    storage.failWrites(with: nil)
    #expect(try await screen.open() == .calendars)
    #expect(sandbox.refreshRequestCount == 1, "Nothing was sent while there was no space.")
  }

  @Test func theRecordIsDamaged() async throws {
    #expect(try await screen().signIn() == .calendars)
    try await storage.damageRecords()
    #expect(try await screen().open() == .signIn)
    #expect(try await screen().signIn() == .calendars)
  }
}
