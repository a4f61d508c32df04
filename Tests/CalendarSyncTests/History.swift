// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import CalendarAPI
import CalendarSync
import Synchronization
import TestSupport
import Testing
import Timekeeping

/// A random history of a user's calendars.
final class History {
  private let seed: UInt64
  private var numbers: SeededNumbers
  private let harness: SyncHarness
  /// The server's lists, whose pages have their elements in any order.
  private let transport: ReorderingTransport
  private var calendars: [String] = []
  /// Calendars that exist, and that the user has removed from the list.
  private var unlisted: [String] = []
  private var events: [(id: String, calendar: String, isSeries: Bool)] = []
  private var made = 0

  init(seed: UInt64) async throws {
    self.seed = seed
    numbers = SeededNumbers(seed: seed)
    harness = try await SyncHarness()
    transport = ReorderingTransport(harness.transport, seed: seed)
    calendars = [try await harness.primary]
  }

  /// Changes the calendars and synchronizes them in turns, and compares the copy after each complete synchronization.
  func run() async throws {
    for _ in 1...Int.random(in: 2...5, using: &numbers) {
      for _ in 1...Int.random(in: 1...8, using: &numbers) { try await change() }
      if Int.random(in: 1...4, using: &numbers) == 1 { harness.sandbox.expireSyncTokens() }
      let crashes = Int.random(in: 0...2, using: &numbers)
      for _ in 0..<crashes {
        let failing = FailingStore(
          harness.store, crash: Int.random(in: 1...12, using: &numbers), isStored: Bool.random(using: &numbers))
        do { try await synchronize(failing) } catch is FailingStore.Crash {}
        if Bool.random(using: &numbers) { try await change() }
      }
      try await synchronize(harness.store)
      try await harness.expectCopy("seed \(seed)")
      let start = Timestamp(secondsSince1970: 1_772_000_000 + Int64.random(in: 0...3_000_000, using: &numbers))
      let length = Duration.seconds(Int64.random(in: 1...2_000_000, using: &numbers))
      try await harness.expectOccurrences(from: start, to: start + length, "seed \(seed)")
      try await harness.expectBusyPeriods(from: start, to: start + length, "seed \(seed)")
    }
  }

  /// Synchronizes once, or as two programs at the same time.
  private func synchronize(_ store: any CalendarStore) async throws {
    let (size, concurrency) = (Int.random(in: 1...5, using: &numbers), Int.random(in: 1...3, using: &numbers))
    let programs = (0..<(Int.random(in: 1...4, using: &numbers) == 1 ? 2 : 1)).map { _ in
      harness.synchronizer(store, over: transport) {
        $0.pageSize = size
        $0.maximumConcurrency = concurrency
      }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for program in programs { group.addTask { _ = try await program.synchronize() } }
      try await group.waitForAll()
    }
  }

  private func change() async throws {
    let client = harness.client
    made += 1
    switch Int.random(in: 0...13, using: &numbers) {
    case 0...2:
      let calendar = try #require(calendars.randomElement(using: &numbers))
      let id = try await harness.insert(try SyncHarness.event("\(made)"), in: calendar)
      events.append((id, calendar, false))
    case 3:
      let calendar = try #require(calendars.randomElement(using: &numbers))
      let rule = ["FREQ=DAILY;COUNT=6", "FREQ=WEEKLY;BYDAY=MO,TH", "FREQ=DAILY;INTERVAL=3;UNTIL=20260320"]
        .randomElement(using: &numbers)
      let event = try SyncHarness.event("\(made)", rule: "RRULE:\(try #require(rule))")
      events.append((try await harness.insert(event, in: calendar), calendar, true))
    case 4:
      guard let event = events.randomElement(using: &numbers) else { return }
      try await client.events.patch(Event.Patch { $0.summary = .set("\(made)") }, for: event.id, in: event.calendar)
    case 5:
      guard let index = events.indices.randomElement(using: &numbers) else { return }
      let event = events.remove(at: index)
      try await client.events.delete(event.id, in: event.calendar)
    case 6...7:
      guard let series = events.filter(\.isSeries).randomElement(using: &numbers) else { return }
      let query = EventsResource.InstancesQuery(maxResults: 20)
      let instances = try await client.events.instances(of: series.id, in: series.calendar, query).items
      guard let id = instances.randomElement(using: &numbers)?.id else { return }
      if Bool.random(using: &numbers) {
        try await client.events.delete(id, in: series.calendar)
      } else {
        try await client.events.patch(Event.Patch { $0.summary = .set("\(made)") }, for: id, in: series.calendar)
      }
    case 8:
      let calendar = try await client.calendars.insert(CalendarMetadata { $0.summary = "\(made)" })
      calendars.append(try #require(calendar.id))
    case 9:
      guard calendars.count > 1 else { return }
      let id = calendars.remove(at: Int.random(in: 1..<calendars.count, using: &numbers))
      try await client.calendarList.delete(id)
      unlisted.append(id)
    case 10:
      guard let id = unlisted.popLast() else { return }
      try await client.calendarList.insert(CalendarListEntry { $0.id = id })
      calendars.append(id)
    case 11:
      let calendar = try #require(calendars.randomElement(using: &numbers))
      let user = "user\(Int.random(in: 1...3, using: &numbers))@example.com"
      let role = try #require([AccessRole.reader, .writer, .freeBusyReader].randomElement(using: &numbers))
      let rule = try await client.acl.insert(
        AclRule {
          $0.role = role
          $0.scope = AclRule.Scope {
            $0.type = .user
            $0.value = user
          }
        }, in: calendar)
      if Bool.random(using: &numbers) { try await client.acl.delete(try #require(rule.id), in: calendar) }
    case 12:
      guard let index = events.indices.filter({ !events[$0].isSeries }).randomElement(using: &numbers) else { return }
      let calendar = try #require(calendars.randomElement(using: &numbers))
      guard calendar != events[index].calendar else { return }
      try await client.events.move(events[index].id, from: events[index].calendar, to: calendar)
      events[index].calendar = calendar
    default:
      guard calendars.count > 1 else { return }
      let gone = calendars.remove(at: Int.random(in: 1..<calendars.count, using: &numbers))
      events.removeAll { $0.calendar == gone }
      try await client.calendars.delete(gone)
    }
  }
}
