// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import AlmanacSandbox
import AlmanacTesting
import Foundation
import JSONCoding
import LoopbackHTTP
import PostgreSQLFixtures
import Synchronization
import TestSupport
import Testing
import TokenStore

/// The storage named by `--storage` or `ALMANAC_STORAGE`.
@Suite(.takesTurns) struct StorageOptionTests {
  private let keyring = InMemoryTokenStorage()
  private let database = InMemoryTokenStorage()

  private func harness(closing close: @escaping @Sendable () async throws -> Void = {}) -> CommandHarness {
    CommandHarness(storages: [.keyring: keyring, .postgresql: database], closing: close)
  }

  @Test func optionWinsOverTheEnvironmentAndFilesAreTheDefault() async throws {
    let harness = harness()
    let signIn = CommandHarness.signIn(scope: "openid")
    let environment = ["ALMANAC_STORAGE": "keyring"]
    #expect(await harness.run(signIn, environment: environment).status == .success)
    #expect(try await keyring.accounts() == [CommandHarness.record])
    #expect(await harness.run(["token"], environment: environment).status == .success)
    #expect(await harness.run("token").status == .signInRequired)
    #expect(await harness.run(["token"], environment: ["ALMANAC_STORAGE": ""]).status == .signInRequired)
    let option = await harness.run(["token", "--storage", "postgresql"], environment: environment)
    #expect(option.status == .signInRequired)
    #expect(
      option.errors
        == "almanac: No tokens are stored for account \"default\" in the storage postgresql. Run `almanac sign-in --storage postgresql`.\n"
    )
    #expect(try await database.accounts().isEmpty)
    #expect(try await harness.storage.accounts().isEmpty)
  }

  @Test func unknownStorageInTheEnvironmentIsNamed() async {
    let result = await harness().run(["status"], environment: ["ALMANAC_STORAGE": "key-ring"])
    #expect(result.status == .usage)
    #expect(
      result.errors.hasPrefix(
        "almanac: ALMANAC_STORAGE must be file, keyring or postgresql. Did you mean `keyring`?"))
    // The manual uses no tokens.
    #expect(await harness().run(["manual"], environment: ["ALMANAC_STORAGE": "key-ring"]).status == .success)
  }

  @Test func interruptedCommandClosesItsStorage() async {
    let isCancelled = Mutex<Bool?>(nil)
    let harness = harness { isCancelled.withLock { $0 = Task.isCancelled } }
    let command = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return await harness.run("status", "--storage", "postgresql")
    }
    _ = await command.value
    #expect(isCancelled.withLock(\.self) == false)
  }

  /// A keyring would show its prompt again.
  @Test func interruptedCommandReadsNoStorageAgain() async {
    let harness = harness {}
    let command = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return await harness.run(
        CommandHarness.signIn(scope: "openid") + ["--account", "it's", "--storage", "postgresql"])
    }
    let result = await command.value
    #expect(result.status == .interrupted)
    #expect(result.errors.contains(#"run `almanac status --account 'it'\''s' --storage postgresql`"#))
  }

  @Test func signInWhoseTokensWereMovedMeanwhileSaysSo() async {
    let moving = ScriptedStorage(willWrite: { _ in nil })
    let harness = CommandHarness(storages: [.postgresql: moving])
    let result = await harness.run(CommandHarness.signIn(scope: "openid") + ["--storage", "postgresql"])
    #expect(result.status == .signInRequired)
    #expect(result.errors.contains("replaced, removed or moved the tokens") && result.errors.contains("--storage"))
  }

  @Test func failedCloseIsAnErrorAndKeepsTheCommandsError() async {
    let harness = harness { throw TokenStorageError(.unavailable, "A token is lost.") }
    let status = await harness.run("status", "--storage", "postgresql")
    #expect(status.status == .storage && status.errors == "almanac: A token is lost.\n")
    let token = await harness.run("token", "--storage", "postgresql")
    #expect(token.status == .signInRequired)
    #expect(token.errors.hasPrefix("A token is lost.\nalmanac: No client is known"))
  }

  @Test(arguments: [["status"], ["token"], ["token", "--client-id", "almanac"]])
  func advisedSignInNamesTheAccountAndTheStorage(_ command: [String]) async {
    let named = ["--account", "it's", "--storage", "postgresql"]
    let result = await harness().run(command + named)
    #expect((result.output + result.errors).contains(#"--account 'it'\''s' --storage postgresql`"#))
    let other = await harness().run(command + ["--account", "default"], environment: ["ALMANAC_ACCOUNT": "other"])
    #expect((other.output + other.errors).contains("--account default`"))
  }

  // MARK: PostgreSQL

  @Test(TemporaryCluster.isInstalled) func databaseOfTheEnvironmentHasTheTokens() async throws {
    let sandbox = Sandbox(configuration: CommandHarness.configuration)
    let server = try await sandbox.serve(on: .ipv4, port: 0)
    defer { Task { await server.stop() } }
    let almanac = try BuiltCommand()
    #expect(try await almanac.signIn(to: server, sandbox, scopes: "openid").status == 0)
    let environment = [
      "ALMANAC_STORAGE": "postgresql", "DATABASE_URL": try await TemporaryCluster.shared.makeDatabase(),
    ]

    let missing = try await almanac.run(["token", "--json"], environment)
    #expect(missing.status == 6 && missing.said.contains(#""code" : "schemaMissing""#))
    #expect(missing.said.contains("`almanac tokens migrate-schema --storage postgresql`"))
    let migrations = ["The tables now have version 1.\n", "The tables already have version 1.\n"]
    for said in migrations {
      #expect(try await almanac.run(["tokens", "migrate-schema"], environment) == (0, said))
    }
    let moved = try await almanac.run(["tokens", "migrate", "--from", "file", "--to", "postgresql"], environment)
    #expect(moved == (0, "Moved      1\nFailed     0\nRemaining  0\n"))
    #expect(try await almanac.run(["token"], environment).status == 0)
    #expect(try await almanac.run("token").status == 3)
  }

  @Test(TemporaryCluster.isInstalled) func passwordComesFromThePasswordFileAndTheServerFromTheServiceFile() async throws
  {
    let cluster = try await TemporaryCluster(accessRules: ["local all test trust", "local all all scram-sha-256"])
    try await cluster.sql("CREATE ROLE someone SUPERUSER LOGIN PASSWORD 'right-word'", in: "postgres")
    let almanac = try BuiltCommand()
    let (service, passwords) = (almanac.home.appending(path: "service"), almanac.home.appending(path: ".pgpass"))
    try "[tokens]\nhost=\(cluster.folder)\nuser=someone\ndbname=postgres\n".write(
      to: service, atomically: true, encoding: .utf8)
    let environment = [
      "ALMANAC_STORAGE": "postgresql", "PGSERVICE": "tokens", "PGSERVICEFILE": service.path(),
      "PGPASSFILE": passwords.path(),
    ]
    #expect(try await almanac.run(["tokens", "migrate-schema"], environment).status != 0)
    try "*:*:postgres:someone:right-word\n".write(to: passwords, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: passwords.path())
    #expect(try await almanac.run(["tokens", "migrate-schema"], environment).status == 0)
  }
}
