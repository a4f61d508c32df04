// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import Foundation
import JSONCoding
import TestSupport
import Testing
import TokenStore

/// Commands that are killed before any of their requests and writes.
@Suite(.takesTurns) struct KilledCommandTests {
  enum Start: CaseIterable {
    case new, signedIn, clientForgotten
  }

  private static let signIn = ["sign-in", "--resource", RegisteringServer.resource]
  private static let commands = [signIn, ["revoke"], ["revoke", "--forget-client"], ["calendars"]]

  /// Returns the program of a user whose client the server knows, or has forgotten.
  private func harness(_ start: Start) async throws -> CommandHarness {
    let server = RegisteringServer()
    let harness = server.harness()
    guard start != .new else { return harness }
    #expect(await harness.run(Self.signIn).status == .success)
    // The calendars need a refresh.
    try await harness.storage.expireTokens()
    if start == .clientForgotten { try await server.forget() }
    return harness
  }

  /// After a kill, each command leaves a state that a sign-in repairs, and `revoke` removes every token.
  @Test(arguments: Start.allCases)
  func signInRepairsWhatAKillLeft(_ start: Start) async throws {
    for command in Self.commands {
      var (effects, isKilled) = (0, true)
      while isKilled {
        for next in Self.commands {
          let harness = try await harness(start)
          let kill = Kill(after: effects)
          _ = await harness.run(command, kill: kill)
          isKilled = kill.happened
          let history: Comment = "\(start): \(command), killed after \(effects), then \(next)"
          if await harness.run(next).status == .success, next[0] == "revoke" {
            #expect(try await harness.storage.accounts().isEmpty, history)
          }
          let signedIn = await harness.run(Self.signIn)
          #expect(signedIn.status == .success, "\(history): \(signedIn.errors)")
          #expect(await harness.run("call", "GET", RegisteringServer.resource).status == .success, history)
          #expect(try await harness.storage.accounts().count == 1, history)
          #expect(try registrations(of: harness) == 1, history)
          let revoked = await harness.run("revoke")
          #expect(revoked.status == .success, "\(history): \(revoked.errors)")
          #expect(try await harness.storage.accounts().isEmpty, history)
        }
        effects += 1
      }
      #expect(start != .signedIn || effects > 3, "\(command)")
    }
  }

  private func registrations(of harness: CommandHarness) throws -> Int? {
    let file = harness.home + "/.local/share/almanac/clients/default.json"
    return try JSONValue(json: Array(Data(contentsOf: URL(filePath: file)))).array?.count
  }
}
