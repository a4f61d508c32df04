// SPDX-License-Identifier: Apache-2.0

public import CalendarAPI

/// The progress of a synchronization, after each transaction.
public struct SyncProgress: Sendable, Hashable {
  /// The collection.
  public let collection: SyncCollection
  /// Whether the page belongs to a full pass, which reads the whole collection.
  public let isFull: Bool
  /// The number of pages of the collection that this synchronization has stored, or 0 if it was removed.
  public let pages: Int
  /// Whether the collection is up to date.
  public let isFinished: Bool
  /// The changes of the page.
  public let changes: [SyncChange]
}

/// The result of a synchronization.
public struct SyncSummary: Sendable {
  /// The number of new resources.
  public internal(set) var inserted = 0
  /// The number of changed resources.
  public internal(set) var updated = 0
  /// The number of removed resources.
  public internal(set) var removed = 0
  /// The number of stored pages.
  public internal(set) var pages = 0
  /// The collections read by a full pass, at least in part.
  public internal(set) var fullPasses: Set<SyncCollection> = []
  /// The errors of collections that could not be read, for example because the user lost access to a calendar.
  ///
  /// Their stored resources are kept. The other collections are up to date.
  public internal(set) var failures: [SyncCollection: CalendarError] = [:]

  mutating func add(_ progress: SyncProgress) {
    if progress.pages > 0 { pages += 1 }
    if progress.isFull { fullPasses.insert(progress.collection) }
    for change in progress.changes {
      switch change.kind {
      case .inserted: inserted += 1
      case .updated: updated += 1
      case .removed: removed += 1
      }
    }
  }
}
