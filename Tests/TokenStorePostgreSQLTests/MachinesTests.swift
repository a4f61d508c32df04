// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import Foundation
import HTTPTransport
import HTTPTransportCurl
import LoopbackHTTP
import OAuthCore
import PostgreSQL
import PostgreSQLFixtures
import TestSupport
import Testing
import Timekeeping
import TokenStore
import TokenStorePostgreSQL

/// Processes that stand for machines, a database, and a server that revokes all tokens of a sign-in when a refresh token is used twice.
@Suite(.serialized, .takesTurns, TemporaryCluster.isInstalled)
struct MachinesTests {
  /// The parts of a test.
  private struct Setup {
    let cluster: TemporaryCluster
    let database: String
    let storage: PostgreSQLTokenStorage
    let sandbox: Sandbox
    let issuer: String
    let account: OAuthAccount

    func start(_ count: Int, _ stop: String = "never") throws -> ChildProcess {
      try ChildProcess("refresh-in-database", database, "me", issuer, "\(count)", stop)
    }

    /// Refreshes the expired token, as another machine does.
    func refresh() async throws {
      _ = try await RefreshingTokenSource(client: account.client, storage: storage, account: "me").accessToken()
    }

    /// Checks that the stored refresh token is the current one of its sign-in.
    ///
    /// A refresh whose caller was cancelled goes on, so this waits for exclusive access.
    func expectSignedIn() async throws {
      try await storage.withExclusiveAccess(to: "me") { slot in
        let stored = try #require(try await slot.read())
        try await slot.write(try await account.client.refresh(stored))
      }
    }
  }

  /// Signs in, lets the token expire, and runs `body`.
  ///
  /// - Parameters:
  ///   - own: The cluster. Defaults to the shared one.
  ///   - hosts: The hosts of the connections; `nil` for the cluster's.
  private func withExpiredToken(
    in own: TemporaryCluster? = nil, hosts: String? = nil, _ body: (Setup) async throws -> Void
  ) async throws {
    var cluster = own
    if cluster == nil { cluster = try await TemporaryCluster.shared }
    let used = try #require(cluster)
    var database = try await used.makeDatabase()
    if let hosts { database = database.replacing(used.folder, with: hosts) }
    let storage = PostgreSQLTokenStorage(PostgreSQLClient(try PostgreSQLConfiguration(database)))
    try await storage.migrateSchema()
    let sandbox = Sandbox()
    let server = try await sandbox.serve()
    let account = OAuthAccount(
      client: try OAuthClient(
        server: sandbox.provider(at: server.url).server, registration: ClientRegistration(clientID: "almanac"),
        transport: CurlTransport()),
      storage: storage, account: "me", scopes: ["openid", "profile"], userAgent: sandbox.approvingUser)
    try await account.signIn()
    try await storage.withExclusiveAccess(to: "me") { slot in
      var token = try #require(try await slot.read())
      token.expiresAt = .unixEpoch
      try await slot.write(token)
    }
    try await body(
      Setup(
        cluster: used, database: database, storage: storage, sandbox: sandbox, issuer: server.url.absoluteString,
        account: account))
    await server.stop()
  }

  private func expect(_ process: ChildProcess, _ line: String) async {
    for await said in process.lines {
      #expect(said == line)
      return
    }
    Issue.record("The process ended without saying \(line).")
  }

  /// Waits until the process has stopped itself.
  ///
  /// - Returns: Its number.
  private func stopped(_ process: ChildProcess) async throws -> pid_t {
    for await line in process.lines where line.hasPrefix("stopping ") {
      return try #require(pid_t(line.dropFirst("stopping ".count)))
    }
    throw ClusterError("The process ended without stopping.")
  }

  @Test func fourProcessesOfTwoHundredTasksMakeOneRefresh() async throws {
    try await withExpiredToken { setup in
      // While the test has the lease, every process finds the token expired and waits.
      let processes = try await setup.storage.withExclusiveAccess(to: "me") { _ in
        let processes = try (0..<4).map { _ in try setup.start(200) }
        for process in processes { await expect(process, "ready") }
        return processes
      }
      for process in processes {
        await expect(process, "served 200")
        #expect(await process.exitStatus() == 0)
      }
      #expect(setup.sandbox.refreshRequestCount == 1)
      try await setup.expectSignedIn()
    }
  }

  @Test func leaseOfAKilledProcessEnds() async throws {
    try await withExpiredToken { setup in
      let process = try ChildProcess("hold-lease", setup.database, "me")
      await expect(process, "held")
      await process.kill()
      let row = try await setup.storage.database.query(
        """
        SELECT lease_until BETWEEN clock_timestamp() AND clock_timestamp() + \(LeaseRules().leaseTime) AS is_held
        FROM almanac_tokens
        """
      ).first
      #expect(try row?.boolean("is_held") == true)
      try await setup.refresh()
      #expect(setup.sandbox.refreshRequestCount == 1)
    }
  }

  @Test func processThatWasStoppedBeforeSendingSendsNothing() async throws {
    try await withExpiredToken { setup in
      let process = try setup.start(1, "before-sending")
      let number = try await stopped(process)
      try await setup.storage.endLeases()
      try await setup.refresh()
      #expect(setup.sandbox.refreshRequestCount == 1)
      // Past the instant until which it could have sent.
      try await Task.sleep(for: .seconds(1))
      kill(number, SIGCONT)
      await expect(process, "served 1")
      #expect(await process.exitStatus() == 0)
      #expect(setup.sandbox.refreshRequestCount == 1)
      try await setup.expectSignedIn()
    }
  }

  @Test func processThatWasStoppedAfterReceivingStoresItsTokenIfNobodyHasRefreshed() async throws {
    try await withExpiredToken { setup in
      let process = try setup.start(1, "after-receiving")
      let number = try await stopped(process)
      try await setup.storage.endLeases()
      try await setup.storage.withExclusiveAccess(to: "me") { slot in
        let found = try await slot.read()
        #expect(found?.expiresAt == .unixEpoch)
      }
      kill(number, SIGCONT)
      await expect(process, "served 1")
      #expect(await process.exitStatus() == 0)
      #expect(setup.sandbox.refreshRequestCount == 1)
      try await setup.expectSignedIn()
    }
  }

  @Test func processThatWasStoppedAfterReceivingReturnsTheNewerToken() async throws {
    try await withExpiredToken { setup in
      let process = try setup.start(1, "after-receiving")
      let number = try await stopped(process)
      try await setup.storage.endLeases()
      try await setup.account.signIn()
      let newer = try await setup.storage.token(for: "me")
      kill(number, SIGCONT)
      await expect(process, "served 1")
      #expect(await process.exitStatus() == 0)
      #expect(try await setup.storage.token(for: "me") == newer)
      try await setup.expectSignedIn()
    }
  }

  /// The refreshes that have succeeded, for a test that lets some happen.
  private struct Refreshes {
    let stream: AsyncStream<Void>

    /// Waits for `count` refreshes from now on, or until the first that fails.
    func wait(for count: Int) async {
      var iterator = stream.makeAsyncIterator()
      for _ in 0..<count { await iterator.next() }
    }
  }

  /// Refreshes again and again, as a server does, while `body` runs, and checks that the sign-in is not lost.
  private func refreshing(in setup: Setup, while body: (Refreshes) async throws -> Void) async throws {
    let (stream, refreshed) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let refreshes = Task {
      defer { refreshed.finish() }
      var token = try await setup.account.tokens.accessToken()
      while !Task.isCancelled {
        do {
          // A source for each request.
          let source = RefreshingTokenSource(client: setup.account.client, storage: setup.storage, account: "me")
          token = try await source.accessToken(replacing: token)
          refreshed.yield()
        } catch let error as TokenStorageError {
          #expect(error.code == .unavailable)
        }
      }
    }
    try await body(Refreshes(stream: stream))
    refreshes.cancel()
    // An error other than a cancellation is a lost sign-in.
    do { try await refreshes.value } catch is CancellationError {}
    try await setup.refresh()
    try await setup.expectSignedIn()
    #expect(setup.sandbox.refreshRequestCount >= 20)
    print("\(setup.sandbox.refreshRequestCount) refreshes, no sign-in lost.")
  }

  @Test func serverThatCrashesUnderLoadLosesNoSignIn() async throws {
    try await withExpiredToken(in: TemporaryCluster()) { setup in
      try await refreshing(in: setup) { refreshes in
        for _ in 0..<4 {
          await refreshes.wait(for: 6)
          try await setup.cluster.stop("immediate")
          try await setup.cluster.start()
        }
        // A statement on a connection of the server that crashed last fails once.
        await refreshes.wait(for: 6)
      }
    }
  }

  @Test func failoverToASynchronousStandbyUnderLoadLosesNoSignIn() async throws {
    let primary = try await TemporaryCluster()
    let standby = try await TemporaryCluster(following: primary)
    // From here on, a commit waits until the standby has it.
    try await primary.sql("ALTER SYSTEM SET synchronous_standby_names = '*'", in: "postgres")
    try await primary.sql("SELECT pg_reload_conf()", in: "postgres")
    try await withExpiredToken(in: primary, hosts: "\(primary.folder),\(standby.folder)") { setup in
      let isSynchronous = try await primary.sql("SELECT sync_state FROM pg_stat_replication", in: "postgres")
      #expect(isSynchronous == ["sync"])
      try await refreshing(in: setup) { refreshes in
        await refreshes.wait(for: 11)
        try await primary.stop("immediate")
        try await standby.promote()
        await refreshes.wait(for: 11)
      }
      let server = try await setup.storage.database.query("SELECT current_setting('unix_socket_directories') AS folder")
      #expect(try server.first?.string("folder") == standby.folder)
    }
  }
}
