// SPDX-License-Identifier: Apache-2.0

/// A store of synchronized calendars, for one account or many.
///
/// A ``CalendarSynchronizer`` writes it. Any number of other tasks and processes can read it meanwhile, and see every transaction as a
/// whole. A custom store must pass `CalendarStoreConformance` (module AlmanacTesting).
///
/// Accounts and identifiers are compared byte by byte. All methods throw ``CalendarStoreError``, or `CancellationError` before anything
/// was changed.
public protocol CalendarStore: Sendable {
  /// Returns the collections of an account with a state, in no particular order.
  func collections(for account: String) async throws -> [SyncCollection]

  /// Returns the state of a collection, or `nil` if it was never synchronized.
  func state(of collection: SyncCollection, for account: String) async throws -> SyncState?

  /// Applies a transaction, durably and as a whole.
  ///
  /// - Returns: The changes of resources, oldest first. A resource stored again with equal content has none.
  /// - Throws: ``CalendarStoreError`` with code ``CalendarStoreError/Code/superseded`` if the state is not the expected one.
  @discardableResult
  func apply(_ transaction: SyncTransaction) async throws -> [SyncChange]

  /// Returns a resource, or `nil` if there is none.
  func resource(_ id: String, in collection: SyncCollection, for account: String) async throws -> SyncResource?

  /// Returns resources, sorted by the bytes of their identifiers.
  ///
  /// - Parameters:
  ///   - collection: The collection.
  ///   - account: The account.
  ///   - id: The identifier after which to start, or `nil` for the first.
  ///   - limit: The maximum number of resources, at least 1.
  func resources(
    in collection: SyncCollection, for account: String, after id: String?, limit: Int
  ) async throws -> [SyncResource]

  /// Returns the events matching a query, sorted by ``EventCursor``.
  ///
  /// - Parameters:
  ///   - query: The conditions.
  ///   - account: The account.
  ///   - cursor: The position after which to start, or `nil` for the first event.
  ///   - limit: The maximum number of events, at least 1.
  func events(
    matching query: EventQuery, for account: String, after cursor: EventCursor?, limit: Int
  ) async throws -> [StoredEvent]
}

/// The stored resources of a collection, sorted by identifier, read in portions.
///
/// A change during the iteration affects only resources not yet read.
public struct StoredResources<Resource: Sendable>: AsyncSequence, Sendable {
  let store: any CalendarStore
  let collection: SyncCollection
  let account: String
  let read: @Sendable (SyncResource) -> Resource?

  /// Returns an iterator that starts at the first resource.
  public func makeAsyncIterator() -> Iterator {
    Iterator(
      read: read,
      portions: Portions { [store, collection, account] id, limit in
        try await store.resources(in: collection, for: account, after: id, limit: limit).map { ($0, $0.id ?? "") }
      })
  }

  /// An iterator over resources.
  public struct Iterator: AsyncIteratorProtocol {
    let read: @Sendable (SyncResource) -> Resource?
    var portions: Portions<SyncResource, String>

    /// Returns the next resource, or `nil` after the last one.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Resource? {
      while let next = try await portions.next(isolation: actor) {
        if let resource = read(next) { return resource }
      }
      return nil
    }
  }
}
