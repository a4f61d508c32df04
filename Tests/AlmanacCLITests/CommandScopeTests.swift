// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacCLI
import CalendarAPI
import TestSupport
import Testing

/// The least scopes of the commands for the Calendar API.
@Suite(.takesTurns) struct CommandScopeTests {
  /// Arguments with which each command sends all of its requests.
  private static let uses = [
    ("agenda", ""), ("calendars", ""), ("colors", ""), ("free", ""), ("settings", ""),
    ("events list", ""), ("events get", "EVENT"), ("events add", "--title Tea --start tomorrow --yes"),
    ("events quick-add", "Tea --yes"), ("events edit", "EVENT --title Cake --yes"),
    ("events move", "EVENT --to CALENDAR --yes"), ("events delete", "EVENT --yes"),
    ("calendars add", "--title Tea --yes"), ("calendars edit", "CALENDAR --title Cake --yes"),
    ("calendars delete", "CALENDAR --yes"), ("calendars clear", "--yes"), ("calendars subscribe", "CALENDAR --yes"),
    ("calendars customize", "CALENDAR --name Cake --yes"), ("calendars unsubscribe", "CALENDAR --yes"),
    ("acl list", ""), ("acl add", "--user cy@example.com --role reader --yes"),
    ("acl edit", "user:bo@example.com --role writer --yes"), ("acl delete", "user:bo@example.com --yes"),
  ]

  @Test func everyCommandWithAScopeHasAUse() {
    #expect(Set(Self.uses.map(\.0)) == Set(Command.all.filter { $0.leastScope != nil }.map(\.name)))
  }

  @Test(arguments: uses) func leastScopeIsAdvisedAndSuffices(_ name: String, _ arguments: String) async throws {
    let scope = try #require(Command.all.first { $0.name == name }?.leastScope)
    let harness = try await CommandHarness().signIn()
    func run(_ line: String) async -> CommandHarness.Result {
      await harness.run(line.split(separator: " ").map(String.init))
    }
    let event = try await run("events add --title Tea --start tomorrow --yes --json").json["id"]?.string
    let calendar = try await run("calendars add --title Tea --yes --json").json["id"]?.string
    #expect(await run("acl add --user bo@example.com --role reader --yes").status == .success)
    let line = "\(name) \(arguments) --account limited"
      .replacing("EVENT", with: try #require(event)).replacing("CALENDAR", with: try #require(calendar))

    let narrower = Scope.ofCalendarAPI.filter { $0 != scope && ScopeRule.google.isCovered($0, by: [scope]) }
    let advice = "almanac sign-in --account limited --if-needed --scope \(scope.googleName)"
    for granted in narrower + [.openID] {
      let signIn = CommandHarness.signIn(scope: "openid \(granted)") + ["--account", "limited"]
      #expect(await harness.run(signIn).status == .success)
      let refused = await run(line)
      #expect(refused.status == .refused, "\(granted)")
      #expect(
        refused.errors.contains("has no scope that allows this command") && refused.errors.contains("`\(advice)`"),
        "\(granted): \(refused.errors)")
    }
    let added = await run(String(advice.dropFirst("almanac ".count)))
    #expect(added.status == .success, "\(added.errors)")
    let result = await run(line)
    #expect(result.status == .success, "\(result.errors)")
  }
}
