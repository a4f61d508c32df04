// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthCore
import Synchronization
import Timekeeping
import TokenStore

@testable import CalendarsApp

/// A launch of the app: a model with the sandbox, a user, and a network that can fail.
@MainActor
final class Harness {
  /// The path of the calendar list.
  static let list = "/calendar/v3/users/me/calendarList"

  let clock = ManualClock(skipsWaits: true)
  let sandbox: Sandbox
  let storage = FailingStorage()
  private(set) lazy var google = makeAccount()
  private(set) lazy var model = makeModel()
  private var running: Task<Void, Never>?

  /// The scopes that the app requests.
  var scopes: [Scope] = [.openID, .email, .profile, .calendarReadOnly]
  /// Whether the user denies access.
  var denies = false
  /// The scopes that the user grants, or `nil` for all.
  var granting: Set<Scope>?
  /// A closure that is called when the sign-in page is shown.
  var onSignIn: () async throws -> Void = {}
  /// A closure that is called with the path of each request before its response.
  var onRequest: (String) async throws -> Void = { _ in }

  private(set) var signInCount = 0
  private(set) var requestPaths: [String] = []
  /// The paths of the requests that carried a token.
  private(set) var authorizedPaths: Set<String> = []
  private var responses: [String: () throws -> HTTPResponse] = [:]
  private var seen: [String: (state: CalendarsModel.State, progress: String?, enabled: Set<CalendarsModel.Action>)] =
    [:]

  init() { sandbox = Sandbox(clock: clock) }

  deinit { running?.cancel() }

  /// Relaunches the app with its stored account.
  func relaunch() {
    running?.cancel()
    google = makeAccount()
    model = makeModel()
  }

  private func makeModel() -> CalendarsModel { CalendarsModel(google: google, transport: transport) }

  private var transport: StubTransport {
    StubTransport { [weak self] in try await self?.response(to: $0) ?? HTTPResponse(status: 500) }
  }

  private func makeAccount() -> GoogleAccount {
    do {
      return try GoogleAccount(
        clientID: Sandbox.Client.native.id, scopes: scopes, storage: storage,
        userAgent: ScriptedUserAgent { [weak self] in try await self?.callback(of: $0) ?? $0.redirectURI },
        options: .init(
          services: GoogleServices(provider: sandbox.provider(), apiURL: Sandbox.inProcessURL), transport: transport,
          clock: clock))
    } catch {
      preconditionFailure("The sandbox is a Google account: \(error)")
    }
  }

  /// Shows the screen, and waits until the stored account is read.
  func launch() async {
    running = Task { [model] in await model.run() }
    await until { self.model.state != .loading }
  }

  /// Waits until `condition` holds, or the test's time limit ends it.
  func until(_ condition: () -> Bool) async {
    while !condition(), !Task.isCancelled { await Task.yield() }
  }

  /// Returns the model's state at the last request for a path, or when the `browser` was shown.
  func state(at place: String) -> CalendarsModel.State? { seen[place]?.state }

  func progress(at place: String) -> String? { seen[place]?.progress }

  func enabledActions(at place: String) -> Set<CalendarsModel.Action>? { seen[place]?.enabled }

  /// The actions whose buttons are enabled.
  var enabledActions: Set<CalendarsModel.Action> {
    let actions: [(CalendarsModel.Action, Bool)] = [
      (.grant, model.canGrant), (.refresh, model.canRefresh), (.showProfile, model.canShowProfile),
      (.revoke, model.canRevoke),
    ]
    return Set(actions.filter(\.1).map(\.0))
  }

  /// Replaces the sandbox's responses to requests for a path.
  func respond(to path: String, with response: @escaping () throws -> HTTPResponse) { responses[path] = response }

  func respondAsTheSandbox(_ path: String) { responses[path] = nil }

  private func response(to request: HTTPRequest) async throws -> HTTPResponse {
    let path = request.url.path(percentEncoded: true)
    requestPaths.append(path)
    if request.fields["Authorization"] != nil { authorizedPaths.insert(path) }
    note(path)
    try await onRequest(path)
    if let response = responses[path] { return try response() }
    return await sandbox.respond(to: request)
  }

  private func callback(of pending: PendingAuthorization) async throws -> URL {
    signInCount += 1
    note("browser")
    try await onSignIn()
    if denies { return try sandbox.deny(pending.authorizationURL) }
    return try sandbox.approve(pending.authorizationURL, granting: granting)
  }

  private func note(_ place: String) { seen[place] = (model.state, model.progress, enabledActions) }
}

/// A storage in memory that fails on request.
final class FailingStorage: TokenStorage {
  private let base = InMemoryTokenStorage()
  private let fault = Mutex<TokenStorageError?>(nil)

  var failure: TokenStorageError? {
    get { fault.withLock { $0 } }
    set { fault.withLock { $0 = newValue } }
  }

  func token(for account: String) async throws -> StoredToken? {
    if let failure { throw failure }
    return try await base.token(for: account)
  }

  func withExclusiveAccess<Result: Sendable>(
    to account: String, _ body: @concurrent @Sendable (any TokenSlot) async throws -> Result
  ) async throws -> Result {
    if let failure { throw failure }
    return try await base.withExclusiveAccess(to: account, body)
  }

  func accounts() async throws -> [String] { try await base.accounts() }
}

extension HTTPResponse {
  init(status: Int, json: String) {
    self.init(status: status, fields: ["Content-Type": "application/json"], body: Array(json.utf8))
  }
}
