// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacSandbox
import CalendarAPI
import HTTPTransport
import LoopbackHTTP
import OAuthCore
import OpenIDConnect
import PlatformFoundation
import Synchronization
import Timekeeping
import TokenStore

/// The demonstration at the terminal.
///
/// The result of every step is checked before it is printed.
struct TerminalDemo {
  private let context: Context
  private let demo: DemoEnvironment
  private var summary = Summary()

  /// The counts in the demonstration's JSON output.
  private struct Summary: Encodable {
    var calendars = 0
    var events = 0
    var signIns = 0
    var refreshes = 0
    var retriedRejections = 0
    var revocations = 0
  }

  static func run(_ context: Context) async throws {
    try await DemoEnvironment.with { demo in
      var run = TerminalDemo(context: context, demo: demo)
      try await run.run()
    }
  }

  private init(context: Context, demo: DemoEnvironment) {
    self.context = context
    self.demo = demo
  }

  private mutating func run() async throws {
    say("Almanac: OAuth 2.0 and Google Calendar. All of this is real HTTP on this computer. No account is needed.")
    step("Sandbox", "an authorization server and a Calendar API at \(demo.server.url.absoluteString)")
    try await signIn()
    try await showCalendars()
    try await expire()
    try await retryAfterRejection()
    try await revoke()
    if context.isJSON { return try context.writeJSON(summary) }
    say(
      """

      Done: \(summary.signIns) sign-in, \(summary.refreshes) refresh, \(summary.retriedRejections) retried 401, \
      \(summary.revocations) revocation.
      """)
    let program = context.environment["ALMANAC_PROGRAM"] ?? "almanac"
    say(
      """
      Next:
        \(program) demo --web   the same on a page
        \(program) sandbox      a server to try all commands with, which prints how to sign in
        \(program) sign-in --help   for your own account, with a client that you register at the provider
      """)
  }

  private mutating func signIn() async throws {
    try await demo.google.authorize()
    summary.signIns = count(.codeRedeemed)
    try check(summary.signIns == 1, "exactly one code was exchanged")
    step("Sign-in", "authorization code with PKCE, the callback received on a loopback port that is closed again")
    let stored = try await demo.google.oauthAccount.storedToken
    try check(stored?.refreshToken != nil, "the refresh token is stored")
    step("Token", "kept in a file that only you can read, in \(demo.storage.path)")
    let profile = try await demo.google.profile()
    step("Profile", "\(profile.name ?? "?") <\(profile.email ?? "?")>; the ID token's signature was verified")
  }

  private mutating func showCalendars() async throws {
    let terminal = context.terminal
    let list = try await PaintedCalendars(demo.google.calendar, progress: terminal.progress)
    let agenda = try await Agenda(
      demo.google.calendar, list, from: demo.clock.now, days: 7, progress: terminal.progress)
    terminal.endProgress()
    summary.calendars = list.entries.count
    summary.events = agenda.count
    try check(!list.entries.isEmpty, "there are calendars")
    step("Calendars", "\(list.entries.count) of them, \(context.terminal.depth.inWords)")
    guard !context.isJSON else { return }
    list.write(to: terminal)
    step("Agenda", "\(agenda.count) events in the coming week; the first of them:")
    agenda.write(to: terminal, limit: 8)
  }

  private mutating func expire() async throws {
    let before = count(.tokenRefreshed)
    let old = try await demo.google.oauthAccount.storedToken
    demo.clock.advance(by: .seconds(3600))
    _ = try await demo.google.calendar.calendarList.list()
    summary.refreshes = count(.tokenRefreshed) - before
    try check(summary.refreshes == 1, "the expired token was refreshed once")
    let new = try await demo.google.oauthAccount.storedToken
    try check(new?.refreshToken != old?.refreshToken, "the rotated refresh token is stored")
    step("Refresh", "an hour passes, the access token expires: one refresh, the rotated token is stored first")
  }

  private mutating func retryAfterRejection() async throws {
    demo.sandbox.invalidateAccessTokens()
    let rejections = demo.exchanges.all.count { $0.status == 401 }
    _ = try await demo.google.calendar.calendarList.list()
    summary.retriedRejections = demo.exchanges.all.count { $0.status == 401 } - rejections
    try check(summary.retriedRejections == 1, "one request was rejected and repeated")
    step("Retry", "the server rejects the access token: 401, one refresh, the same request again, 200")
  }

  private mutating func revoke() async throws {
    try await demo.google.revoke()
    try check(try await demo.google.oauthAccount.storedToken == nil, "the stored token is removed")
    summary.revocations = count(.tokenRevoked)
    try check(summary.revocations == 1, "the server revoked the access")
    do {
      _ = try await demo.google.calendar.calendarList.list()
      throw DemoFailure("a revoked account cannot read")
    } catch let error as OAuthError where error.code == .signInRequired {
      step("Revocation", "the access is revoked and the token removed. The next call reports: \(error.message)")
    }
  }

  private func count(_ kind: Sandbox.LogEntry.Kind) -> Int { demo.count(kind) }

  private func step(_ name: String, _ text: String) {
    say("\n\(context.terminal.bold(name.fitted(to: 11))) \(text)")
  }

  private func say(_ text: TerminalText) {
    if !context.isJSON { context.terminal.line(text) }
  }

  private func check(_ holds: Bool, _ statement: String) throws {
    if !holds { throw DemoFailure(statement) }
  }
}

/// The error of a false statement.
struct DemoFailure: Error, CustomStringConvertible {
  private let statement: String

  init(_ statement: String) { self.statement = statement }

  var description: String { "The demonstration failed. Expected: \(statement)." }
}

/// A system clock that can be advanced, so an hour passes immediately.
final class ShiftedClock: WallClock {
  private let shift = Mutex(Duration.zero)

  var now: Timestamp { SystemClock().now + shift.withLock { $0 } }

  var uptime: Duration { SystemClock().uptime + shift.withLock { $0 } }

  func sleep(for duration: Duration) async throws { try await SystemClock().sleep(for: duration) }

  /// Advances the clock.
  func advance(by duration: Duration) { shift.withLock { $0 += duration } }
}
