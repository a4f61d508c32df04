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

/// The keys of sealed records.
///
/// The commands that seal are in a transcript.
@Suite(.takesTurns) struct TokensCommandTests {
  private let harness = CommandHarness(clock: ManualClock(skipsWaits: true))
  private let old = "old:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"

  @Test func generatedKeyIsReadAgain() async throws {
    let result = await harness.run("tokens", "key", "2026-11")
    #expect(result.status == .success && result.errors.isEmpty)
    #expect(try SealingKeyRing(text: Secret(result.output)).identifiers == ["2026-11"])
    let json = try await harness.run("tokens", "key", "2026-11", "--json").json
    #expect(json["identifier"] == "2026-11")
    #expect(try SealingKeyRing(text: Secret(json["key"]?.string ?? "")).identifiers == ["2026-11"])
    #expect(json["key"]?.string != result.output.trimmingCharacters(in: .newlines))
  }

  @Test func signInWithKeysSealsItsTokens() async throws {
    let signIn = CommandHarness.signIn(scope: "openid")
    let environment = ["ALMANAC_SEALING_KEYS": old, "ALMANAC_SEALING_STORE": "shared"]
    #expect(await harness.run(signIn, environment: environment).status == .success)
    let keys = try SealingKeyRing(text: Secret(old))
    let sealed = SealedTokenStorage(wrapping: harness.storage, keys: keys, store: "shared")
    #expect(try await sealed.token(for: CommandHarness.record) != nil)
    #expect(await harness.run(["token"], environment: environment).status == .success)
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
