// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import CalendarAPI
import CalendarSync
import Synchronization
import TestSupport
import Testing

/// The kit for calendar stores, run against stores with one defect each.
@Suite(.hangLimit) struct StoreDefectTests {
  @Test(arguments: DefectiveStore.Defect.allCases)
  func defectIsReported(_ defect: DefectiveStore.Defect) async throws {
    let kit = CalendarStoreConformance { DefectiveStore(defect) }
    for id in defect.checks {
      let check = try #require(CalendarStoreConformance.checks.first { $0.id == id })
      let failure = await #expect(throws: ConformanceFailure.self, "\(check)") { try await kit.run(check) }
      #expect(failure?.promise == check.promise)
    }
  }

  @Test(arguments: CalendarStoreConformance.checks)
  func storeInMemoryKeepsThePromise(_ check: CalendarStoreConformance.Check) async throws {
    try await CalendarStoreConformance { InMemoryCalendarStore() }.run(check)
  }

  @Test func everyCheckReportsADefect() {
    let reporting = Set(DefectiveStore.Defect.allCases.flatMap(\.checks))
    #expect(reporting == Set(CalendarStoreConformance.checks.map(\.id)))
  }
}

/// A store that is correct but for one defect.
final class DefectiveStore: StoreDecorator {
  enum Defect: CaseIterable {
    case beginsWithAState, losesTimes, losesFields
    case hidesChanges, reversesSteps, hasNoFence, storesInParts, checksThenStores
    case keepsInstances, keepsOrphans, keepsUnseen, keepsCollections
    case reversesResources, ignoresCase, cachesResources, dividesTransactions, storesAndThrows
    case ignoresSpans, ignoresText, ignoresAttendees, ignoresTimes, findsCancelled, findsAllCalendars, ignoresSeries
    case reversesEvents

    /// The checks that report it.
    var checks: [String] {
      switch self {
      case .beginsWithAState: ["state.none-at-first"]
      case .losesTimes: ["state.fields"]
      case .losesFields: ["resources.fields"]
      case .hidesChanges: ["transactions.changes"]
      case .reversesSteps: ["transactions.order"]
      case .hasNoFence: ["transactions.fence"]
      case .storesInParts: ["transactions.whole"]
      case .checksThenStores: ["access.one-winner"]
      case .keepsInstances: ["removals.series"]
      case .keepsOrphans: ["removals.orphans"]
      case .keepsUnseen: ["removals.unseen"]
      case .keepsCollections: ["removals.collection"]
      case .reversesResources: ["reading.order"]
      case .ignoresCase: ["reading.separation"]
      case .cachesResources: ["access.shared"]
      case .dividesTransactions: ["access.read-during-write"]
      case .storesAndThrows: ["access.cancellation"]
      case .ignoresSpans: ["reading.span", "queries.changes", "queries.all"]
      case .ignoresText: ["queries.text", "queries.all"]
      case .ignoresAttendees: ["queries.people", "queries.all"]
      case .ignoresTimes: ["queries.updated", "queries.all"]
      case .findsCancelled: ["queries.cancelled", "queries.all"]
      case .findsAllCalendars: ["queries.calendars"]
      case .ignoresSeries: ["queries.series", "queries.all"]
      case .reversesEvents: ["queries.order"]
      }
    }
  }

  let base: any CalendarStore = InMemoryCalendarStore()
  private let defect: Defect
  private let cache = Mutex<[String: SyncResource]>([:])

  init(_ defect: Defect) { self.defect = defect }

  func state(of collection: SyncCollection, for account: String) async throws -> SyncState? {
    var state = try await base.state(of: collection, for: self.account(account))
    if defect == .losesTimes { state?.completed = nil }
    return defect == .beginsWithAState ? state ?? SyncState(query: "") : state
  }

  func collections(for account: String) async throws -> [SyncCollection] {
    try await base.collections(for: self.account(account))
  }

  func resource(_ id: String, in collection: SyncCollection, for account: String) async throws -> SyncResource? {
    if defect == .cachesResources, let cached = cache.withLock({ $0[id] }) { return cached }
    let resource = try await base.resource(id, in: collection, for: self.account(account))
    cache.withLock { $0[id] = resource }
    return resource
  }

  func resources(
    in collection: SyncCollection, for account: String, after id: String?, limit: Int
  ) async throws -> [SyncResource] {
    let found = try await base.resources(in: collection, for: self.account(account), after: id, limit: limit)
    return defect == .reversesResources ? found.reversed() : found
  }

  private func account(_ name: String) -> String { defect == .ignoresCase ? name.lowercased() : name }
}

// Finding.
extension DefectiveStore {
  func events(
    matching query: EventQuery, for account: String, after cursor: EventCursor?, limit: Int
  ) async throws -> [StoredEvent] {
    var query = query
    switch defect {
    case .ignoresSpans: query.span = nil
    case .ignoresText: query.text = nil
    case .ignoresAttendees: query.attendee = nil
    case .ignoresTimes: query.updatedSince = nil
    case .findsCancelled: query.includesCancelled = true
    case .findsAllCalendars: query.calendarIDs = nil
    case .ignoresSeries: query.seriesID = nil
    default: break
    }
    let found = try await base.events(matching: query, for: self.account(account), after: cursor, limit: limit)
    return defect == .reversesEvents ? found.reversed() : found
  }
}

// Storing.
extension DefectiveStore {
  func apply(_ transaction: SyncTransaction) async throws -> [SyncChange] {
    var changed = transaction
    changed.account = account(transaction.account)
    try await change(&changed)
    if defect == .dividesTransactions, changed.steps.count > 1 {
      return try await applyDivided(changed)
    }
    if defect == .storesAndThrows {
      let changes = try await Task { [base, changed] in try await base.apply(changed) }.value
      try Task.checkCancellation()
      return changes
    }
    let changes = try await base.apply(changed)
    return defect == .hidesChanges ? [] : changes
  }

  private func change(_ transaction: inout SyncTransaction) async throws {
    let (collection, account) = (transaction.collection, transaction.account)
    switch defect {
    case .losesFields:
      transaction.steps = transaction.steps.map { step in
        guard case .put(.event(var event)) = step else { return step }
        event.additionalFields = [:]
        return .put(.event(event))
      }
    case .reversesSteps: transaction.steps.reverse()
    case .hasNoFence: transaction.expected = try await base.state(of: collection, for: account)
    case .storesInParts:
      var valid = transaction
      valid.steps = transaction.steps.filter { if case .put(let resource) = $0 { resource.id != nil } else { true } }
      guard valid.steps.count < transaction.steps.count else { return }
      try await base.apply(valid)
    case .checksThenStores:
      let state = try await base.state(of: collection, for: account)
      guard state == transaction.expected else { throw CalendarStoreError.superseded }
      for _ in 0..<20 { await Task.yield() }
      transaction.expected = try await base.state(of: collection, for: account)
    case .keepsInstances, .keepsOrphans:
      let stored = try await base.resources(in: collection, for: account, after: nil, limit: .max)
      transaction.steps = transaction.steps.flatMap { step in
        guard case .remove(let id) = step else { return [step] }
        if defect == .keepsOrphans { return stored.contains { $0.id == id } ? [step] : [] }
        return [step] + stored.filter { $0.seriesID == id }.map { .put($0) }
      }
    case .keepsUnseen: transaction.removesUnseen = false
    case .keepsCollections:
      transaction.state = transaction.state ?? SyncState(query: "")
    default: break
    }
  }

  /// Applies each step in a transaction of its own.
  private func applyDivided(_ transaction: SyncTransaction) async throws -> [SyncChange] {
    var (changes, part): ([SyncChange], SyncTransaction) = ([], transaction)
    for step in transaction.steps {
      part.steps = [step]
      changes += try await base.apply(part)
      part.expected = part.state
      await Task.yield()
    }
    return changes
  }
}
