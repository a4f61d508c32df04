// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import AlmanacTesting
import Foundation
import JSONCoding
import TestSupport
import Testing
import Timekeeping
import TokenStore
import TokenStoreSealed

/// `tokens`, and the other commands with sealed records.
@Suite(.takesTurns) struct TokensCommandTests {
  private let harness = CommandHarness(clock: ManualClock(skipsWaits: true))
  private let old = "old:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"
  private let new = "new:ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8"

  private func run(_ arguments: String..., keys: String?) async -> CommandHarness.Result {
    await harness.run(arguments, environment: keys.map { ["ALMANAC_SEALING_KEYS": $0] } ?? [:])
  }

  private func sealed(_ keys: String, store: String = "almanac") throws -> SealedTokenStorage {
    SealedTokenStorage(wrapping: harness.storage, keys: try SealingKeyRing(text: Secret(keys)), store: store)
  }

  @Test func generatedKeyIsReadAgain() async throws {
    let result = await harness.run("tokens", "key", "2026-11")
    #expect(result.status == .success && result.errors.isEmpty)
    #expect(try SealingKeyRing(text: Secret(result.output)).identifiers == ["2026-11"])
    let json = try await harness.run("tokens", "key", "2026-11", "--json").json
    #expect(json["identifier"] == "2026-11")
    #expect(try SealingKeyRing(text: Secret(json["key"]?.string ?? "")).identifiers == ["2026-11"])
    #expect(json["key"]?.string != result.output.trimmingCharacters(in: .newlines))
    #expect(await harness.run("tokens", "key", "a b").status == .storage)
  }

  @Test func storedTokensAreSealedAndThenSealedByAnotherKey() async throws {
    try await harness.signIn()
    let token = try #require(try await harness.token())
    var result = await run("tokens", "seal", keys: old)
    #expect(result.status == .success)
    #expect(result.output == "Key        old\nSealed     1\nUnchanged  0\nFailed     0\n")
    #expect(try await sealed(old).token(for: CommandHarness.record) == token)

    result = await run("tokens", "reseal", "--json", keys: "\(new) \(old)")
    #expect(try result.json == ["key": "new", "sealed": 1, "unchanged": 0, "failures": []])
    #expect(try await sealed(new).token(for: CommandHarness.record) == token)
    #expect(await run("status", keys: new).status == .success)
    #expect(await run("whoami", keys: new).status == .success)
    #expect(await run("revoke", keys: new).status == .success)
    #expect(try await harness.storage.accounts().isEmpty)
  }

  @Test func signInWithKeysSealsItsTokens() async throws {
    let signIn = CommandHarness.signIn(scope: "openid")
    let environment = ["ALMANAC_SEALING_KEYS": old, "ALMANAC_SEALING_STORE": "shared"]
    #expect(await harness.run(signIn, environment: environment).status == .success)
    #expect(try await sealed(old, store: "shared").token(for: CommandHarness.record) != nil)
    #expect(await harness.run(["token"], environment: environment).status == .success)
  }

  @Test func recordWithoutItsKeyIsReportedWithTheRemedyAndCanBeRemoved() async throws {
    try await harness.signIn()
    _ = await run("tokens", "seal", keys: old)
    let cases: [(keys: String?, code: String, remedy: String)] = [
      (nil, "sealed", "Set ALMANAC_SEALING_KEY_FILE to the file with the keys."),
      (new, "unknownKey", "is sealed with the key old, which is not in the key ring. Add this key."),
      ("", "invalidKeys", "There is no sealing key."),
    ]
    for (keys, code, remedy) in cases {
      let result = await run("token", "--json", keys: keys)
      #expect(result.status == .storage)
      #expect(result.error?["code"]?.string == code)
      #expect(result.error?["message"]?.string?.contains(remedy) == true, "\(result.errors)")
    }
    let accounts = try await run("accounts", "--json", keys: nil).json
    #expect(accounts.array?.first?["problem"]?.string == "sealed")
    #expect(await run("revoke", "--local", keys: nil).status == .success)
    #expect(try await harness.storage.accounts().isEmpty)
  }

  @Test func recordInPlainTextIsRefusedUntilItIsSealed() async throws {
    try await harness.signIn()
    let result = await run("token", "--json", keys: old)
    #expect(result.error?["code"]?.string == "notSealed")
    #expect(result.error?["message"]?.string?.contains("`almanac tokens seal` seals it") == true)

    let report = await run("tokens", "reseal", "--json", keys: old)
    #expect(report.status == .storage)
    #expect(try report.json["failures"]?.array?.first?["code"]?.string == "notSealed")
    #expect(report.error?["code"]?.string == "notSealed")
    #expect(report.error?["message"]?.string?.hasPrefix("1 of the records could not be sealed.") == true)
    #expect(await run("tokens", "seal", keys: old).status == .success)
    #expect(await run("token", keys: old).status == .success)
  }

  @Test func keysAreReadFromAPrivateFile() async throws {
    try FileManager.default.createDirectory(atPath: harness.home, withIntermediateDirectories: true)
    let file = harness.home + "/keys"
    #expect(
      FileManager.default.createFile(atPath: file, contents: Data(old.utf8), attributes: [.posixPermissions: 0o600]))
    try await harness.signIn()
    let environment = ["ALMANAC_SEALING_KEY_FILE": file]
    #expect(await harness.run(["tokens", "seal"], environment: environment).status == .success)
    #expect(await harness.run(["token"], environment: environment).status == .success)

    let both = await harness.run(
      ["token", "--json"], environment: ["ALMANAC_SEALING_KEY_FILE": file, "ALMANAC_SEALING_KEYS": old])
    #expect(both.error?["code"]?.string == "invalidKeys")
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
    let open = await harness.run(["token", "--json"], environment: environment)
    #expect(open.status == .storage && open.error?["code"]?.string == "insecure")
    #expect(!open.errors.contains("AAECAw"))
  }
}
