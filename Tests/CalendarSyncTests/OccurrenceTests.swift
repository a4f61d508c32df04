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

  private static func timed(_ start: String, rule: String, zone: String = "UTC") throws -> Event {
    let start = try OffsetDateTime(rfc3339: start)
    let end = OffsetDateTime(start.timestamp + .seconds(3600), offsetSeconds: start.offsetSeconds)
    return Event {
      $0.summary = "Timed"
      $0.start = EventDateTime(dateTime: start, timeZone: zone)
      $0.end = end.map { EventDateTime(dateTime: $0, timeZone: zone) }
      $0.recurrence = ["RRULE:\(rule)"]
    }
  }

  /// The occurrences of a title in a range of the primary calendar.
  private func found(
    _ title: String, from: Timestamp, to: Timestamp, zone: String = "UTC"
  ) async throws -> [EventOccurrence] {
    try await harness.store.occurrences(
      in: [try await harness.primary], for: "me", from: from, to: to, zone: SystemZoneDatabase.shared.zone(zone)
    ).filter { $0.event.summary == title }
  }

  /// The starts of the timed events in a range.
  private func starts(_ from: String, _ to: String) async throws -> [String] {
    try await found("Timed", from: Self.instant(from), to: Self.instant(to)).map { "\($0.start)" }
  }

  @Test func sampleCalendarsHaveTheInstancesAndBusyPeriodsOfTheServer() async throws {
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
    _ = try await harness.synchronizer().synchronize()
    let now = harness.clock.now
    for days in [1, 7, 31, 80, 400] {
      let length = Duration.seconds(days * 86_400)
      try await harness.expectOccurrences(from: now - length, to: now + length, "\(days) days")
      guard days < 100 else { continue }
      try await harness.expectBusyPeriods(from: now - length, to: now + .seconds(3 * 86_400), "\(days) days")
    }
  }

  @Test func movedInstanceTakesPlaceOnceAtItsNewTime() async throws {
    let series = try await harness.insert(Self.timed("2026-03-02T09:00:00Z", rule: "FREQ=WEEKLY"))
    let instances = try await client.events.instances(of: series, in: "primary", .init(maxResults: 4)).items
    let start = try OffsetDateTime(rfc3339: "2026-05-05T09:00:00Z")
    try await client.events.patch(
      Event.Patch { $0.setPeriod(.timed(start: start, end: OffsetDateTime(start.timestamp + .seconds(3600)))) },
      for: try #require(instances[1].id), in: "primary")
    try await client.events.delete(try #require(instances[2].id), in: "primary")
    _ = try await harness.synchronizer().synchronize()
    #expect(
      try await starts("2026-03-01T00:00:00Z", "2026-03-24T00:00:00Z")
        == ["2026-03-02T09:00:00Z", "2026-03-23T09:00:00Z"])
    #expect(try await starts("2026-05-05T00:00:00Z", "2026-05-06T00:00:00Z") == ["2026-05-05T09:00:00Z"])
  }

  @Test(arguments: [
    ("Pacific/Auckland", "2026-03-09T11:00:00Z"), ("Europe/Madrid", "2026-03-09T23:00:00Z"),
    ("Pacific/Honolulu", "2026-03-10T10:00:00Z"),
  ])
  func allDayEventTakesPlaceInTheZoneOfTheQuery(_ zone: String, _ start: String) async throws {
    try await harness.insert(try SyncHarness.event("Holiday", on: "2026-03-10"))
    _ = try await harness.synchronizer().synchronize()
    let start = try Self.instant(start)
    for (from, to, count) in [(-60, 0, 0), (-60, 1, 1), (86_399, 90_000, 1), (86_400, 90_000, 0)] {
      let found = try await found("Holiday", from: start + .seconds(from), to: start + .seconds(to), zone: zone)
      #expect(found.count == count && found.allSatisfy { $0.start == start })
    }
  }

  @Test func periodThatEndsBeforeItsStartIsFree() async throws {
    try await harness.insert(try SyncHarness.event("Holiday", on: "2026-03-10"))
    _ = try await harness.synchronizer().synchronize()
    let noon = try Self.instant("2026-03-10T12:00:00Z")
    let calendars = Array(Set(try await harness.store.collections(for: "me").compactMap(\.calendarID)))
    for end in [noon - .seconds(3600), noon] {
      let busy = try await harness.store.busyPeriods(in: calendars, for: "me", from: noon, to: end)
      #expect(busy.count == calendars.count && busy.values.allSatisfy(\.isEmpty))
    }
  }

  @Test func ruleThatCannotBeReadLeavesTheFirstInstance() async throws {
    var stored = try Self.timed("2026-03-02T09:00:00Z", rule: "FREQ=SOMETIMES")
    stored.id = "odd"
    try await harness.store.apply(
      SyncTransaction(
        account: "me", collection: .events(calendarID: "odd"), expected: nil, state: SyncState(query: ""),
        steps: [.put(.event(stored))]))
    let found = try await harness.store.occurrences(
      in: ["odd"], for: "me", from: try Self.instant("2026-03-01T00:00:00Z"),
      to: try Self.instant("2026-04-01T00:00:00Z"), zone: .utc)
    #expect(found.map(\.event.id) == ["odd"])
  }

  private var client: CalendarClient { harness.client }
}
