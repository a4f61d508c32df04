// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import CalendarAPI
import CalendarSync
import Recurrence
import Testing
import Timekeeping

/// The events and instances in a range, computed from the copy.
struct OccurrenceTests {
  private let harness: SyncHarness

  init() async throws { harness = try await SyncHarness() }

  private static func instant(_ text: String) throws -> Timestamp { try Timestamp(rfc3339: text) }

  private static func timed(
    _ start: String, _ end: String, zone: String, rule: String? = nil
  ) throws -> Event {
    let (start, end) = (try OffsetDateTime(rfc3339: start), try OffsetDateTime(rfc3339: end))
    return Event {
      $0.summary = "Timed"
      $0.start = EventDateTime(dateTime: start, timeZone: zone)
      $0.end = EventDateTime(dateTime: end, timeZone: zone)
      if let rule { $0.recurrence = [rule] }
    }
  }

  @Test func sampleCalendarsHaveTheInstancesOfTheServer() async throws {
    try await harness.synchronizer().synchronize()
    let now = harness.clock.now
    for days in [1, 7, 31, 400] {
      let length = Duration.seconds(days * 86_400)
      try await harness.expectOccurrences(from: now - length, to: now + length, "\(days) days")
    }
  }

  @Test func sampleCalendarsHaveTheBusyPeriodsOfTheServer() async throws {
    let primary = try await harness.primary
    for (transparency, response) in [
      (Event.Transparency.opaque, EventAttendee.ResponseStatus.declined), (.transparent, .accepted),
      (.opaque, .accepted),
    ] {
      var event = try SyncHarness.event("Busy", on: transparency == .opaque ? "2026-03-01" : "2026-03-03")
      event.transparency = transparency
      event.attendees = [
        EventAttendee {
          $0.email = primary
          $0.responseStatus = response
        }
      ]
      try await harness.insert(event)
    }
    try await harness.synchronizer().synchronize()
    let now = harness.clock.now
    for days in [1, 7, 31, 80] {
      let length = Duration.seconds(days * 86_400)
      try await harness.expectBusyPeriods(from: now - length, to: now + .seconds(3 * 86_400), "\(days) days")
    }
  }

  @Test func seriesKeepsItsLocalTimeWhenTheClocksChange() async throws {
    let primary = try await harness.primary
    try await harness.insert(
      try Self.timed(
        "2026-03-27T09:00:00+01:00", "2026-03-27T10:00:00+01:00", zone: "Europe/Zurich", rule: "RRULE:FREQ=DAILY"))
    try await harness.synchronizer().synchronize()
    let zone = try SystemZoneDatabase.shared.zone("Europe/Zurich")
    let found = try await harness.store.occurrences(
      in: [primary], of: "me", from: try Self.instant("2026-03-28T00:00:00Z"),
      to: try Self.instant("2026-03-31T00:00:00Z"), zone: zone
    ).filter { $0.event.summary == "Timed" }
    #expect(
      found.map(\.start) == [
        try Self.instant("2026-03-28T08:00:00Z"), try Self.instant("2026-03-29T07:00:00Z"),
        try Self.instant("2026-03-30T07:00:00Z"),
      ])
    #expect(found.allSatisfy { $0.end - $0.start == .seconds(3600) && $0.event.recurrence == nil })
  }

  @Test func movedInstanceTakesPlaceOnceAtItsNewTime() async throws {
    let primary = try await harness.primary
    let series = try await harness.insert(
      try Self.timed("2026-03-02T09:00:00Z", "2026-03-02T10:00:00Z", zone: "UTC", rule: "RRULE:FREQ=WEEKLY"))
    let instances = try await client.events.instances(of: series, in: "primary", .init(maxResults: 4)).items
    let moved = try #require(instances[1].id)
    try await client.events.patch(
      Event.Patch {
        $0.start = .set(EventDateTime(dateTime: OffsetDateTime(try! Self.instant("2026-05-05T09:00:00Z"))))
        $0.end = .set(EventDateTime(dateTime: OffsetDateTime(try! Self.instant("2026-05-05T10:00:00Z"))))
      }, for: moved, in: "primary")
    try await client.events.delete(try #require(instances[2].id), in: "primary")
    try await harness.synchronizer().synchronize()
    func starts(_ from: String, _ to: String) async throws -> [Timestamp] {
      try await harness.store.occurrences(
        in: [primary], of: "me", from: try Self.instant(from), to: try Self.instant(to), zone: .utc
      ).filter { $0.event.summary == "Timed" }.map(\.start)
    }
    #expect(
      try await starts("2026-03-01T00:00:00Z", "2026-03-24T00:00:00Z") == [
        try Self.instant("2026-03-02T09:00:00Z"), try Self.instant("2026-03-23T09:00:00Z"),
      ])
    #expect(
      try await starts("2026-05-05T00:00:00Z", "2026-05-06T00:00:00Z") == [try Self.instant("2026-05-05T09:00:00Z")])
  }

  @Test func seriesWithoutEndHasInstancesInEveryRange() async throws {
    let primary = try await harness.primary
    try await harness.insert(try SyncHarness.event("Birthday", rule: "RRULE:FREQ=YEARLY"))
    try await harness.synchronizer().synchronize()
    let found = try await harness.store.occurrences(
      in: [primary], of: "me", from: try Self.instant("2126-02-28T00:00:00Z"),
      to: try Self.instant("2126-03-02T00:00:00Z"), zone: .utc)
    #expect(found.filter { $0.event.summary == "Birthday" }.count == 1)
  }

  @Test func allDayEventTakesPlaceInTheZoneOfTheQuery() async throws {
    let primary = try await harness.primary
    try await harness.insert(try SyncHarness.event("Holiday", on: "2026-03-10"))
    try await harness.synchronizer().synchronize()
    for (name, start) in [
      ("Pacific/Auckland", "2026-03-09T11:00:00Z"), ("Europe/Madrid", "2026-03-09T23:00:00Z"),
      ("Pacific/Honolulu", "2026-03-10T10:00:00Z"),
    ] {
      let instant = try Self.instant(start)
      func found(_ from: Duration, _ to: Duration) async throws -> [EventOccurrence] {
        try await harness.store.occurrences(
          in: [primary], of: "me", from: instant + from, to: instant + to,
          zone: try SystemZoneDatabase.shared.zone(name)
        ).filter { $0.event.summary == "Holiday" }
      }
      #expect(try await found(.seconds(-60), .zero).isEmpty, "\(name)")
      #expect(try await found(.seconds(-60), .seconds(1)).first?.start == instant, "\(name)")
      #expect(try await found(.seconds(86_399), .seconds(90_000)).count == 1, "\(name)")
      #expect(try await found(.seconds(86_400), .seconds(90_000)).isEmpty, "\(name)")
    }
  }

  @Test func ruleThatCannotBeReadLeavesTheFirstInstance() async throws {
    let event = try #require(
      try? Self.timed("2026-03-02T09:00:00Z", "2026-03-02T10:00:00Z", zone: "UTC", rule: "RRULE:FREQ=SOMETIMES"))
    var stored = event
    stored.id = "odd"
    try await harness.store.apply(
      SyncTransaction(
        account: "me", collection: .events(calendarID: "odd"), expected: nil, state: SyncState(query: ""),
        steps: [.put(.event(stored))]))
    let found = try await harness.store.occurrences(
      in: ["odd"], of: "me", from: try Self.instant("2026-03-01T00:00:00Z"),
      to: try Self.instant("2026-04-01T00:00:00Z"), zone: .utc)
    #expect(found.map(\.event.id) == ["odd"])
  }

  private var client: CalendarClient { harness.client }
}
