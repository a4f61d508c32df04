// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import CalendarAPI
import CalendarSync
import CalendarSyncSQLite
import Foundation
import Recurrence
import TestSupport
import Testing
import Timekeeping

/// Edits that are made in the copy, and sent later.
struct OfflineEditTests {
  private let harness: SyncHarness
  private let calendar: String
  private let editor: CalendarEditor

  init() async throws {
    harness = try await SyncHarness()
    calendar = try await harness.primary
    editor = CalendarEditor(client: harness.client, store: harness.store, account: "me", clock: harness.clock)
  }

  /// Returns an editor that resolves conflicts by itself.
  private func editor(_ resolve: @escaping @Sendable (EditConflict) async throws -> ConflictResolution)
    -> CalendarEditor
  {
    CalendarEditor(client: harness.client, store: harness.store, account: "me", resolvingConflicts: resolve)
  }

  /// The number of random histories: `ALMANAC_EDIT_SEEDS`, or 10.
  private static let count = ProcessInfo.processInfo.environment["ALMANAC_EDIT_SEEDS"].flatMap(UInt64.init) ?? 10

  @Test(.hangLimit, arguments: [ConflictResolution.ours, .theirs, .merge])
  func randomHistoriesEndAsResolved(_ resolution: ConflictResolution) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "almanac-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    for seed in 1...Self.count {
      let file = folder.appending(path: "\(seed).sqlite")
      let store: any CalendarStore = seed % 8 == 0 ? SQLiteCalendarStore(file: file) : InMemoryCalendarStore()
      let history = try await ThreeWayHistory(seed: seed, store: store)
      try await history.run()
      var numbers = SeededNumbers(seed: seed)
      // Programs that end at any instant, and one that does not.
      for _ in 0..<Int.random(in: 0...2, using: &numbers) {
        let (harness, moment) = (history.harness, Int.random(in: 1...12, using: &numbers))
        let store = FailingStore(harness.store, crash: moment, isStored: Bool.random(using: &numbers))
        let transport = CrashingTransport(harness.transport, crash: moment, isSent: Bool.random(using: &numbers))
        let crashesAtStore = Bool.random(using: &numbers)
        do {
          _ = try await Self.editor(harness, crashesAtStore ? store : nil, crashesAtStore ? nil : transport, resolution)
            .send()
        } catch is FailingStore.Crash {} catch is CrashingTransport.Crash {}
      }
      let remaining = try await Self.editor(history.harness, nil, nil, resolution).send()
      #expect(remaining.isEmpty, "seed \(seed): \(remaining)")
      try await history.expectServer(after: resolution)
      _ = try await history.harness.synchronizer().synchronize()
      try await history.harness.expectCopy("seed \(seed)")
    }
  }

  private static func editor(
    _ harness: SyncHarness, _ store: FailingStore?, _ transport: CrashingTransport?, _ resolution: ConflictResolution
  ) -> CalendarEditor {
    let used: any CalendarStore = store ?? harness.store
    return CalendarEditor(
      client: transport.map(harness.client(over:)) ?? harness.client, store: used, account: "me", clock: harness.clock
    ) { _ in resolution }
  }
}

// Single edits.
extension OfflineEditTests {
  @Test func editsAreVisibleAtOnceAndMarked() async throws {
    let id = try await harness.insert(try SyncHarness.event("Lunch"))
    _ = try await harness.synchronizer().synchronize()
    try await editor.edit(id, in: calendar) { $0.summary = "Brunch" }
    let added = try await editor.insert(try SyncHarness.event("Dinner"), in: calendar)
    let day = try CivilDate(rfc3339: "2026-03-01").startOfDayInUTC
    func titles() async throws -> [String: Bool] {
      let found = try await harness.store.occurrences(
        in: [calendar], for: "me", from: day, to: day + .seconds(86_400), zone: .utc)
      let all = found.map { ($0.event.summary ?? "", $0.isPending) }.filter {
        ["Lunch", "Brunch", "Dinner"].contains($0.0)
      }
      return Dictionary(uniqueKeysWithValues: all)
    }
    #expect(try await titles() == ["Brunch": true, "Dinner": true])
    #expect(try await harness.client.events.get(id, in: calendar).summary == "Lunch")
    #expect(
      try await harness.store.events(matching: EventQuery(text: "brunch"), for: "me").all().map(\.isPending) == [true])
    #expect(try await harness.store.events(matching: EventQuery(text: "lunch"), for: "me").all().isEmpty)
    #expect(try await editor.send().isEmpty)
    // Without a synchronization, the copy has what the server returned.
    #expect(try await titles() == ["Brunch": false, "Dinner": false])
    try await editor.delete(try #require(added.id), in: calendar)
    #expect(try await titles() == ["Brunch": false])
    #expect(try await editor.send().isEmpty)
    #expect(try await titles() == ["Brunch": false])
    _ = try await harness.synchronizer().synchronize()
    try await harness.expectCopy()
  }

  @Test func conflictHasAllThreeVersionsAndWaits() async throws {
    let id = try await harness.insert(try SyncHarness.event("Lunch"))
    _ = try await harness.synchronizer().synchronize()
    try await editor.edit(id, in: calendar, sendUpdates: .all) { $0.summary = "Ours" }
    try await harness.client.events.patch(Event.Patch { $0.summary = .set("Theirs") }, for: id, in: calendar)
    let remaining = try await editor.send()
    let edit = try #require(remaining.first)
    guard case .conflict(let conflict) = edit.state else {
      Issue.record("There is no conflict.")
      return
    }
    #expect(
      conflict.base.summary == "Lunch" && conflict.ours?.summary == "Ours" && conflict.theirs?.summary == "Theirs")
    #expect(!"\(conflict) \(edit)".contains("Lunch"))
    #expect(edit.changes.first?.sendUpdates == .all)
    #expect(try await editor.send().count == 1)
    // The copy shows our version until the conflict is resolved.
    #expect(try await harness.store.events(matching: EventQuery(text: "ours"), for: "me").all().count == 1)
    try await editor.resolve(
      edit,
      by: .use(
        Event {
          $0.summary = "Both"; $0.start = conflict.base.start; $0.end = conflict.base.end
        }))
    #expect(try await editor.send().isEmpty)
    #expect(try await harness.client.events.get(id, in: calendar).summary == "Both")
  }

  @Test func answersOfTwoAttendeesAreMerged() async throws {
    var event = try SyncHarness.event("Dinner")
    event.attendees = ["a", "b", "c", "d"].map { EventAttendee(email: "\($0)@example.org") }
    let id = try await harness.insert(event)
    _ = try await harness.synchronizer().synchronize()
    func answer(_ answers: [String: EventAttendee.ResponseStatus], _ event: inout Event) {
      for index in event.attendees?.indices ?? 0..<0 {
        guard let status = answers[event.attendees?[index].email ?? ""] else { continue }
        event.attendees?[index].responseStatus = status
      }
    }
    let editor = editor { _ in .merge }
    try await editor.edit(id, in: calendar) { event in
      answer(["a@example.org": .accepted, "c@example.org": .accepted], &event)
      event.attendees?.removeAll { $0.email == "d@example.org" }
    }
    try await harness.client.events.modify(id, in: calendar) { event in
      answer(["b@example.org": .declined, "c@example.org": .tentative], &event)
    }
    #expect(try await editor.send().isEmpty)
    let found = try await harness.client.events.get(id, in: calendar).attendees ?? []
    #expect(found.map(\.email) == ["a@example.org", "b@example.org", "c@example.org"])
    #expect(found.map(\.responseStatus) == [.accepted, .declined, .tentative])
  }

  @Test func planIsKeptIfAnEarlierEditCannotBeSent() async throws {
    let id = try await harness.insert(try SyncHarness.event("Series", rule: "RRULE:FREQ=DAILY;COUNT=10"))
    _ = try await harness.synchronizer().synchronize()
    let offline = CalendarEditor(
      client: harness.client(over: CrashingTransport(harness.transport, crash: 1, isSent: false)), store: harness.store,
      account: "me")
    try await offline.insert(try SyncHarness.event("Lunch"), in: calendar)
    let series = try #require(try await harness.store.series(id, in: calendar, for: "me"))
    let instance = try await harness.client.events.instances(of: id, in: calendar).items[4]
    let plan = try series.planEdit(.thisAndFollowing, of: instance) { $0.summary = "Rest" }
    await #expect(throws: CrashingTransport.Crash.self) { try await offline.perform(plan) }
    #expect(try await harness.store.pendingEdits(for: "me").count == 2)
    #expect(try await editor.send().isEmpty)
    let titles = try await harness.client.events.all(in: calendar).all().compactMap(\.summary)
    #expect(Set(titles).isSuperset(of: ["Lunch", "Series", "Rest"]))
  }

  @Test func timesAreMergedTogether() async throws {
    let id = try await harness.insert(try SyncHarness.event("Trip", on: "2026-03-03"))
    _ = try await harness.synchronizer().synchronize()
    func day(_ number: Int) -> CivilDate { CivilDate(daysSince1970: 20_513 + number) }
    for (resolution, days) in [(ConflictResolution.merge, day(2)..<day(9)), (.ours, day(7)..<day(8))] {
      let editor = editor { _ in resolution }
      // Our start alone would be after their end, or the reverse.
      try await editor.edit(id, in: calendar) { $0.period = .allDay(day(7)..<day(8)) }
      try await harness.client.events.patch(
        Event.Patch { $0.end = .set(EventDateTime(date: day(9))) }, for: id, in: calendar)
      #expect(try await editor.send().isEmpty)
      #expect(try await harness.client.events.get(id, in: calendar).period == .allDay(days))
      try await harness.client.events.patch(
        Event.Patch { $0.setPeriod(.allDay(day(3)..<day(4))) }, for: id, in: calendar)
      _ = try await harness.synchronizer().synchronize()
    }
  }

  @Test func deletedEventIsCreatedAgainWithChosenValues() async throws {
    let id = try await harness.insert(try SyncHarness.event("Lunch"))
    _ = try await harness.synchronizer().synchronize()
    let chosen = try SyncHarness.event("Chosen", on: "2026-03-05")
    let editor = editor { conflict in
      conflict.theirs == nil ? .use(chosen) : .report
    }
    try await editor.edit(id, in: calendar) { $0.summary = "Ours" }
    try await harness.client.events.delete(id, in: calendar)
    #expect(try await editor.send().isEmpty)
    let event = try await harness.client.events.get(id, in: calendar)
    #expect(event.status == .confirmed && event.summary == "Chosen" && event.period == chosen.period)
  }

  @Test func splitIsNotResolvedForAnotherVersionOfTheSeries() async throws {
    let id = try await harness.insert(try SyncHarness.event("Series", rule: "RRULE:FREQ=DAILY;COUNT=10"))
    _ = try await harness.synchronizer().synchronize()
    let editor = editor { _ in .ours }
    let series = try #require(try await harness.store.series(id, in: calendar, for: "me"))
    let instance = try await harness.client.events.instances(of: id, in: calendar).items[4]
    try await editor.save(try series.planEdit(.thisAndFollowing, of: instance) { $0.summary = "Rest" })
    try await harness.client.events.patch(Event.Patch { $0.location = .set("Room 7") }, for: id, in: calendar)
    guard case .refused = try await editor.send().first?.state else {
      Issue.record("The edit is not refused.")
      return
    }
    let titles = try await harness.client.events.all(in: calendar).all().compactMap(\.summary)
    #expect(titles.contains("Series") && !titles.contains("Rest"))
  }

  @Test func refusedEditIsKeptWithItsReasonAndOthersAreMade() async throws {
    _ = try await harness.synchronizer().synchronize()
    let wrong = try await editor.insert(Event { $0.summary = "No time" }, in: calendar)
    let right = try await editor.insert(try SyncHarness.event("Lunch"), in: calendar)
    let remaining = try await editor.send()
    #expect(remaining.count == 1 && remaining.first?.changes.first?.eventID == wrong.id)
    guard case .refused(let reason) = remaining.first?.state else {
      Issue.record("The edit is not refused.")
      return
    }
    #expect(!reason.isEmpty)
    #expect(try await harness.client.events.get(try #require(right.id), in: calendar).summary == "Lunch")
    try await editor.discard(try #require(remaining.first))
    #expect(try await editor.send().isEmpty)
  }

  @Test func seriesIsEditedWithoutNetwork() async throws {
    _ = try await harness.synchronizer().synchronize()
    let series = try await editor.insert(
      try SyncHarness.event("Series", rule: "RRULE:FREQ=DAILY;COUNT=10"), in: calendar)
    let start = try CivilDate(rfc3339: "2026-03-01").startOfDayInUTC
    func instances() async throws -> [EventOccurrence] {
      try await harness.store.occurrences(
        in: [calendar], for: "me", from: start, to: start + .seconds(20 * 86_400), zone: .utc
      ).filter { ["Series", "Rest", "One"].contains($0.event.summary) }
    }
    // Each edit depends on the one before, of which the server does not know yet.
    try await editor.edit(.thisAndFollowing, of: try await instances()[4]) { $0.summary = "Rest" }
    try await editor.edit(.this, of: try await instances()[6]) { $0.summary = "One" }
    try await editor.delete(.this, of: try await instances()[1])
    try await editor.delete(.thisAndFollowing, of: try await instances()[7])
    let expected = ["Series", "Series", "Series", "Rest", "Rest", "One", "Rest"]
    #expect(try await instances().map { $0.event.summary } == expected)
    #expect(try await instances().allSatisfy(\.isPending))
    #expect(try await editor.send().isEmpty)
    _ = try await harness.synchronizer().synchronize()
    try await harness.expectCopy()
    #expect(try await instances().map { $0.event.summary } == expected)
    #expect(try await instances().allSatisfy { !$0.isPending })
    let id = try #require(series.id)
    #expect(try await harness.client.events.get(id, in: calendar).summary == "Series")
    // A deleted series is not visible, and its exceptions are not either.
    let rest = try #require(try await instances().last?.event.recurringEventID)
    try await editor.delete(rest, in: calendar)
    #expect(try await instances().map { $0.event.summary } == ["Series", "Series", "Series"])
  }
}
