// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import Testing
import Timekeeping

@Suite struct EventsTests {
  private func path(_ calendar: String) throws -> String {
    "/calendar/v3/calendars/\(try #require(FormEncoding.pathSegment(calendar)))/events"
  }

  private func events(
    _ harness: SandboxHarness, _ calendar: String = "primary", _ query: FormFields = [:], token: String
  ) async throws
    -> Answer
  {
    let query = FormEncoding.query.encode(query)
    let answer = try await harness.get("\(try path(calendar))?\(query)", token: token)
    #expect(answer.status == 200)
    return answer
  }

  /// The calendars by their summary.
  private func calendars(_ harness: SandboxHarness, token: String) async throws -> [String: String] {
    let items = try await harness.get("/calendar/v3/users/me/calendarList", token: token).items
    return Dictionary(
      uniqueKeysWithValues: try items.map {
        (try #require($0["summary"] as? String), try #require($0["id"] as? String))
      })
  }

  @Test(
    "The agenda is never empty, on whatever day the sandbox starts",
    arguments: [1_767_225_600, 1_774_746_000, 1_792_886_400, 1_709_164_800, 1_798_761_599])
  func everyWeekHasEvents(now: Int64) async throws {
    let clock = ManualClock(now: Timestamp(secondsSince1970: now))
    let harness = try SandboxHarness(clock: clock)
    let token = try await harness.accessToken()
    let window: FormFields = [
      "singleEvents": "true", "orderBy": "startTime", "timeMin": clock.now.rfc3339(),
      "timeMax": (clock.now + .seconds(7 * 86_400)).rfc3339(),
    ]
    let calendars = try await calendars(harness, token: token)
    #expect(calendars.count >= 12)
    for (name, id) in calendars {
      let items = try await events(harness, id, window, token: token).items
      #expect(!items.isEmpty, "\(name)")
      for item in items {
        #expect(item["recurrence"] == nil)
        #expect((item["id"] as? String).map { !$0.isEmpty } == true && item["summary"] is String)
        #expect(item["start"] is [String: String] && item["end"] is [String: String])
      }
    }
  }

  @Test func aSyncTokenGoesWithNothingThatSelects() async throws {
    let harness = try SandboxHarness()
    let token = try await harness.accessToken()
    let sync = try #require(try await events(harness, token: token)["nextSyncToken"])
    #expect(try await events(harness, "primary", ["syncToken": sync], token: token).items.isEmpty)
    for more in ["timeMin=2026-01-01T00:00:00Z", "q=a", "orderBy=updated", "iCalUID=a", "showDeleted=false"] {
      #expect(try await harness.get("\(try path("primary"))?syncToken=\(sync)&\(more)", token: token).status == 400)
    }
    let other = try #require(try await calendars(harness, token: token)["Trabajo"])
    #expect(try await harness.get("\(try path(other))?syncToken=\(sync)", token: token).status == 400)
    harness.sandbox.expireSyncTokens()
    #expect(try await harness.get("\(try path("primary"))?syncToken=\(sync)", token: token).status == 410)
  }

  @Test(
    "A sync token goes with the parameters of its listing",
    arguments: [
      ("singleEvents=true", "", 400), ("singleEvents=true", "singleEvents=false", 400),
      ("singleEvents=true", "singleEvents=true", 200), ("", "singleEvents=false", 200),
      ("eventTypes=default&eventTypes=focusTime", "eventTypes=focusTime&eventTypes=default", 200),
      ("eventTypes=default", "eventTypes=focusTime", 400), ("", "timeZone=Asia%2FTokyo", 400),
      ("timeMin=2026-01-01T00:00:00Z&q=a", "", 200), ("", "maxResults=7&showDeleted=true", 200),
      ("fields=nextSyncToken", "prettyPrint=false&other=1", 200),
    ])
  func parametersOfASynchronization(first: String, then: String, status: Int) async throws {
    let harness = try SandboxHarness()
    let token = try await harness.accessToken()
    let listed = try await harness.get("\(try path("primary"))?maxResults=2500&\(first)", token: token)
    let sync = try #require(listed["nextSyncToken"])
    let answer = try await harness.get("\(try path("primary"))?syncToken=\(sync)&\(then)", token: token)
    #expect(answer.status == status)
    guard status == 200 else {
      #expect(answer.reason == "invalid")
      return
    }
    let next = try #require(answer["nextSyncToken"])
    #expect(try await harness.get("\(try path("primary"))?syncToken=\(next)&\(then)", token: token).status == 200)
  }

  @Test func aSyncTokenExpiresWithAge() async throws {
    for days in [28, 3, nil] as [Int64?] {
      let harness = try SandboxHarness {
        $0.accessTokenLifetime = .seconds(86_400 * 100)
        if days != 28 { $0.syncTokenLifetime = days.map { .seconds($0 * 86_400) } }
      }
      let token = try await harness.accessToken()
      let sync = try #require(try await events(harness, token: token)["nextSyncToken"])
      harness.clock.advance(by: .seconds((days ?? 99) * 86_400 - 1))
      let changes = try await events(harness, "primary", ["syncToken": sync], token: token)
      #expect(changes.status == 200)
      let next = try #require(changes["nextSyncToken"])
      harness.clock.advance(by: .seconds(1))
      let late = try await harness.get("\(try path("primary"))?syncToken=\(sync)", token: token)
      #expect(late.reason == (days == nil ? nil : "fullSyncRequired"))
      #expect(try await events(harness, "primary", ["syncToken": next], token: token).status == 200)
    }
  }
}
