// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacSandbox
import AlmanacTesting
import CalendarAPI
import Foundation
import HTTPTransport
import OAuthCore
import OAuthJOSE
import TestSupport
import Testing
import TokenStore

/// Operations that are cancelled at each of their suspensions: they end with `CancellationError` or succeed, and nothing is lost.
@Suite(.hangLimit) struct CancellationTests {
  /// A network that can be cancelled before a request is sent, and after it was carried out.
  private struct Network: Transport {
    let sandbox: Sandbox
    let executor: any TaskExecutor

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      try await withTaskExecutorPreference(executor) {
        await Task.yield()
        try Task.checkCancellation()
        let response = await sandbox.respond(to: request)
        await Task.yield()
        try Task.checkCancellation()
        return response
      }
    }
  }

  /// A user at a sandbox that replaces refresh tokens.
  private struct World {
    let clock = ManualClock(skipsWaits: true)
    let storage = InMemoryTokenStorage()
    let sandbox: Sandbox
    let google: GoogleAccount

    init(_ executor: any TaskExecutor, scopes: [Scope] = [.openID, .email, .calendar]) throws {
      var configuration = Sandbox.Configuration()
      configuration.use(try #require(Sandbox.Seed.fewEvents))
      configuration.rotatesRefreshTokens = true
      // Made sooner than an RSA key.
      configuration.idTokenAlgorithm = .es256
      sandbox = Sandbox(clock: clock, configuration: configuration)
      google = try GoogleAccount(
        clientID: Sandbox.Client.native.id, scopes: scopes, storage: storage, userAgent: sandbox.approvingUser,
        options: .init(
          services: GoogleServices(provider: sandbox.provider(), apiURL: Sandbox.inProcessURL),
          transport: Network(sandbox: sandbox, executor: executor), clock: clock))
    }

    /// A world with a signed-in user.
    static func signedIn(_ executor: any TaskExecutor) async throws -> World {
      let world = try World(executor)
      try await world.google.authorize()
      return world
    }

    /// A world whose access token has expired.
    static func expired(_ executor: any TaskExecutor) async throws -> World {
      let world = try await signedIn(executor)
      world.clock.advance(by: .seconds(3600))
      return world
    }

    /// Checks that the account works without a new page for the user, and that no refresh token was used twice.
    func expectWorks() async throws {
      _ = try await google.calendar.colors.get()
      clock.advance(by: .seconds(3600))
      _ = try await google.calendar.colors.get()
      #expect(!sandbox.log.contains { $0.kind == .refreshTokenReused || $0.kind == .codeReplayed })
    }

    var hasRecord: Bool { get async throws { try await !storage.accounts().isEmpty } }
    func count(_ kind: Sandbox.LogEntry.Kind) -> Int { sandbox.log.count { $0.kind == kind } }
  }

  private func expectCancelled(_ error: (any Error)?) {
    if let error { #expect(error is CancellationError, "\(error)") }
  }

  @Test func refreshLosesNoToken() async throws {
    let runs = try await cancellingAtEverySuspension(in: World.expired) { world in
      _ = try await world.google.oauthAccount.tokens.accessToken()
    } then: { world, error in
      expectCancelled(error)
      try await world.expectWorks()
    }
    #expect(runs > 3)
  }

  @Test func signInIsStoredWholeOrNotAtAll() async throws {
    let runs = try await cancellingAtEverySuspension(in: { try World($0) }) { world in
      try await world.google.authorize()
    } then: { world, error in
      expectCancelled(error)
      if error == nil { #expect(try await world.hasRecord) }
      try await world.google.authorize()
      #expect(try await world.google.profile().email == world.sandbox.configuration.user.email)
      try await world.expectWorks()
    }
    #expect(runs > 5)
  }

  @Test func addedScopesAreThereOrTheOldTokenIs() async throws {
    func world(_ executor: any TaskExecutor) async throws -> World {
      let world = try World(executor, scopes: [.openID, .calendarReadOnly])
      try await world.google.authorize()
      return world
    }
    try await cancellingAtEverySuspension(in: world) { world in
      try await world.google.authorize(adding: [.calendar])
    } then: { world, error in
      expectCancelled(error)
      try await world.expectWorks()
      try await world.google.authorize(adding: [.calendar])
      try await world.google.calendar.events.insert(MethodCall.event("Review"), in: "primary")
    }
  }

  @Test func revocationLeavesNoTokenWithoutARecord() async throws {
    let runs = try await cancellingAtEverySuspension(in: World.signedIn) { world in
      try await world.google.revoke()
    } then: { world, error in
      expectCancelled(error)
      let isThere = try await world.hasRecord
      #expect(isThere == false || error != nil)
      if isThere { try await world.google.revoke() }
      let isLeft = try await world.hasRecord
      #expect(!isLeft)
      #expect(world.count(.tokenRevoked) > 0)
    }
    #expect(runs > 3)
  }

  /// The summaries of the user's events.
  private func summaries(_ world: World) async throws -> [String] {
    var summaries: [String] = []
    for try await event in world.google.calendar.events.all(in: "primary", .init(maxResults: 2500)) {
      summaries.append(event.summary ?? "")
    }
    return summaries.sorted()
  }

  @Test func requestThatIsSentAgainAfterACancellationHasOneEffect() async throws {
    let request = EventsResource.insert(MethodCall.event("Lunch"), in: "primary")
    try await cancellingAtEverySuspension(in: World.expired) { world in
      _ = try await world.google.calendar.send(request)
    } then: { world, error in
      expectCancelled(error)
      _ = try await world.google.calendar.send(request)
      #expect(try await summaries(world).count { $0 == "Lunch" } == 1)
      try await world.expectWorks()
    }
  }

  @Test func modificationThatIsCancelledIsMadeOnceOrNotAtAll() async throws {
    func world(_ executor: any TaskExecutor) async throws -> World {
      let world = try await World.signedIn(executor)
      try await MethodCall.insertEvent(world.google.calendar)
      return world
    }
    try await cancellingAtEverySuspension(in: world) { world in
      try await world.google.calendar.events.modify(MethodCall.eventID, in: "primary") {
        $0.summary = ($0.summary ?? "") + "!"
      }
    } then: { world, error in
      expectCancelled(error)
      let summary = try await world.google.calendar.events.get(MethodCall.eventID, in: "primary").summary
      #expect(summary == "Lunch!" || error != nil && summary == "Lunch")
    }
  }

  @Test func listThatIsCancelledBetweenPagesEnds() async throws {
    let all = try await summaries(try await World.signedIn(globalConcurrentExecutor))
    try await cancellingAtEverySuspension(in: World.signedIn) { world in
      var read = 0
      for try await _ in world.google.calendar.events.all(in: "primary", .init(maxResults: 5)) { read += 1 }
      #expect(read == all.count, "A list that was cut off looks complete.")
    } then: { world, error in
      expectCancelled(error)
      let again = try await summaries(world)
      #expect(again == all)
    }
  }
}
