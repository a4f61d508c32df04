// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import AlmanacTesting
import Foundation
import HTTPTransport
import JSONCoding
import TestSupport
import Testing
import Timekeeping
import TokenStore

/// The migration of records that earlier versions of the command named by the account alone.
@Suite(.takesTurns) struct RecordMigrationTests {
  private let harness = CommandHarness(clock: ManualClock())
  private static let server = ["--issuer", "https://sandbox.invalid", "--client-id", "almanac"]

  private func write(_ token: StoredToken, as record: String) async throws {
    try await harness.storage.withExclusiveAccess(to: record) { try await $0.write(token) }
  }

  @Test(arguments: [["token"], ["status"], ["revoke", "--local"]])
  func recordGetsTheNameOfItsClient(_ command: [String]) async throws {
    try await harness.signIn(scope: "openid")
    let token = try #require(try await harness.token())
    try await harness.storage.move(CommandHarness.record, to: "default")
    #expect(try await harness.storage.accounts() == ["default"])

    #expect(await harness.run(command).status == .success)
    let isRevoked = command[0] == "revoke"
    #expect(try await harness.storage.accounts() == (isRevoked ? [] : [CommandHarness.record]))
    #expect(try await harness.token() == (isRevoked ? nil : token))
  }

  @Test(arguments: [nil, "other"]) func recordOfAnotherClientStays(_ clientID: String?) async throws {
    let token = StoredToken(accessToken: Secret("t"), issuer: "https://sandbox.invalid", clientID: clientID)
    try await write(token, as: "default")
    #expect(await harness.run(["token"] + Self.server).status == .signInRequired)
    #expect(try await harness.storage.accounts() == ["default"])
    #expect(try await harness.storage.token(for: "default") == token)
  }

  @Test func eachClientHasARecordOfItsOwn() async throws {
    try await harness.signIn(scope: "openid")
    let program = StoredToken(accessToken: Secret("t"), issuer: "https://sandbox.invalid", clientID: "program")
    try await write(program, as: "default program")
    try await write(program, as: "two words program")
    let accounts = try #require(try await harness.run("accounts", "--json").json.array)
    #expect(accounts.map { $0["account"]?.string } == ["default", "default", "two words"])
    #expect(accounts.map { $0["clientID"]?.string } == ["almanac", "program", "program"])

    #expect(await harness.run("revoke").status == .success)
    #expect(Set(try await harness.storage.accounts()) == ["default program", "two words program"])
  }

  @Test func theCommandAndAProgramOfOneClientShareASignIn() async throws {
    try await harness.signIn(scope: "openid")
    #expect(try await harness.storage.token(for: "default almanac") == harness.token())
  }
}
