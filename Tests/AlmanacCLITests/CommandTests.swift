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

  @Test func versionIsALine() async throws {
    let result = try await almanac.run("--version")
    #expect(result.status == 0)
    #expect(result.said.wholeMatch(of: /almanac \d+\.\d+\.\d+(-[a-z]+)?\n/) != nil)
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
