// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import CalendarAPI
import CalendarSync
import Foundation
import TestSupport
import Testing
import Timekeeping

/// A synchronization that is interrupted, or whose tokens are rejected.
struct InterruptionTests {
  private let harness: SyncHarness
  private let sandbox: Sandbox
  private let client: CalendarClient

  init() async throws {
    harness = try await SyncHarness()
    (sandbox, client) = (harness.sandbox, harness.client)
  }

  /// The state of a collection with other values.
  private func replaceState(
    of collection: SyncCollection, in store: any CalendarStore, _ change: (inout SyncState) -> Void
  ) async throws {
    let old = try #require(try await store.state(of: collection, for: "me"))
    var new = old
    change(&new)
    try await store.apply(SyncTransaction(account: "me", collection: collection, expected: old, state: new))
  }

  /// With `ALMANAC_SYNC_SEEDS`, each transaction fails in both ways; otherwise, they take turns.
  @Test(arguments: [false, true]) func passContinuesAfterEveryTransaction(isStored: Bool) async throws {
    for number in 1...7 { try await harness.insert(try SyncHarness.event("\(number)")) }
    let options: (inout CalendarSynchronizer.Options) -> Void = {
      $0.pageSize = 30
      $0.maximumConcurrency = 1
    }
    let whole = FailingStore(InMemoryCalendarStore(), crash: .max, isStored: true)
    let pages = try await harness.synchronizer(whole, options).synchronize().pages
    let isLong = ProcessInfo.processInfo.environment["ALMANAC_SYNC_SEEDS"] != nil
    for crash in 1...whole.count where isLong || crash.isMultiple(of: 2) == isStored {
      let store = InMemoryCalendarStore()
      let failing = FailingStore(store, crash: crash, isStored: isStored)
      await #expect(throws: FailingStore.Crash.self) {
        _ = try await harness.synchronizer(failing, options).synchronize()
      }
      let rest = try await harness.synchronizer(store, options).synchronize()
      try await harness.expectCopy(in: store, "crash at \(crash)")
      // Finished collections are only asked for changes, and no page is read twice.
      let finished = try await store.collections(for: "me").count
      #expect(rest.pages <= pages - crash + finished + 1, "crash at \(crash)")
    }
  }

  @Test(arguments: [true, false]) func rejectedSyncTokenLeadsToOneFullPassThatFindsDeletions(isExpired: Bool)
    async throws
  {
    let collection = SyncCollection.events(calendarID: try await harness.primary)
    let gone = try await harness.insert(try SyncHarness.event("Gone"))
    let synchronizer = harness.synchronizer()
    _ = try await synchronizer.synchronize()
    try await client.events.delete(gone, in: "primary")
    if isExpired {
      sandbox.expireSyncTokens()
    } else {
      try await replaceState(of: collection, in: harness.store) { $0.syncToken = "damaged" }
    }
    let summary = try await synchronizer.synchronize()
    let all = try await harness.store.collections(for: "me")
    #expect(summary.fullPasses == (isExpired ? Set(all) : [collection]))
    #expect(summary.removed == 1 && summary.inserted == 0)
    try await harness.expectCopy()
  }

  @Test func serverThatAlwaysRejectsTokensIsNotAskedForEver() async throws {
    let synchronizer = harness.synchronizer()
    _ = try await synchronizer.synchronize()
    try sandbox.failCalls(
      Sandbox.CallFault(status: 410, reason: "fullSyncRequired", method: "settings.list", count: 99))
    let before = sandbox.requestCount(.settings)
    let error = try await #require(throws: CalendarError.self) { try await synchronizer.synchronize() }
    #expect(error.code == .fullSyncRequired)
    #expect(sandbox.requestCount(.settings) - before == 2)
  }

  @Test(arguments: [true, false]) func stalePageTokenRestartsThePass(isFull: Bool) async throws {
    let collection = SyncCollection.events(calendarID: try await harness.primary)
    let synchronizer = harness.synchronizer()
    let gone = try await harness.insert(try SyncHarness.event("Gone"))
    _ = try await synchronizer.synchronize()
    try await client.events.delete(gone, in: "primary")
    try await replaceState(of: collection, in: harness.store) {
      if isFull { $0.syncToken = nil }
      $0.pageToken = "stale"
    }
    let summary = try await synchronizer.synchronize()
    #expect(summary.fullPasses == (isFull ? [collection] : []) && summary.removed == 1)
    try await harness.expectCopy()
  }

  @Test func otherParametersStartAFullPass() async throws {
    let primary = try await harness.primary
    _ = try await harness.synchronizer().synchronize()
    let options: (inout CalendarSynchronizer.Options) -> Void = { $0.eventTypes = [.birthday] }
    let summary = try await harness.synchronizer(nil, options).synchronize()
    #expect(summary.fullPasses.contains(.events(calendarID: primary)) && !summary.fullPasses.contains(.settings))
    let types = try await harness.store.events(in: primary, for: "me").all().map(\.eventType)
    #expect(types.allSatisfy { $0 == .birthday })
    #expect(try await harness.synchronizer(nil, options).synchronize().fullPasses.isEmpty)
  }

  @Test func cancelledSynchronizationEndsAndContinuesLater() async throws {
    for number in 1...9 { try await harness.insert(try SyncHarness.event("\(number)")) }
    let options: (inout CalendarSynchronizer.Options) -> Void = { $0.pageSize = 2 }
    for page in 1...6 {
      let store = InMemoryCalendarStore()
      let synchronizer = harness.synchronizer(store, options)
      let (pages, stored) = AsyncStream<Int>.makeStream()
      let task = Task { try await synchronizer.synchronize { stored.yield($0.pages) } }
      for await _ in pages.prefix(page) {}
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      _ = try await harness.synchronizer(store, options).synchronize()
      try await harness.expectCopy(in: store, "cancelled after \(page)")
    }
  }
}
