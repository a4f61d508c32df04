// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A store in memory, for tests and for programs that synchronize at every start.
///
/// Two stores have separate content. Share one object to share its content.
public final class InMemoryCalendarStore: CalendarStore {
  private struct Place: Hashable {
    // The bytes, because two strings that differ only in their Unicode spelling are two accounts.
    let account: [UInt8]
    let collection: SyncCollection

    init(_ collection: SyncCollection, for account: String) {
      self.account = Array(account.utf8)
      self.collection = collection
    }
  }

  private struct Row {
    var resource: SyncResource
    /// The full pass in which the row was last stored.
    var fullPass: Int
    let index: EventIndex?

    init(_ resource: SyncResource, fullPass: Int) {
      self.resource = resource
      self.fullPass = fullPass
      index = resource.index
    }
  }

  private struct Contents {
    var state: SyncState
    var rows: [String: Row] = [:]
    /// The identifiers in order, or `nil` after one was added or removed.
    private var order: [String]?

    init(state: SyncState) { self.state = state }

    mutating func apply(
      _ step: SyncTransaction.Step, in collection: SyncCollection, noting changes: inout [SyncChange]
    ) throws(CalendarStoreError) {
      switch step {
      case .put(let resource):
        guard let id = resource.id else { throw .missingID(in: collection) }
        let old = rows.updateValue(Row(resource, fullPass: state.fullPass), forKey: id)
        if old == nil { order = nil }
        if let change = SyncChange(id, in: collection, from: old?.resource, to: resource) { changes.append(change) }
      case .remove(let id):
        remove(rows.keys.filter { $0 == id || rows[$0]?.resource.seriesID == id }, in: collection, noting: &changes)
      }
    }

    mutating func removeUnseen(in collection: SyncCollection, noting changes: inout [SyncChange]) {
      let unseen = rows.keys.filter { rows[$0]?.fullPass != state.fullPass }
      remove(unseen, in: collection, noting: &changes)
    }

    private mutating func remove(
      _ ids: [String], in collection: SyncCollection, noting changes: inout [SyncChange]
    ) {
      for id in ids.sorted() {
        guard let old = rows.removeValue(forKey: id) else { continue }
        order = nil
        if let change = SyncChange(id, in: collection, from: old.resource, to: nil) { changes.append(change) }
      }
    }

    mutating func resources(after id: String?, limit: Int) -> [SyncResource] {
      let order = order ?? rows.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      self.order = order
      let start = id.map { id in order.partitioningIndex { id.utf8.lexicographicallyPrecedes($0.utf8) } } ?? 0
      return order[start...].prefix(max(limit, 0)).compactMap { rows[$0]?.resource }
    }

    func events(in calendarID: String, matching query: EventQuery, after cursor: EventCursor?) -> [StoredEvent] {
      rows.values.compactMap { row in
        guard case .event(let event) = row.resource, let index = row.index, query.matches(index) else { return nil }
        let found = StoredEvent(event, in: calendarID, start: index.start)
        if let cursor, found.cursor <= cursor { return nil }
        return found
      }
    }
  }

  private let contents = Mutex<[Place: Contents]>([:])

  /// Creates an empty store.
  public init() {}

  /// Returns the collections of an account, in no particular order.
  ///
  /// Never throws.
  @concurrent public func collections(for account: String) async throws -> [SyncCollection] {
    let account = Array(account.utf8)
    return contents.withLock { contents in
      contents.keys.filter { $0.account == account }.map(\.collection)
    }
  }

  /// Returns the state of a collection, or `nil` if it was never synchronized.
  ///
  /// Never throws.
  @concurrent public func state(of collection: SyncCollection, for account: String) async throws -> SyncState? {
    contents.withLock { $0[Place(collection, for: account)]?.state }
  }

  /// Applies a transaction.
  ///
  /// - Throws: ``CalendarStoreError`` with code ``CalendarStoreError/Code/superseded`` or
  ///   ``CalendarStoreError/Code/invalidResource``. Also `CancellationError`.
  @discardableResult
  @concurrent public func apply(_ transaction: SyncTransaction) async throws -> [SyncChange] {
    try Task.checkCancellation()
    let place = Place(transaction.collection, for: transaction.account)
    return try contents.withLock { contents in
      let old = contents[place]
      guard old?.state == transaction.expected else { throw CalendarStoreError.superseded }
      var changes: [SyncChange] = []
      guard let state = transaction.state else {
        contents[place] = nil
        return (old?.rows ?? [:]).compactMap {
          SyncChange($0.key, in: transaction.collection, from: $0.value.resource, to: nil)
        }
      }
      var new = old ?? Contents(state: state)
      new.state = state
      for step in transaction.steps { try new.apply(step, in: transaction.collection, noting: &changes) }
      if transaction.removesUnseen { new.removeUnseen(in: transaction.collection, noting: &changes) }
      contents[place] = new
      return changes
    }
  }

  /// Returns a resource, or `nil` if there is none.
  ///
  /// Never throws.
  @concurrent public func resource(
    _ id: String, in collection: SyncCollection, for account: String
  ) async throws -> SyncResource? {
    contents.withLock { $0[Place(collection, for: account)]?.rows[id]?.resource }
  }

  /// Returns resources, sorted by the bytes of their identifiers.
  ///
  /// Never throws.
  @concurrent public func resources(
    in collection: SyncCollection, for account: String, after id: String?, limit: Int
  ) async throws -> [SyncResource] {
    contents.withLock { contents in
      contents[Place(collection, for: account)]?.resources(after: id, limit: limit) ?? []
    }
  }
}

extension InMemoryCalendarStore {
  /// Returns the events matching a query, sorted by ``EventCursor``.
  ///
  /// Never throws. Each call examines every event of the calendars.
  @concurrent public func events(
    matching query: EventQuery, for account: String, after cursor: EventCursor?, limit: Int
  ) async throws -> [StoredEvent] {
    let account = Array(account.utf8)
    let calendars = query.calendarIDs.map { Set($0.map { Array($0.utf8) }) }
    return contents.withLock { contents in
      var found: [StoredEvent] = []
      for (place, contents) in contents where place.account == account {
        guard case .events(let id) = place.collection, calendars?.contains(Array(id.utf8)) != false else { continue }
        found += contents.events(in: id, matching: query, after: cursor)
      }
      found.sort { $0.cursor < $1.cursor }
      return Array(found.prefix(max(limit, 0)))
    }
  }
}

extension [String] {
  /// Returns the index of the first element for which `isAfter` is `true`, in an array where all such elements are at the end.
  fileprivate func partitioningIndex(where isAfter: (String) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
