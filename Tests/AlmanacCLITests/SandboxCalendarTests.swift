// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import AlmanacTesting
import HTTPTransport
import JSONCoding
import Synchronization
import TestSupport
import Testing

/// The commands of the Calendar API with the sandbox, which stores their changes.
@Suite(.takesTurns) struct SandboxCalendarTests {
  @Test func seriesEndsBeforeTheFirstDeletedEvent() async throws {
    let harness = try await CommandHarness().signIn()
    let added = await harness.run(
      "events", "add", "--title", "Standing", "--start", "tomorrow 9:00", "--repeat", "FREQ=DAILY;COUNT=5", "--yes",
      "--json")
    let series = try #require(try added.json["id"]?.string)
    func listed() async throws -> [String] {
      let listed = await harness.run("events", "list", "--from", "tomorrow", "--query", "Standing", "--json")
      return try #require(try listed.json.array).compactMap { $0["id"]?.string }
    }
    let ids = try await listed()
    let preview = await harness.run("events", "delete", ids[2], "--following", "--dry-run")
    #expect(preview.output.contains("COUNT=5 →") && preview.output.contains("UNTIL="), "\(preview.output)")
    #expect(try await listed() == ids)
    let ended = await harness.run("events", "delete", ids[2], "--following", "--yes")
    #expect(ended.status == .success, "\(ended.errors)")
    #expect(try await listed() == Array(ids[..<2]))
    #expect(await harness.run("events", "delete", series, "--following", "--yes").status == .success)
    #expect(try await listed() == [])
    let single = await harness.run("events", "add", "--start", "tomorrow 9:00", "--yes", "--json")
    let id = try #require(try single.json["id"]?.string)
    let refused = await harness.run("events", "delete", id, "--following", "--yes", "--json")
    #expect(refused.error?["message"]?.string?.contains("without --following") == true)
  }

  @Test func eventThatAnotherProgramChangesWhileTheUserThinksIsNotWritten() async throws {
    let harness = try await CommandHarness().signIn()
    let added = await harness.run("events", "add", "--title", "Lunch", "--start", "tomorrow 12:30", "--yes", "--json")
    let id = try #require(try added.json["id"]?.string)
    // The other program changes the event after it is shown and before the request.
    let other = Mutex(false)
    let slow = CommandHarness(sharing: harness) { base in
      StubTransport { request in
        if request.method == .patch,
          other.withLock({ done in
            defer { done = true }; return !done
          })
        {
          let change = await harness.run("events", "edit", id, "--title", "Brunch", "--yes")
          #expect(change.status == .success, "\(change.errors)")
        }
        return try await base.send(request)
      }
    }
    let console = ScriptedConsole(canAsk: true) { _ in "y" }
    let result = await slow.run(["events", "edit", id, "--title", "Dinner", "--json"], console: console)
    #expect(result.status == .refused)
    #expect(result.error?["code"]?.string == "conditionNotMet")
    #expect(try await harness.run("events", "get", id, "--json").json["summary"]?.string == "Brunch")
  }
}
