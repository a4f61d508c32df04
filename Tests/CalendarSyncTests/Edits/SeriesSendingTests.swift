// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import CalendarAPI
import CalendarSync
import Foundation
import HTTPTransport
import Recurrence
import TestSupport
import Testing
import Timekeeping

/// Edits of random series, made on the emulated server.
struct SeriesSendingTests {
  /// The number of random edits with a fault: `ALMANAC_EDIT_SEEDS`, or 10.
  private static let count = ProcessInfo.processInfo.environment["ALMANAC_EDIT_SEEDS"].flatMap(UInt64.init) ?? 10

  private let harness: SyncHarness

  init() async throws { harness = try await SyncHarness() }

  private func editor(
    _ store: (any CalendarStore)? = nil, over transport: (any Transport)? = nil
  ) -> CalendarEditor {
    let used: any CalendarStore = store ?? harness.store
    return CalendarEditor(
      client: transport.map(harness.client(over:)) ?? harness.client, store: used, account: "me", clock: harness.clock)
  }

  /// Inserts a random series with its exceptions, synchronizes, and returns the plan of its edit.
  private func plan(_ edit: RandomEdit) async throws -> SeriesPlan? {
    var event = edit.series.event
    (event.id, event.etag) = (edit.id, nil)
    try await harness.insert(event)
    for exception in edit.exceptions {
      let id = try #require(exception.id)
      if exception.status == .cancelled {
        try await harness.client.events.delete(id, in: "primary")
        continue
      }
      let patch = Event.Patch {
        $0.summary = exception.summary.map { .set($0) } ?? .leave
        if let period = exception.period { $0.setPeriod(period) }
      }
      try await harness.client.events.patch(patch, for: id, in: "primary")
    }
    _ = try await harness.synchronizer().synchronize()
    let stored = try #require(try await harness.store.series(edit.id, in: try await harness.primary, for: "me"))
    #expect(stored.exceptions.count == edit.exceptions.count, "\(edit)")
    do {
      return try edit.plan(of: stored, stored.exceptions.first { $0.id == edit.instance.id } ?? edit.instance)
    } catch let error as CalendarEditError where error.code == .cannotMove && edit.canBeRefused {
      return nil
    }
  }

  /// The end of the time in which the instances are compared.
  private func limit(_ edit: RandomEdit) -> Timestamp {
    Timestamp(secondsSince1970: Int64(edit.series.start.day + ReferenceSeries.horizon - 60) * 86_400)
  }

  /// The instances on the server, but for those of the sample calendar.
  private func instances(of edit: RandomEdit) async throws -> [String] {
    var found: [String] = []
    let query = EventsResource.ListQuery(timeMax: limit(edit), singleEvents: true)
    for try await event in harness.client.events.all(in: "primary", query) {
      guard let summary = event.summary, ["Series", "Edited", "Own"].contains(where: summary.hasPrefix),
        let start = event.start?.instant(in: .gmt), let end = event.end?.instant(in: .gmt), start < limit(edit)
      else { continue }
      found.append("\(OffsetDateTime(start)) \(OffsetDateTime(end)) \(summary)")
    }
    return found.sorted()
  }

  private func expected(_ instances: [ReferenceSeries.Instance], of edit: RandomEdit) -> [String] {
    instances.filter { !$0.isCancelled && $0.start < limit(edit).secondsSince1970 }.map {
      let (start, end) = (Timestamp(secondsSince1970: $0.start), Timestamp(secondsSince1970: $0.end))
      return "\(OffsetDateTime(start)) \(OffsetDateTime(end)) \($0.summary)"
    }.sorted()
  }

  /// Removes what a random edit has left.
  private func clear() async throws {
    for try await event in harness.client.events.all(in: "primary") {
      guard let id = event.id, event.recurringEventID == nil else { continue }
      if ["Series", "Edited"].contains(event.summary) { try await harness.client.events.delete(id, in: "primary") }
    }
  }
}

// Faults.
extension SeriesSendingTests {
  @Test(.hangLimit) func interruptedEditsAreCompleted() async throws {
    for seed in 1...Self.count {
      let edit = RandomEdit(seed: seed)
      if let plan = try await plan(edit) {
        #expect(try await instances(of: edit) == expected(edit.before, of: edit), "before, seed \(seed): \(edit)")
        var numbers = SeededNumbers(seed: seed)
        let fault = Int.random(in: 1...8, using: &numbers)
        if Bool.random(using: &numbers) {
          let store = FailingStore(harness.store, crash: fault, isStored: Bool.random(using: &numbers))
          do { try await editor(store).perform(plan) } catch is FailingStore.Crash {}
        } else {
          let transport = CrashingTransport(harness.transport, crash: fault, isSent: Bool.random(using: &numbers))
          do { try await editor(over: transport).perform(plan) } catch is CrashingTransport.Crash {}
        }
        // Without a stored plan, the edit was not begun.
        let isBegun = try await !harness.store.pendingEdits(for: "me").isEmpty
        _ = try await editor().send()
        #expect(try await harness.store.pendingEdits(for: "me").isEmpty, "seed \(seed)")
        let found = try await instances(of: edit)
        let isMade = found == expected(edit.after, of: edit)
        #expect(isMade || !isBegun && found == expected(edit.before, of: edit), "seed \(seed): \(edit)")
      }
      try await clear()
    }
  }

  @Test(.hangLimit) func otherClientsChangesAreKept() async throws {
    for seed in 1...Self.count {
      let edit = RandomEdit(seed: seed)
      if let plan = try await plan(edit), !plan.changes.isEmpty {
        var numbers = SeededNumbers(seed: seed)
        let transport = CrashingTransport(harness.transport, crash: .max, isSent: true)
        let (moment, client) = (Int.random(in: 1...plan.changes.count, using: &numbers), harness.client)
        transport.interfere(before: moment) {
          _ = try? await client.events.patch(Event.Patch { $0.location = .set("Room 7") }, for: edit.id, in: "primary")
        }
        var code: CalendarEditError.Code?
        // The content of the new event and of the exceptions was planned for the version that the other client replaced.
        let decisive = plan.changes.firstIndex { if case .version = $0.condition { true } else { false } }
        do { try await editor(over: transport).perform(plan) } catch let error as CalendarEditError {
          code = error.code
        }
        let found = try await instances(of: edit)
        #expect(found == expected(code == nil ? edit.after : edit.before, of: edit), "seed \(seed): \(edit)")
        if let decisive {
          #expect(code == (moment <= decisive + 1 ? .conflict : nil), "seed \(seed): \(edit)")
        } else {
          // An event that another client changed is not deleted.
          #expect(code == nil || edit.kind == .deletion && code == .conflict, "seed \(seed): \(edit)")
        }
        #expect(try await harness.store.pendingEdits(for: "me").isEmpty, "seed \(seed)")
        let event = try await client.events.get(edit.id, in: "primary")
        if event.status != .cancelled { #expect(event.location == "Room 7", "seed \(seed): \(edit)") }
      }
      try await clear()
    }
  }

  @Test(.hangLimit) func twoProgramsMakeAnEditOnce() async throws {
    for seed in 1...Self.count / 5 {
      let edit = RandomEdit(seed: seed)
      if let plan = try await plan(edit) {
        let transport = CrashingTransport(harness.transport, crash: 2, isSent: true)
        do { try await editor(over: transport).perform(plan) } catch is CrashingTransport.Crash {}
        let (first, second) = (editor(), editor())
        async let other = second.send()
        _ = try await first.send()
        _ = try await other
        #expect(try await instances(of: edit) == expected(edit.after, of: edit), "seed \(seed): \(edit)")
        #expect(try await harness.store.pendingEdits(for: "me").isEmpty, "seed \(seed)")
      }
      try await clear()
    }
  }
}

// Without a store.
extension SeriesSendingTests {
  /// Inserts a series of six days with a changed fifth day, and returns the identifiers of its instances.
  private func insertWeek() async throws -> [String] {
    let id = try await harness.insert(try SyncHarness.event("Week", rule: "RRULE:FREQ=DAILY;COUNT=6"))
    let ids = try await harness.client.events.instances(of: id, in: "primary").items.compactMap(\.id)
    try await harness.client.events.patch(Event.Patch { $0.location = .set("Hall") }, for: ids[4], in: "primary")
    return ids
  }

  /// The days, titles and locations of the instances.
  private func week() async throws -> [String] {
    let start = try Timestamp(rfc3339: "2026-03-01T00:00:00Z")
    let query = EventsResource.ListQuery(
      timeMin: start, timeMax: start + .seconds(7 * 86_400), singleEvents: true, orderBy: .startTime)
    var found: [String] = []
    for try await event in harness.client.events.all(in: "primary", query) where event.start?.date != nil {
      guard let title = event.summary, ["Week", "Other"].contains(title) else { continue }
      found.append("\(event.start?.date?.day ?? 0) \(title)\(event.location.map { " \($0)" } ?? "")")
    }
    return found
  }

  @Test func seriesEndsBeforeAnInstance() async throws {
    let ids = try await insertWeek()
    try await harness.client.events.endSeries(before: ids[3], in: "primary")
    #expect(try await week() == ["1 Week", "2 Week", "3 Week"])
    try await harness.client.events.endSeries(before: ids[0], in: "primary")
    #expect(try await week() == [])
    let single = try await harness.insert(try SyncHarness.event("Single"))
    let error = try await #require(throws: CalendarEditError.self) {
      try await harness.client.events.endSeries(before: single, in: "primary")
    }
    #expect(error.code == .notRecurring)
  }

  @Test func splitThatIsInterruptedAnywhereIsCompletedByItsPlan() async throws {
    let split = ["1 Week", "2 Week", "3 Other", "4 Other", "5 Other Hall", "6 Other"]
    for (crash, isSent) in (1...12).flatMap({ [($0, false), ($0, true)] }) {
      let ids = try await insertWeek()
      let transport = CrashingTransport(harness.transport, crash: crash, isSent: isSent)
      do {
        try await harness.client(over: transport).events.split(at: ids[2], in: "primary") { $0.summary = "Other" }
      } catch let error as CalendarEditError where error.code == .interrupted {
        try await harness.client.events.perform(try #require(error.plan))
      } catch is CrashingTransport.Crash {
        // Before the first change, nothing is made; after the last one, only the new event was not read.
        if try await week() == split.map({ String($0.replacing("Other", with: "Week")) }) {
          try await harness.client.events.split(at: ids[2], in: "primary") { $0.summary = "Other" }
        }
      }
      #expect(try await week() == split, "request \(crash)")
      try await harness.client.calendars.clear("primary")
    }
  }
}
