// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import OAuthJOSE
import Testing
import Timekeeping

/// Pages and synchronizations, which all collections share.
@Suite struct ListingTests {
  private static let list = "/calendar/v3/users/me/calendarList"

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

  @Test func pagingWalksAllOnce() async throws {
    let harness = try SandboxHarness()
    let token = try await harness.accessToken()
    let whole = try await harness.get(Self.list, token: token).items.compactMap { $0["id"] as? String }
    #expect(whole.count >= 12 && Set(whole).count == whole.count)
    for (size, count) in [(5, (whole.count + 4) / 5), (1000, 1)] {
      var (ids, pages, more): ([String], Int, String?) = ([], 0, "")
      while let query = more {
        let answer = try await harness.get("\(Self.list)?maxResults=\(size)\(query)", token: token)
        #expect((answer["nextPageToken"] == nil) != (answer["nextSyncToken"] == nil), "Exactly one of the two.")
        ids += answer.items.compactMap { $0["id"] as? String }
        pages += 1
        more = answer["nextPageToken"].map { "&pageToken=\($0)" }
      }
      #expect(ids == whole && pages == count)
    }
  }

  @Test func aPageTokenIsGoodForTheSameRequestOnly() async throws {
    let harness = try SandboxHarness()
    let token = try await harness.accessToken()
    let first = "\(Self.list)?maxResults=3"
    let page = try #require(try await harness.get(first, token: token)["nextPageToken"])
    for (more, status) in [("&alt=json&pageToken=", 200), ("&showHidden=true&pageToken=", 400), ("&syncToken=", 400)] {
      #expect(try await harness.get("\(first)\(more)\(page)", token: token).status == status)
    }
  }

  @Test func changesShowInTheListAndInItsSync() async throws {
    let harness = try SandboxHarness()
    let token = try await harness.token()
    let list = "users/me/calendarList"
    let before = try await harness.call(.get, list, token: token)
    let sync = try #require(before["nextSyncToken"])
    var ids: [String] = []
    for name in ["one", "two"] {
      ids.append(
        try #require(try await harness.call(.post, "calendars", #"{"summary":"\#(name)"}"#, token: token)["id"]))
    }
    let paths = try ids.map { "calendars/\(try #require(FormEncoding.pathSegment($0)))" }
    _ = try await harness.call(.delete, paths[0], token: token)
    _ = try await harness.call(.patch, paths[1], #"{"summary":"zwei"}"#, token: token)
    let changes = try await harness.call(.get, "\(list)?syncToken=\(sync)", token: token)
    try #require(changes.ids() == ids)
    #expect(changes.items[0]["deleted"] as? Bool == true && changes.items[1]["summary"] as? String == "zwei")
    let next = try #require(changes["nextSyncToken"])
    #expect(try await harness.call(.get, "\(list)?syncToken=\(next)", token: token).items.isEmpty)
    #expect(try await harness.call(.get, list, token: token).items.count == before.items.count + 1)
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

  @Test(
    "A sync token goes with the parameters of its listing, and with none that selects",
    arguments: [
      ("singleEvents=true", "", "invalid"), ("singleEvents=true", "singleEvents=false", "invalid"),
      ("singleEvents=true", "singleEvents=true", nil), ("", "singleEvents=false", nil),
      ("eventTypes=default&eventTypes=focusTime", "eventTypes=focusTime&eventTypes=default", nil),
      ("eventTypes=default", "eventTypes=focusTime", "invalid"), ("", "timeZone=Asia%2FTokyo", "invalid"),
      ("timeMin=2026-01-01T00:00:00Z&q=a", "", nil), ("", "maxResults=7&showDeleted=true", nil),
      ("fields=nextSyncToken", "prettyPrint=false&other=1", nil), ("", "timeMin=2026-01-01T00:00:00Z", "badRequest"),
      ("", "q=a", "badRequest"), ("", "orderBy=updated", "badRequest"), ("", "iCalUID=a", "badRequest"),
      ("", "showDeleted=false", "badRequest"),
    ] as [(String, String, String?)])
  func parametersOfASynchronization(first: String, then: String, reason: String?) async throws {
    let harness = try SandboxHarness()
    let token = try await harness.accessToken()
    let listed = try await harness.get("\(try path("primary"))?maxResults=2500&\(first)", token: token)
    let sync = try #require(listed["nextSyncToken"])
    let answer = try await harness.get("\(try path("primary"))?syncToken=\(sync)&\(then)", token: token)
    #expect(answer.status == (reason == nil ? 200 : 400) && answer.reason == reason)
    guard let next = answer["nextSyncToken"] else { return }
    #expect(try await harness.get("\(try path("primary"))?syncToken=\(next)&\(then)", token: token).status == 200)
  }

  @Test func aSyncTokenIsOfOneListAndEndsWithTheOthers() async throws {
    let harness = try SandboxHarness()
    let token = try await harness.accessToken()
    let sync = try #require(try await events(harness, token: token)["nextSyncToken"])
    let other = try #require(try await calendars(harness, token: token)["Trabajo"])
    #expect(try await harness.get("\(try path(other))?syncToken=\(sync)", token: token).status == 400)
    let list = try #require(try await harness.get(Self.list, token: token)["nextSyncToken"])
    for more in ["minAccessRole=owner", "showDeleted=false"] {
      #expect(try await harness.get("\(Self.list)?syncToken=\(list)&\(more)", token: token).status == 400)
    }
    harness.sandbox.expireSyncTokens()
    for path in ["\(try path("primary"))?syncToken=\(sync)", "\(Self.list)?syncToken=\(list)"] {
      let expired = try await harness.get(path, token: token)
      #expect(expired.status == 410 && expired.reason == "fullSyncRequired")
    }
  }

  /// Any client can read its token and change the time in it.
  @Test(arguments: [(Int64.min, 410), (.max, 200)])
  func forgedTimeOfASyncTokenIsATime(_ time: Int64, _ status: Int) async throws {
    let harness = try SandboxHarness()
    let token = try await harness.accessToken()
    let sync = try #require(try await events(harness, token: token)["nextSyncToken"])
    let text = String(decoding: try #require(Base64URL.decode(sync)), as: UTF8.self)
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    lines[4] = "\(time)"
    let forged = Base64URL.encode(Array(lines.joined(separator: "\n").utf8))
    #expect(try await harness.get("\(try path("primary"))?syncToken=\(forged)", token: token).status == status)
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
