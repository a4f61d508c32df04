// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import Synchronization
import Timekeeping

/// A synchronization of all collections of an account.
struct SyncRun: Sendable {
  let client: CalendarClient
  let store: any CalendarStore
  let account: String
  let options: CalendarSynchronizer.Options
  let clock: any WallClock

  func synchronize(reporting report: @escaping @Sendable (SyncProgress) -> Void) async throws -> SyncSummary {
    let summary = SharedSummary()
    let note: @Sendable (SyncProgress) -> Void = { progress in
      summary.value.withLock { $0.add(progress) }
      report(progress)
    }
    try await CollectionSync.calendarList(self).synchronize(reporting: note)
    if options.includesSettings { try await CollectionSync.settings(self).synchronize(reporting: note) }
    let collections = try await self.collections
    for collection in try await store.collections(for: account)
    where collection.calendarID != nil && !collections.contains(collection) {
      let changes = try await store.remove(collection, for: account)
      note(SyncProgress(collection: collection, isFull: false, pages: 0, isFinished: true, changes: changes))
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      var waiting = collections[...]
      func start() {
        guard let next = waiting.popFirst() else { return }
        group.addTask {
          do {
            try await synchronize(next, reporting: note)
          } catch let error as CalendarError where error.concernsOneCalendar {
            summary.value.withLock { $0.failures[next] = error }
          }
        }
      }
      for _ in 0..<max(1, options.maximumConcurrency) { start() }
      while try await group.next() != nil { start() }
    }
    return summary.value.withLock(\.self)
  }

  /// The collections of the calendars to store, in the order of the calendars' identifiers.
  private var collections: [SyncCollection] {
    get async throws {
      var collections: [SyncCollection] = []
      for try await entry in store.calendars(for: account) {
        guard let id = entry.id, options.includesCalendar(entry) else { continue }
        collections.append(.events(calendarID: id))
        // Only owners may list the rules.
        if options.includesAccessRules, entry.accessRole == .owner { collections.append(.accessRules(calendarID: id)) }
      }
      return collections
    }
  }

  private func synchronize(
    _ collection: SyncCollection, reporting report: @escaping @Sendable (SyncProgress) -> Void
  ) async throws {
    switch collection {
    case .calendarList: try await CollectionSync.calendarList(self).synchronize(reporting: report)
    case .settings: try await CollectionSync.settings(self).synchronize(reporting: report)
    case .events(let id): try await CollectionSync.events(self, in: id).synchronize(reporting: report)
    case .accessRules(let id): try await CollectionSync.accessRules(self, of: id).synchronize(reporting: report)
    case .edits: break
    }
  }
}

/// A summary shared by the tasks of a run.
private final class SharedSummary: Sendable {
  let value = Mutex(SyncSummary())
}

extension CalendarError {
  /// Whether other calendars can still be read.
  fileprivate var concernsOneCalendar: Bool { remedy == .obtainAccess || code == .notFound }
}
