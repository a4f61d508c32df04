// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import Foundation
  import PostgreSQL
  import PostgreSQLFixtures
  import TestSupport
  import Testing
  import TokenStore
  import TokenStorePostgreSQL

  private func token(_ number: Int) -> StoredToken {
    StoredToken(accessToken: Secret("access \(number)"), refreshToken: Secret("refresh \(number)"))
  }

  /// Faults of the connection during the write of a refreshed token.
  @Suite(.takesTurns(.long), TemporaryCluster.isInstalled)
  struct FaultTests {
    /// A fault after a byte of the exchange.
    private struct Case: CustomStringConvertible {
      let fault: FaultyLink.Fault
      let byte: Int
      /// Whether new connections fail too until the write has failed.
      let isLasting: Bool

      var description: String { "\(fault) after byte \(byte)\(isLasting ? ", lasting" : "")" }

      /// Returns the cases of an exchange of `count` bytes.
      ///
      /// Each fault is tested after each byte of the response, which has fewer than 100, and the end of the request. The server ignores a
      /// part of a request, so only every 40th byte before is tested, and every second fault is a lasting one.
      /// `ALMANAC_FAULTS=all` tests everything.
      static func all(_ count: Int) -> [Case] {
        let isComplete = ProcessInfo.processInfo.environment["ALMANAC_FAULTS"] == "all"
        let bytes = (0..<count).filter { isComplete || $0 >= count - 100 || $0 % 40 == 0 }
        let faults = Array(FaultyLink.Fault.allCases.enumerated())
        return bytes.flatMap { byte in
          faults.flatMap { index, fault in
            [false, true].filter { isComplete || $0 == ((byte + index) % 2 == 0) }.map {
              Case(fault: fault, byte: byte, isLasting: $0)
            }
          }
        }
      }
    }

    @Test func faultAtEachByteOfAWriteLosesNoToken() async throws {
      guard let (listener, port) = RawSocket.listener(AF_INET) else { throw ClusterError("No port is free.") }
      close(listener)
      let cluster = try await TemporaryCluster(
        settings: ["listen_addresses=127.0.0.1", "port=\(port)"],
        accessRules: ["local all all trust", "host all all 127.0.0.1/32 trust"])
      let direct = PostgreSQLTokenStorage(
        PostgreSQLClient(try PostgreSQLConfiguration("host=\(cluster.folder) port=\(port) user=test dbname=postgres")))
      try await direct.migrateSchema()
      let lanes = try (0..<64).map { _ in try Lane(to: port, direct: direct) }
      let count = try await lanes[0].exchange()
      let cases = Case.all(count)
      let failures = try await withThrowingTaskGroup(of: Int.self) { group in
        for (index, lane) in lanes.enumerated() {
          group.addTask {
            var failures = 0
            for number in stride(from: index, to: cases.count, by: lanes.count) {
              if try await lane.check(cases[number]) { failures += 1 }
            }
            lane.link.stop()
            return failures
          }
        }
        return try await group.reduce(0, +)
      }
      // Half of the faults are lasting. On a busy machine, some of these break a new connection for notices instead of the write's.
      #expect(failures > cases.count / 4)
    }

    /// A storage whose connection can fail, and one whose cannot.
    private struct Lane {
      let link: FaultyLink
      let direct: PostgreSQLTokenStorage
      let storage: PostgreSQLTokenStorage

      init(to server: Int, direct: PostgreSQLTokenStorage) throws {
        self.direct = direct
        link = try FaultyLink(to: server)
        var configuration = try PostgreSQLConfiguration(
          "host=127.0.0.1 port=\(link.port) user=test dbname=postgres sslmode=disable gssencmode=disable")
        configuration.maximumConnections = 1
        configuration.timeout = .milliseconds(400)
        storage = PostgreSQLTokenStorage(PostgreSQLClient(configuration), waitLimit: .seconds(3_600))
      }

      /// Returns the number of bytes that a write exchanges once the connection has prepared its statements.
      func exchange() async throws -> Int {
        var count = 0
        for _ in 1...2 { (count, _) = try await refresh("exchange") { link.fail(.cut, after: .max, isLasting: false) } }
        return count
      }

      /// Checks that the fault loses no token.
      ///
      /// - Returns: Whether the write failed.
      func check(_ test: Case) async throws -> Bool {
        let account = "\(test)"
        let start = ContinuousClock.now
        let (_, error) = try await refresh(account) {
          link.fail(test.fault, after: test.byte, isLasting: test.isLasting)
        }
        #expect(ContinuousClock.now - start < .seconds(60), "\(test)")
        let found = try await direct.token(for: account)
        if let error {
          #expect((error as? TokenStorageError)?.code == .unavailable, "\(test): \(error)")
          #expect(found == token(1) || found == token(2), "\(test)")
        } else {
          #expect(found == token(2), "\(test)")
        }
        link.repair()
        // The storage knows the token, whether the database has it or not.
        let kept = try await repeating { try await storage.withExclusiveAccess(to: account) { try await $0.read() } }
        #expect(kept == token(2), "\(test)")
        try await repeating { try await storage.withExclusiveAccess(to: account) { try await $0.write(token(3)) } }
        #expect(try await direct.token(for: account) == token(3), "\(test)")
        return error != nil
      }

      /// Stores a token, spends it, and writes the next one.
      ///
      /// - Returns: The number of bytes that passed during the last write, and its error.
      private func refresh(
        _ account: String, beforeWrite prepare: @escaping @Sendable () -> Void
      ) async throws -> (count: Int, error: (any Error)?) {
        try await repeating {
          try await storage.withExclusiveAccess(to: account) { slot in
            _ = try await slot.read()
            try await slot.write(token(1))
            _ = try await slot.prepareToSpend(SpendingIntent(credentialDigest: [1], requestLimit: .seconds(30)))
            prepare()
            do { try await slot.write(token(2)) } catch { return (link.passed, error) }
            return (link.passed, nil)
          }
        }
      }

      /// Repeats a call that fails because the machine is busy.
      private func repeating<Output>(_ call: () async throws -> Output) async throws -> Output {
        while true {
          do { return try await call() } catch let error as TokenStorageError where error.code == .unavailable {}
        }
      }
    }
  }
#endif
