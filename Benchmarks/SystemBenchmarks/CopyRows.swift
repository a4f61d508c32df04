// SPDX-License-Identifier: Apache-2.0

import BenchmarkHarness
import CalendarAPI
import CalendarSync
import CalendarSyncPostgreSQL
import CalendarSyncSQLite
import Foundation
import PostgreSQL
import Recurrence
import Timekeeping

/// Queries and changes of a local copy of ten calendars, whose cost must not grow with the number of stored events.
///
/// The calendars have the same number of events a month at every size: ten times as many events are ten times as many months.
/// `ALMANAC_EVENTS` is the largest number, 100,000 by default. `ALMANAC_DATABASE` is the connection string of an empty PostgreSQL database
/// to measure too.
enum CopyRows {
  static let path = "calendar copy"

  static var rows: [Row] {
    let largest = ProcessInfo.processInfo.environment["ALMANAC_EVENTS"].flatMap(Int.init) ?? 100_000
    let sizes = Array(sequence(first: largest) { $0 >= 100_000 ? $0 / 10 : nil })
    var rows = rows(sizes.map { ($0, SQLiteCalendarStore(file: file($0))) }, "SQLite")
    if let string = ProcessInfo.processInfo.environment["ALMANAC_DATABASE"],
      let configuration = try? PostgreSQLConfiguration(string)
    {
      let store = PostgreSQLCalendarStore(PostgreSQLClient(configuration))
      wait { _ = try await store.migrateSchema() }
      rows += self.rows(sizes.map { ($0, store) }, "PostgreSQL")
    }
    return rows
  }

  private static let folder = FileManager.default.temporaryDirectory.appending(path: "almanac-copies-\(UUID())")

  private static func file(_ count: Int) -> URL { folder.appending(path: "\(count).sqlite") }

  /// Removes the files of the rows.
  static func removeFiles() { try? FileManager.default.removeItem(at: folder) }

  private static func rows(_ stores: [(count: Int, store: any CalendarStore)], _ name: String) -> [Row] {
    let copies = stores.map { count, store in CalendarCopy(of: count, in: store) }
    func row(_ work: String, _ run: @escaping @Sendable (CalendarCopy) async throws -> Int) -> Row {
      let contenders = copies.map { copy in Contender("n = \(copy.count)") { wait { try await run(copy) } } }
      return Row(
        path, "\(name): \(work)",
        ours: Contender("n = \(copies[0].count)", check: { copies[0].fault() }, contenders[0].run),
        baselines: Array(contenders.dropFirst()))
    }
    return [
      row("a month of ten calendars") { try await $0.month().count },
      row("a text") { copy in
        try await copy.store.events(
          matching: EventQuery(text: "topic00007"), for: copy.account, after: nil, limit: 50
        )
        .count
      },
      row("an attendee") { copy in
        let query = EventQuery(attendee: "person7@example.com")
        return try await copy.store.events(matching: query, for: copy.account, after: nil, limit: 50).count
      },
      row("a page of 50 changes") { try await $0.change() },
    ]
  }
}

/// A copy of ten calendars in a store.
private struct CalendarCopy: Sendable {
  /// The number of events, of which a hundredth recur weekly for a year.
  let count: Int
  let store: any CalendarStore
  private let calendars = (0..<10).map { "calendar\($0)@example.com" }

  var account: String { "user\(count)" }

  /// Stores the events, in the order in which a server lists them.
  init(of count: Int, in store: any CalendarStore) {
    self.count = count
    self.store = store
    wait { [self] in
      for (number, calendar) in calendars.enumerated() {
        let numbers = Array(stride(from: number, to: count, by: 10))
        var state: SyncState?
        for start in stride(from: 0, to: numbers.count, by: 2_500) {
          let page = numbers[start..<min(start + 2_500, numbers.count)]
          let next = SyncState(query: "", pageToken: "\(start)")
          try await store.apply(
            SyncTransaction(
              account: account, collection: .events(calendarID: calendar), expected: state, state: next,
              steps: page.map { .put(.event(event($0))) }))
          state = next
        }
      }
    }
  }

  /// The events are spread evenly, 833 a month.
  private func event(_ number: Int, title: String = "Meeting") -> Event {
    let start = OffsetDateTime(Timestamp(secondsSince1970: 1_700_000_000 + Int64(number) * 3_155))
    let end = OffsetDateTime(start.timestamp + .seconds(3_600))
    // A hundred events have the same topic, and three hundred the same attendee.
    let groups = count / 100
    let topic = String("0000\(number % groups)".suffix(5))
    return Event {
      $0.id = "event\(number)"
      $0.etag = "\"33\(number)\""
      $0.iCalUID = "event\(number)@google.com"
      $0.htmlLink = "https://www.google.com/calendar/event?eid=event\(number)"
      $0.status = .confirmed
      $0.summary = "\(title) \(number) about topic\(topic)"
      $0.location = "Room \(number % 50), Example Street"
      $0.description =
        "The plan of the next quarter, with the figures of the last one and \(number % 13) open questions."
      $0.updated = start.timestamp
      $0.organizer = Event.Person { $0.email = "person\(number % groups)@example.com" }
      $0.attendees = (0..<3).map { person in
        EventAttendee {
          $0.email = "person\((number + person) % groups)@example.com"
          $0.displayName = "Person \((number + person) % groups)"
          $0.responseStatus = .accepted
        }
      }
      $0.start = EventDateTime(dateTime: start, timeZone: "Europe/Madrid")
      $0.end = EventDateTime(dateTime: end, timeZone: "Europe/Madrid")
      if number % 100 == 0 { $0.recurrence = ["RRULE:FREQ=WEEKLY;COUNT=52"] }
    }
  }

  /// The middle of the time that has events.
  private var middle: Timestamp { Timestamp(secondsSince1970: 1_700_000_000 + Int64(count) * 3_155 / 2) }

  func month() async throws -> [EventOccurrence] {
    let zone = try SystemZoneDatabase.shared.zone("Europe/Madrid")
    return try await store.occurrences(
      in: calendars, for: account, from: middle, to: middle + .seconds(30 * 86_400), zone: zone)
  }

  /// Stores changes in the middle of a calendar.
  func change() async throws -> Int {
    let collection = SyncCollection.events(calendarID: calendars[0])
    let state = try await store.state(of: collection, for: account)
    var next = state
    next?.pageToken = "\(UInt64.random(in: 0...(.max)))"
    let first = count / 2 / 10 * 10
    return try await store.apply(
      SyncTransaction(
        account: account, collection: collection, expected: state, state: next,
        steps: (0..<50).map { .put(.event(event(first + $0 * 10, title: next?.pageToken ?? ""))) })
    ).count
  }

  /// Returns a description of what is wrong with the copy, or `nil`.
  func fault() -> String? {
    let found = wait { try await month() }
    // A month has 821 or 822 events, 8 or 9 of them the first of a series, and instances of the series of a year.
    let single = found.filter { $0.event.recurringEventID == nil }.count
    return (800...830).contains(single) && found.count > single + 300 ? nil : "\(found.count) events, \(single) single"
  }
}
