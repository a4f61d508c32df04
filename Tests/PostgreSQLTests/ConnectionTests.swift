// SPDX-License-Identifier: Apache-2.0

import Foundation
import PostgreSQL
import PostgreSQLFixtures
import TestSupport
import Testing

/// The ways to a server, and what is in the way.
@Suite(.takesTurns, TemporaryCluster.isInstalled)
struct ConnectionTests {
  private func failure(
    of string: String, _ change: (inout PostgreSQLConfiguration) -> Void = { _ in }
  ) async throws -> PostgreSQLError {
    var configuration = try PostgreSQLConfiguration(string)
    change(&configuration)
    let client = PostgreSQLClient(configuration)
    return try await #require(throws: PostgreSQLError.self) { try await client.query("SELECT 1") }
  }

  @Test func missingServerIsUnreachable() async throws {
    let error = try await failure(of: "host=/nonexistent dbname=tokens password=hidden-word") {
      $0.timeout = .milliseconds(300)
    }
    #expect(error.code == .unreachable && error.isRetryable && !error.isOutcomeUnknown)
    #expect(error.message.contains("/nonexistent"))
    #expect(!error.message.contains("hidden-word"))
  }

  @Test func serverThatAcceptsAndSendsNothingTimesOut() async throws {
    let silent = try SilentServer()
    let error = try await failure(of: "host=127.0.0.1 port=\(silent.port) dbname=tokens") {
      $0.timeout = .milliseconds(300)
    }
    #expect([.unreachable, .timedOut].contains(error.code))
    #expect(!error.isOutcomeUnknown)
  }

  @Test func silentServerLeavesTimeForTheNextOne() async throws {
    let silent = try SilentServer()
    let cluster = try await TemporaryCluster.shared
    var configuration = try PostgreSQLConfiguration(
      "host=127.0.0.1,\(cluster.folder) port=\(silent.port),5432 user=test dbname=postgres")
    configuration.timeout = .seconds(4)
    #expect(try await PostgreSQLClient(configuration).query("SELECT 1").count == 1)
  }

  @Test func missingDatabaseIsAnErrorWithoutAWait() async throws {
    let cluster = try await TemporaryCluster.shared
    let error = try await failure(of: cluster.connectionString("nothing"))
    #expect(error.code == .accessDenied && error.sqlState == "3D000" && !error.isRetryable)
  }

  private static let password = "Pass/word+1&2="
  private static let forms = [
    password, "Pass%2Fword%2B1%262%3D", "Pass%2fword%2b1%262%3d", #"Pass\/word\u002b1\u00262\u003D"#,
    "Pass&#x2f;word&plus;1&amp;2&#61;", "UGFzcy93b3JkKzEmMj0", "Pass/wor", "word+1&2=",
    "s/word+1",
  ]

  @Test func wrongPasswordIsAnErrorWithoutAWait() async throws {
    let cluster = try await TemporaryCluster(accessRules: ["local all test trust", "local all all scram-sha-256"])
    try await cluster.sql("CREATE ROLE someone LOGIN PASSWORD 'right-word'", in: "postgres")
    let string = cluster.connectionString("postgres", user: "someone")
    let error = try await failure(of: string + " password=wrong-word")
    #expect(error.code == .accessDenied && error.sqlState == "28P01" && !error.isRetryable)
    #expect(!"\(error)".contains("wrong-word"))
    let client = PostgreSQLClient(try PostgreSQLConfiguration(string + " password=right-word"))
    #expect(try await client.query("SELECT 1").count == 1)
    // The server's text contains the role, which stands for whatever a server or pooler writes of the password.
    for form in Self.forms {
      let role = form.replacing("\\", with: "\\\\")
      let error = try await failure(
        of: "host=\(cluster.folder) dbname=postgres user='x\(role)x' password='\(Self.password)'")
      #expect(error.code == .accessDenied && error.message.contains("x<redacted>x"), "\(form): \(error)")
    }
  }

  @Test func serverThatAcceptsNoWritesIsPassedOver() async throws {
    let cluster = try await TemporaryCluster.shared
    let standby = try await TemporaryCluster(settings: ["default_transaction_read_only=on"])
    var configuration = try PostgreSQLConfiguration(
      "host=\(standby.folder),\(cluster.folder) user=test dbname=postgres")
    let client = PostgreSQLClient(configuration)
    let folder = try await client.query("SELECT current_setting('unix_socket_directories') AS folder").first?.string(
      "folder")
    #expect(folder == cluster.folder)
    configuration.timeout = .milliseconds(300)
    let error = try await failure(of: standby.connectionString("postgres")) { $0.timeout = .milliseconds(300) }
    #expect(error.code == .unreachable)
  }

  @Test func callsWaitForAServerThatRestarts() async throws {
    let cluster = try await TemporaryCluster()
    let client = PostgreSQLClient(try PostgreSQLConfiguration(cluster.connectionString("postgres")))
    try await client.query("SELECT 1")
    try await cluster.stop("immediate")
    async let rows = client.query("SELECT 1")
    try await cluster.start()
    #expect(try await rows.count == 1)
  }

  @Test(TransactionPooler.isInstalled) func poolerOfTransactionsIsNoticed() async throws {
    let cluster = try await TemporaryCluster()
    let pooler = try await TransactionPooler(for: cluster)
    let client = PostgreSQLClient(try PostgreSQLConfiguration(pooler.connectionString("postgres")))
    try await withThrowingTaskGroup { group in
      for number in 0..<40 {
        group.addTask {
          let rows = try await client.query("SELECT \(number) AS number")
          #expect(try rows.first?.integer("number") == Int64(number))
        }
      }
      try await group.waitForAll()
    }
    try await client.withTransaction { transaction in
      try await transaction.query("CREATE TABLE numbers (n bigint)")
      try await transaction.query("INSERT INTO numbers VALUES (\(1))")
    }
    #expect(try await client.query("SELECT n FROM numbers").count == 1)
    for await event in client.notifications(on: "channel") { Issue.record("A pooler passed \(event).") }
    await pooler.stop()
  }

  @Test(.enabled("openssl is not installed, so this was not tested.") { Certificate.canBeMade })
  func onlyACertificateForTheNameIsAccepted() async throws {
    let certificate = try await Certificate(for: "localhost")
    let port = try SilentServer().port
    let cluster = try await TemporaryCluster(
      settings: [
        "listen_addresses=127.0.0.1", "port=\(port)", "ssl=on", "ssl_cert_file=../cert", "ssl_key_file=../key",
      ],
      files: ["cert": certificate.text, "key": certificate.key],
      accessRules: [
        "local all all trust", "hostssl all trusted 127.0.0.1/32 trust", "hostssl all all 127.0.0.1/32 scram-sha-256",
      ])
    let administrator = PostgreSQLClient(
      try PostgreSQLConfiguration("host=\(cluster.folder) port=\(port) user=test dbname=postgres"))
    try await administrator.query("CREATE ROLE someone LOGIN PASSWORD 'right-word'")
    try await administrator.query("CREATE ROLE trusted LOGIN")
    // To the client, this address is not loopback, so it verifies the server by default.
    let server = "hostaddr=0.0.0.0 port=\(port) dbname=postgres sslrootcert=\(certificate.path)"
    let options = "\(server) user=someone password=right-word"
    var configuration = try PostgreSQLConfiguration("host=localhost \(options)")
    configuration.channelBinding = .require
    let client = PostgreSQLClient(configuration)
    let row = try await client.query("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()").first
    #expect(try row?.boolean("ssl") == true)
    let error = try await failure(of: "host=db.example \(options)") { $0.timeout = .milliseconds(500) }
    #expect(error.code == .unreachable)
    #expect(error.message.contains("certificate"))
    let unbound = try await failure(of: "host=localhost \(server) user=trusted") {
      $0.channelBinding = .require
      $0.timeout = .milliseconds(500)
    }
    #expect(unbound.message.contains("channel binding"), "\(unbound)")
  }
}
