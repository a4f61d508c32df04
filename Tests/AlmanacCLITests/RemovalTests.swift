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

/// The records that the command uses, lists and removes, whatever else is in the storage.
@Suite(.takesTurns) struct RemovalTests {
  private let harness = CommandHarness(clock: ManualClock())

  private func write(_ token: StoredToken, as record: String) async throws {
    try await harness.storage.withExclusiveAccess(to: record) { try await $0.write(token) }
  }

  /// After a removal, no command finds a token of the account and client, even if a record has the account's name alone.
  @Test(arguments: [["revoke"], ["revoke", "--local"], ["revoke", "--local", "--forget-client"]])
  func removedSignInDoesNotReturn(_ command: [String]) async throws {
    try await harness.signIn()
    let token = try #require(try await harness.token())
    let others = ["default", "default program", "DEFAULT almanac", "de\u{301}fault almanac"]
    for record in others { try await write(token, as: record) }
    #expect(await harness.run(command).status == .success)
    #expect(try await Set(harness.storage.accounts()) == Set(others))
    let server = ["--issuer", "https://sandbox.invalid", "--client-id", "almanac"]
    for next in [["token"], ["calendars", "--api-url", "https://sandbox.invalid"], ["whoami"]] {
      #expect(await harness.run(next + server).status == .signInRequired, "\(next)")
    }
    #expect(await harness.run(command + server).output.contains("No tokens are stored"))
    #expect(try await Set(harness.storage.accounts()) == Set(others), "they belong to other clients and programs")
  }

  @Test func recordsOfOtherProgramsAreNotListed() async throws {
    try await harness.signIn(scope: "openid")
    let token = try #require(try await harness.token())
    for record in ["default", "default program", "two words program"] { try await write(token, as: record) }
    let accounts = try #require(try await harness.run("accounts", "--json").json.array)
    #expect(accounts.map { $0["account"]?.string } == ["default", "default", "two words"])
  }

  /// Without settings, each listed record can be removed.
  @Test func clientIsNamedIfThereAreSeveral() async throws {
    for client in ["one", "two"] {
      try await write(
        StoredToken(accessToken: Secret("t"), issuer: "https://sandbox.invalid", clientID: client),
        as: "default \(client)")
    }
    let result = await harness.run("revoke", "--local")
    #expect(
      result.output == "Several clients have tokens for account \"default\": one, two (choose with --client-id).\n")
    #expect(await harness.run("revoke", "--local", "--client-id", "two").status == .success)
    #expect(await harness.run("revoke", "--local").status == .success)
    #expect(try await harness.storage.accounts().isEmpty)
  }

  @Test func commandAndProgramOfOneClientShareASignIn() async throws {
    try await harness.signIn(scope: "openid")
    #expect(try await harness.storage.token(for: "default almanac") == harness.token())
  }
}
