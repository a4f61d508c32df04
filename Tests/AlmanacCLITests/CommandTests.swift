// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import Foundation
import LoopbackHTTP
import TestSupport
import Testing

/// The common behaviour of all commands: help, options, errors and output.
@Suite(.takesTurns) struct CommandTests {
  private let almanac: BuiltCommand

  init() throws { almanac = try BuiltCommand() }

  @Test func everyCommandHasHelp() async throws {
    let overview = try await almanac.run("--help")
    #expect(overview.status == 0)
    for name in ["demo", "sign-in", "calendars", "agenda", "profile", "call", "status", "revoke"] {
      #expect(overview.said.contains("  \(name) "))
      let help = try await almanac.run(name, "--help")
      #expect(help.status == 0)
      #expect(help.said.contains("Usage: almanac \(name)"))
    }
  }

  @Test func versionIsALine() async throws {
    let result = try await almanac.run("--version")
    #expect(result.status == 0)
    #expect(result.said.wholeMatch(of: /almanac \d+\.\d+\.\d+(-[a-z]+)?\n/) != nil)
  }

  @Test(arguments: [
    [], ["nonsense"], ["profile", "--nonsense"], ["profile", "s3cret"], ["call", "GET"], ["agenda", "--days", "0"],
    ["agenda", "--days"], ["profile", "--json=s3cret"], ["profile", "--account", "a", "--account", "s3cret"],
    ["profile", "--color", "s3cret"], ["demo", "--web", "--port", "70000"],
    ["sign-in", "--client-secret", "s3cret"], ["sign-in", "-ss3cret"], ["profile", "---json"],
  ])
  func usageErrorIsStatusTwoAndShowsNoValue(_ arguments: [String]) async throws {
    let (status, said) = try await almanac.run(arguments)
    #expect(status == 2)
    #expect(!said.isEmpty)
    #expect(!said.contains("s3cret"), "an argument may be a secret in the wrong place")
  }

  @Test(arguments: [
    ["profile", "--nonsense", "--json"], ["nonsense", "--json"], ["agenda", "--json", "--days"],
    ["profile", "--json", "--account", "a b"],
  ])
  func usageErrorIsJSONWithTheOption(_ arguments: [String]) async throws {
    let (status, said) = try await almanac.run(arguments)
    #expect(status == 2)
    let answer = try #require(try JSONSerialization.jsonObject(with: Data(said.utf8)) as? [String: [String: Any]])
    #expect(answer["error"]?["exitStatus"] as? Int == 2)
  }

  @Test(arguments: [
    ["status"], ["revoke"], ["revoke", "--local"], ["profile", "--client-id", "a"], ["calendars", "--client-id", "a"],
    ["agenda", "--client-id", "a"], ["call", "GET", "a", "--client-id", "a"],
    ["sign-in", "--if-needed", "--client-id", "a", "--issuer", "http://127.0.0.1:1"],
  ])
  func commandWithoutTokensLeavesNoFolder(_ arguments: [String]) async throws {
    _ = try await almanac.run(arguments)
    #expect(try FileManager.default.contentsOfDirectory(atPath: almanac.home.path()) == [])
  }

  @Test func hintNamesTheOtherAccounts() async throws {
    let sandbox = Sandbox()
    let server = try await sandbox.serve()
    #expect(try await almanac.signIn(to: server, sandbox, "--account", "work").status == 0)
    for arguments in [["status"], ["profile"], ["profile", "--client-id", "almanac"], ["revoke"]] {
      let said = try await almanac.run(arguments + ["--account", "wrok"]).said
      #expect(said.contains("Tokens are stored for: work"), "\(arguments)")
    }
    await server.stop()
  }

  @Test func invalidAccountNameIsAUsageError() async throws {
    #expect(try await almanac.run("status", "--account", "a b").status == 2)
    #expect(try await almanac.run("status", "--account", "").status == 2)
    #expect(try await almanac.run("status", environment: ["ALMANAC_ACCOUNT": ""]).said.contains("\"default\""))
  }

  @Test(arguments: [
    ["sign-in", "--client-id", "a", "--issuer", "http://127.0.0.1%1B%5B31m:1"],
    ["sign-in", "--client-id", "a", "--issuer", "https://a%C2%9B31m.invalid/"],
    ["sign-in", "--client-id", "a", "--issuer", "https://a%E2%80%AE.invalid/", "--verbose"],
    ["profile", "--\u{1B}]0;title\u{7}"], ["status", "--account", "a\u{9B}31m"],
  ])
  func argumentBringsNoControlCharactersToTheTerminal(_ arguments: [String]) async throws {
    let said = try await almanac.run(arguments).said
    let steering = said.unicodeScalars.filter { scalar in
      scalar != "\n" && [.control, .format].contains(scalar.properties.generalCategory)
    }
    #expect(!said.isEmpty && steering.isEmpty)
  }

  @Test func damagedSettingsAreStatusSix() async throws {
    let folder = almanac.home.appending(path: ".config/almanac")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("{".utf8).write(to: folder.appending(path: "default.json"))
    #expect(try await almanac.run("profile").status == 6)
  }

  #if os(Linux)
    /// The sandbox would otherwise serve until it is interrupted.
    @Test(arguments: ["demo --json", "--help", "status", "profile --help", "sandbox"])
    func failedOutputIsAFailure(_ arguments: String) async throws {
      let result = try await almanac.shell("almanac \(arguments) > /dev/full")
      #expect(result.status == 1)
      #expect(result.said.contains("output could not be written"))
    }
  #endif
}
