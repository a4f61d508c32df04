// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import CalendarAPI
import CalendarSync
import Synchronization
import TestSupport
import Testing
import Timekeeping

/// A synchronizer against the emulator, which was written from Google's documents and not from the synchronizer.
struct SynchronizerTests {
  private let harness: SyncHarness
  private let sandbox: Sandbox
  private let client: CalendarClient

  init() async throws {
    harness = try await SyncHarness()
    (sandbox, client) = (harness.sandbox, harness.client)
  }

  // MARK: Complete copies

  @Test func nextSynchronizationReadsOnlyTheChanges() async throws {
    let primary = try await harness.primary
    let kept = try await harness.insert(try SyncHarness.event("Kept"))
    let gone = try await harness.insert(try SyncHarness.event("Gone"))
    let synchronizer = harness.synchronizer()
    let first = try await synchronizer.synchronize()
    #expect(first.inserted > 20 && first.updated == 0 && first.removed == 0 && first.failures.isEmpty)
    #expect(first.fullPasses.isSuperset(of: [.calendarList, .settings]))
    let changes = synchronizer.changes

    try await harness.insert(try SyncHarness.event("New"))
    try await client.events.patch(Event.Patch { $0.summary = .set("Changed") }, for: kept, in: "primary")
    try await client.events.delete(gone, in: "primary")
    let summary = try await synchronizer.synchronize()
    try await harness.expectCopy()
    #expect(try await harness.store.state(of: .settings, for: "me")?.completed == harness.clock.now)
    #expect(summary.inserted == 1 && summary.updated == 1 && summary.removed == 1 && summary.fullPasses.isEmpty)

    var seen: [SyncChange.Kind: SyncChange] = [:]
    for await change in changes.prefix(3) { seen[change.kind] = change }
    #expect(seen.values.allSatisfy { $0.collection == .events(calendarID: primary) })
    guard case .event(let before) = seen[.updated]?.before, case .event(let after) = seen[.updated]?.after,
      case .event(let removed) = seen[.removed]?.before
    else {
      Issue.record("A change has no event.")
      return
    }
    #expect(before.summary == "Kept" && after.summary == "Changed" && removed.summary == "Gone")
    #expect(seen[.inserted]?.before == nil && seen[.removed]?.after == nil)
  }

  /// A store can contain any number.
  @Test func passAfterTheHighestNumberHasAnotherNumber() async throws {
    try await harness.store.apply(
      SyncTransaction(
        account: "me", collection: .settings, expected: nil, state: SyncState(query: "other", fullPass: .max)))
    _ = try await harness.synchronizer().synchronize()
    try await harness.expectCopy()
    #expect(try await harness.store.state(of: .settings, for: "me")?.fullPass != .max)
  }

  @Test func synchronizationWithoutChangesStoresNone() async throws {
    let synchronizer = harness.synchronizer()
    _ = try await synchronizer.synchronize()
    harness.clock.advance(by: .seconds(60))
    let summary = try await synchronizer.synchronize()
    #expect(summary.inserted + summary.updated + summary.removed == 0)
    #expect(try await harness.store.state(of: .settings, for: "me")?.completed == harness.clock.now)
  }

  @Test func progressOfEveryPageIsReported() async throws {
    let reports = Collected<SyncProgress>()
    let primary = try await harness.primary
    for number in 1...5 { try await harness.insert(try SyncHarness.event("\(number)")) }
    let summary = try await harness.synchronizer { $0.pageSize = 2 }.synchronize { reports.append($0) }
    let events = reports.all.filter { $0.collection == .events(calendarID: primary) }
    #expect(events.map(\.pages) == Array(1...events.count) && events.count >= 4)
    #expect(events.map(\.isFinished) == Array(repeating: false, count: events.count - 1) + [true])
    #expect(events.last?.isFull == false && events.dropLast().allSatisfy(\.isFull))
    #expect(reports.all.map(\.changes.count).reduce(0, +) == summary.inserted)
    #expect(summary.pages == reports.all.count)
  }

  // MARK: Removals

  @Test func calendarThatIsNoLongerIncludedIsRemoved() async throws {
    let primary = try await harness.primary
    _ = try await harness.synchronizer().synchronize()
    _ = try await harness.synchronizer {
      $0.includesCalendar = { $0.primary == true }
      $0.includesAccessRules = false
    }.synchronize()
    let collections = try await harness.store.collections(for: "me")
    #expect(Set(collections) == [.calendarList, .settings, .events(calendarID: primary)])
    #expect(try await harness.store.calendars(for: "me").all().count > 1)
    try await harness.store.removeAll(for: "me")
    #expect(try await harness.store.collections(for: "me").isEmpty)
  }

  // MARK: Errors

  @Test func errorOfOneCalendarLeavesTheOthersUpToDate() async throws {
    let primary = try await harness.primary
    try sandbox.failCalls(Sandbox.CallFault(status: 403, reason: "forbidden", method: "events.list"))
    let synchronizer = harness.synchronizer { $0.maximumConcurrency = 1 }
    let summary = try await synchronizer.synchronize()
    #expect(summary.failures.count == 1 && summary.failures.values.allSatisfy { $0.code == .forbidden })
    let failed = try #require(summary.failures.keys.first)
    #expect(try await harness.store.state(of: failed, for: "me") == nil)
    #expect(try await harness.store.state(of: .accessRules(calendarID: primary), for: "me") != nil)
    #expect(try await synchronizer.synchronize().failures.isEmpty)
    try await harness.expectCopy()
  }

  @Test func errorOfTheAccountEndsTheSynchronization() async throws {
    try sandbox.failCalls(
      Sandbox.CallFault(status: 403, reason: "dailyLimitExceeded", method: "events.list", count: 99))
    let error = try await #require(throws: CalendarError.self) { try await harness.synchronizer().synchronize() }
    #expect(error.code == .dailyLimitExceeded)
    sandbox.stopFailing()
    _ = try await harness.synchronizer().synchronize()
    try await harness.expectCopy()
  }

  @Test func descriptionsShowNeitherContentNorTokens() async throws {
    let primary = try await harness.primary
    try await harness.insert(try SyncHarness.event("Private"))
    let reports = Collected<SyncProgress>()
    _ = try await harness.synchronizer().synchronize { reports.append($0) }
    let collection = SyncCollection.events(calendarID: primary)
    let state = try #require(try await harness.store.state(of: collection, for: "me"))
    let token = try #require(state.syncToken)
    var text = "\(state) \(String(reflecting: state)) \(reports.all) \(collection) \(String(reflecting: collection))"
    dump(state, to: &text)
    dump(reports.all, to: &text)
    dump(harness.store, to: &text)
    #expect(!text.contains(token) && !text.contains(primary) && !text.contains("Private"))
  }

  @Test func concurrentCallsShareOneSynchronization() async throws {
    let synchronizer = harness.synchronizer()
    let reports = Collected<SyncProgress>()
    try await withThrowingTaskGroup { group in
      for _ in 1...8 { group.addTask { try await synchronizer.synchronize { reports.append($0) } } }
      try await group.waitForAll()
    }
    try await harness.expectCopy()
    let first = reports.all.filter { $0.collection == .settings && $0.isFull }
    #expect(first.count == 1)
  }
}

/// Values that are collected from any task.
final class Collected<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])

  var all: [Value] { values.withLock(\.self) }

  func append(_ value: Value) { values.withLock { $0.append(value) } }
}
