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

  private func start(_ event: [String: Any]) -> String? {
    let start = event["start"] as? [String: Any]
    return start?["dateTime"] as? String ?? start?["date"] as? String
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

  @Test func pagingWalksAllOnce() async throws {
    let harness = try SandboxHarness()
    let token = try await harness.accessToken()
    let query: FormFields = ["singleEvents": "true", "orderBy": "startTime"]
    let whole = try await events(harness, "primary", query, token: token)
    var (ids, pages): ([String], Int) = ([], 0)
    var pageToken: String?
    repeat {
      var query = query
      query["maxResults"] = "50"
      query["pageToken"] = pageToken
      let answer = try await events(harness, "primary", query, token: token)
      #expect((answer["nextPageToken"] == nil) != (answer["nextSyncToken"] == nil))
      ids += answer.items.compactMap { $0["id"] as? String }
      pages += 1
      pageToken = answer["nextPageToken"]
    } while pageToken != nil
    #expect(whole.items.count == 250 && whole["nextPageToken"] != nil, "Defaults to 250.")
    #expect(Set(ids).count == ids.count)
    #expect(pages == (ids.count + 49) / 50)
    #expect(ids.prefix(250).elementsEqual(whole.items.compactMap { $0["id"] as? String }))
  }

  @Test func timeMinBoundsTheEndAndTimeMaxTheStartAndNeitherIsWithin() async throws {
    let harness = try SandboxHarness()
    let token = try await harness.accessToken()
    // "Comida con el equipo" takes place on 2026-01-01 from 14:00 to 15:30 in Madrid.
    let expected: [(FormFields, Bool)] = [
      (["timeMin": "2026-01-01T15:29:59+01:00"], true), (["timeMin": "2026-01-01T15:30:00+01:00"], false),
      (["timeMin": "2026-01-01T14:29:59Z"], true), (["timeMin": "2026-01-01T14:30:00Z"], false),
      (["timeMax": "2026-01-01T14:00:01+01:00"], true), (["timeMax": "2026-01-01T14:00:00+01:00"], false),
      (["timeMax": "2026-01-01T13:00:00Z"], false),
    ]
    for (query, isThere) in expected {
      for more: FormFields in [[:], ["singleEvents": "true", "maxResults": "2500"]] {
        var query = query
        query.append(contentsOf: more)
        let items = try await events(harness, "primary", query, token: token).items
        #expect(
          items.contains { $0["summary"] as? String == "Comida con el equipo" } == isThere,
          "\(query["timeMin"] ?? query["timeMax"] ?? "")")
      }
    }
  }

  @Test func anAllDayEventLastsFromMidnightToMidnightOfItsCalendar() async throws {
    let harness = try SandboxHarness()
    let token = try await harness.accessToken()
    // "Fin de semana en la sierra" lasts from 2026-01-06 to 2026-01-08; its end, the 9th, is exclusive.
    let summary = "Fin de semana en la sierra"
    let expected: [(FormFields, Bool)] = [
      (["timeMin": "2026-01-08T23:59:59+01:00"], true), (["timeMin": "2026-01-09T00:00:00+01:00"], false),
      (["timeMax": "2026-01-06T00:00:01+01:00"], true), (["timeMax": "2026-01-06T00:00:00+01:00"], false),
    ]
    for (query, isThere) in expected {
      let items = try await events(harness, "primary", query, token: token).items
      let event = items.first { $0["summary"] as? String == summary }
      #expect((event != nil) == isThere)
      if let event {
        #expect(event["start"] as? [String: String] == ["date": "2026-01-06"])
        #expect(event["end"] as? [String: String] == ["date": "2026-01-09"])
      }
    }
  }

  @Test func aSeriesIsExpandedAroundItsExceptions() async throws {
    let harness = try SandboxHarness()
    let token = try await harness.accessToken()
    let id = try #require(try await calendars(harness, token: token)["Trabajo"])
    // 2026-01-01 is a Thursday: the daily meeting of Friday is cancelled, and that of Monday is moved by 90 minutes.
    let window: FormFields = ["timeMin": "2026-01-01T00:00:00+01:00", "timeMax": "2026-01-08T00:00:00+01:00"]
    var query = window
    query.append(contentsOf: ["singleEvents": "true", "orderBy": "startTime", "q": "reunión diaria"])
    let items = try await events(harness, id, query, token: token).items
    #expect(
      items.compactMap(start) == [
        "2026-01-01T09:30:00+01:00", "2026-01-05T11:00:00+01:00", "2026-01-06T09:30:00+01:00",
        "2026-01-07T09:30:00+01:00",
      ])
    let moved = items[1]
    #expect((moved["id"] as? String)?.hasSuffix("_20260105T083000Z") == true)
    #expect((moved["originalStartTime"] as? [String: String])?["dateTime"] == "2026-01-05T09:30:00+01:00")
    #expect(moved["recurringEventId"] as? String == items[0]["recurringEventId"] as? String)

    query = window
    query.append(contentsOf: ["singleEvents": "true", "showDeleted": "true"])
    let cancelled = try await events(harness, id, query, token: token).items.filter {
      $0["status"] as? String == "cancelled"
    }
    #expect(cancelled.count == 1)
    #expect(
      Set(try #require(cancelled.first).keys) == [
        "kind", "etag", "id", "status", "recurringEventId", "originalStartTime",
      ])

    let series = try await events(harness, id, window, token: token).items
    let master = try #require(series.first { $0["recurrence"] != nil && $0["summary"] as? String == "Reunión diaria" })
    #expect(master["recurrence"] as? [String] == ["RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"])
    let masterID = try #require(master["id"] as? String)
    let exceptions = series.filter { $0["recurringEventId"] as? String == masterID }
    #expect(Set(exceptions.compactMap { $0["status"] as? String }) == ["cancelled", "confirmed"])

    for event in items + series {
      let eventID = try #require(event["id"] as? String)
      let found = try await harness.get("\(try path(id))/\(eventID)", token: token)
      #expect(found.object as NSDictionary == event as NSDictionary)
    }
    #expect(
      try await harness.get("\(try path(id))/\(masterID)_20260110T083000Z", token: token).status == 404, "A Saturday.")
  }

  @Test(
    "Series follow their rules; 2026-01-01 is a Thursday, and still Wednesday in New York",
    arguments: [
      ("Trabajo", "Retrospectiva", "2026-02-01", ["2026-01-01", "2026-01-15", "2026-01-29"]),
      ("Verein & Sport", "Kassenprüfung", "2026-04-01", ["2026-01-30", "2026-02-27", "2026-03-27"]),
      ("Clube de leitura", "Encontro do clube", "2026-04-01", ["2026-01-07", "2026-02-04", "2026-03-04"]),
      ("Family", "Water the plants", "2026-01-10", ["2026-01-03", "2026-01-06", "2026-01-09"]),
      (
        "Family", "Bin day 🗑", "2027-01-01", ["2026-01-07", "2026-01-14", "2026-01-21", "2026-01-28", "2026-02-04"]
      ),
      ("Roda de capoeira", "Treino", "2026-01-08", ["2026-01-02", "2026-01-03", "2026-01-05", "2026-01-07"]),
      ("person@example.com", "Cumpleaños 🎂", "2028-01-01", ["2026-12-12", "2027-12-12"]),
    ])
  func rules(calendar: String, summary: String, until: String, dates: [String]) async throws {
    let found = try await instances(of: summary, in: calendar, until: until)
    #expect(found == dates)
  }

  @Test(
    "Series end after their count or on their last day",
    arguments: [("Roda de capoeira", "Treino", "2026-04-04"), ("한국어 수업", "한국어 초급", "2026-03-02")])
  func ends(calendar: String, summary: String, last: String) async throws {
    #expect(try await instances(of: summary, in: calendar, until: "2028-01-01").last == last)
  }

  /// The days from 2026-01-01 on which a series takes place as planned.
  private func instances(of summary: String, in calendar: String, until: String) async throws -> [String] {
    let harness = try SandboxHarness()
    let token = try await harness.accessToken()
    let id = try #require(try await calendars(harness, token: token)[calendar])
    let query: FormFields = [
      "singleEvents": "true", "orderBy": "startTime", "q": summary, "timeMin": "2026-01-01T06:00:00Z",
      "timeMax": "\(until)T06:00:00Z", "maxResults": "2500",
    ]
    return try await events(harness, id, query, token: token).items
      .filter { $0["summary"] as? String == summary }.compactMap(start).map { String($0.prefix(10)) }
  }

  @Test func aDeletedEventKeepsItsIdentityOnly() async throws {
    let harness = try SandboxHarness()
    let token = try await harness.accessToken()
    let shown = try await events(harness, "primary", ["maxResults": "2500"], token: token).items
    #expect(!shown.contains { $0["status"] as? String == "cancelled" })
    let all = try await events(harness, "primary", ["maxResults": "2500", "showDeleted": "true"], token: token).items
    let deleted = all.filter { $0["status"] as? String == "cancelled" }
    #expect(deleted.map { Set($0.keys) } == [["kind", "etag", "id", "status"]])
  }

  @Test func ordersByStartOrByLastChange() async throws {
    let harness = try SandboxHarness()
    let token = try await harness.accessToken()
    let byStart = try await events(harness, "primary", ["singleEvents": "true", "orderBy": "startTime"], token: token)
      .items
    let starts = try byStart.compactMap(start).map { text in
      text.count == 10
        ? try CivilDate(rfc3339: text).startOfDay - .seconds(3600) : try Timestamp(rfc3339: text)
    }
    #expect(starts.count == 250 && zip(starts, starts.dropFirst()).allSatisfy { $0 <= $1 })
    let byChange = try await events(harness, "primary", ["orderBy": "updated"], token: token).items
    let changes = byChange.compactMap { $0["updated"] as? String }
    #expect(changes.count > 3 && zip(changes, changes.dropFirst()).allSatisfy { $0 <= $1 })
  }

  @Test func theEntityTagIsTwiceTheLastChangeInMicroseconds() async throws {
    let harness = try SandboxHarness()
    let items = try await events(harness, token: try await harness.accessToken()).items
    for item in items {
      let updated = try Timestamp(rfc3339: try #require(item["updated"] as? String))
      #expect(item["etag"] as? String == "\"\(updated.secondsSince1970 * 2_000_000)\"")
    }
  }

  @Test(
    "Times are shown in the calendar's zone unless another is asked for, summer time included",
    arguments: [
      (nil, "2026-03-28T07:30:00+01:00", "2026-03-29T07:30:00+02:00"),
      ("Asia/Kolkata", "2026-03-28T12:00:00+05:30", "2026-03-29T11:00:00+05:30"),
      ("America/New_York", "2026-03-28T02:30:00-04:00", "2026-03-29T01:30:00-04:00"),
      ("UTC", "2026-03-28T06:30:00Z", "2026-03-29T05:30:00Z"),
    ] as [(String?, String, String)])
  func zones(zone: String?, before: String, after: String) async throws {
    let harness = try SandboxHarness()
    var query: FormFields = [
      "singleEvents": "true", "orderBy": "startTime", "q": "perro", "timeMin": "2026-03-28T00:00:00Z",
      "timeMax": "2026-03-30T00:00:00Z",
    ]
    query["timeZone"] = zone
    let answer = try await events(harness, "primary", query, token: try await harness.accessToken())
    #expect(answer.items.compactMap(start) == [before, after])
    #expect(answer["timeZone"] == zone ?? "Europe/Madrid")
    #expect(answer.items.allSatisfy { ($0["start"] as? [String: String])?["timeZone"] == "Europe/Madrid" })
  }

  @Test(
    arguments: [
      ("orderBy=startTime", "badRequest"), ("orderBy=name", "invalidParameter"), ("maxResults=0", "invalidParameter"),
      ("singleEvents=1", "invalidParameter"), ("timeMin=2026-01-01", "badRequest"),
      ("timeMin=2026-01-01T00:00:00", "badRequest"), ("timeZone=Mars%2FOlympus", "invalid"),
      ("timeMin=2026-01-02T00:00:00Z&timeMax=2026-01-01T00:00:00Z", "timeRangeEmpty"),
      ("timeMin=2026-01-01T00:00:00Z&timeMax=2026-01-01T00:00:00Z", "timeRangeEmpty"), ("pageToken=AAAA", "invalid"),
      ("q=a&q=b", "invalidParameter"),
    ])
  func badParameters(query: String, reason: String) async throws {
    let harness = try SandboxHarness()
    let answer = try await harness.get("\(try path("primary"))?\(query)", token: try await harness.accessToken())
    #expect(answer.status == 400)
    #expect(answer.reason == reason)
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
