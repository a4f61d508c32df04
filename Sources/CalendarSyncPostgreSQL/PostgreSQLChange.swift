// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import PlatformFoundation
import PostgreSQL

/// A transaction of a store, computed from the affected rows and written with a few statements.
struct PostgreSQLChange {
  private struct Row {
    let resource: SyncResource
    let json: [UInt8]
  }

  /// The maximum number of rows written by one statement.
  private static let batch = 250

  private let transaction: SyncTransaction
  private let database: PostgreSQLTransaction

  init(_ transaction: SyncTransaction, in database: PostgreSQLTransaction) {
    self.transaction = transaction
    self.database = database
  }

  /// Applies the steps.
  ///
  /// - Returns: The changes.
  func apply() async throws -> [SyncChange] {
    guard let state = transaction.state else { return try await removeCollection() }
    let collection = try await collectionToWrite(state)
    var rows = try await rows(of: collection)
    let before = rows
    var changes: [SyncChange] = []
    var seen: Set<String> = []
    for step in transaction.steps {
      switch step {
      case .put(let resource):
        guard let id = resource.id, !id.isEmpty else { throw CalendarStoreError.missingID(in: transaction.collection) }
        let old = rows.updateValue(Row(resource: resource, json: resource.json()), forKey: id)
        note(id, from: old?.resource, to: resource, &changes)
        seen.insert(id)
      case .remove(let id):
        for (key, row) in rows.sorted(by: { $0.key < $1.key }) where key == id || row.resource.seriesID == id {
          note(key, from: row.resource, to: nil, &changes)
          rows[key] = nil
        }
      }
    }
    try await remove(before.keys.filter { rows[$0] == nil }, from: collection)
    let (same, new) = seen.filter { rows[$0] != nil }.partitioned { before[$0]?.json == rows[$0]?.json }
    try await mark(same, of: collection, state)
    try await write(new.compactMap { id in rows[id].map { (id, $0) } }, to: collection, state)
    if transaction.removesUnseen { changes += try await removeUnseen(from: collection, state) }
    return changes
  }

  private func note(_ id: String, from old: SyncResource?, to new: SyncResource?, _ changes: inout [SyncChange]) {
    if let change = SyncChange(id, in: transaction.collection, from: old, to: new) { changes.append(change) }
  }
}

// Collections.
extension PostgreSQLChange {
  /// Stores the new state of the collection, and returns the collection's number.
  ///
  /// No other transaction changes the collection until this one ends.
  private func collectionToWrite(_ state: SyncState) async throws -> Int64 {
    let (account, kind) = (transaction.account.bytes, transaction.collection.kind)
    let calendar = transaction.collection.calendarBytes
    let encoded = Array(try JSONEncoder().encode(state))
    guard let expected = transaction.expected else {
      let rows = try await database.query(
        """
        INSERT INTO almanac_calendar_collections (account, kind, calendar, state)
        VALUES (\(account), \(kind), \(calendar), \(encoded)) ON CONFLICT DO NOTHING RETURNING number
        """)
      guard let number = try rows.first?.integer("number") else { throw CalendarStoreError.superseded }
      return number
    }
    let number = try await lockedCollection(expecting: expected)
    try await database.query("UPDATE almanac_calendar_collections SET state = \(encoded) WHERE number = \(number)")
    return number
  }

  private func lockedCollection(expecting expected: SyncState) async throws -> Int64 {
    let rows = try await database.query(
      """
      SELECT number, state FROM almanac_calendar_collections
      WHERE account = \(transaction.account.bytes) AND kind = \(transaction.collection.kind)
        AND calendar = \(transaction.collection.calendarBytes)
      FOR UPDATE
      """)
    guard let row = rows.first, try SyncState(stored: row.bytes("state")) == expected,
      let number = try row.integer("number")
    else { throw CalendarStoreError.superseded }
    return number
  }

  private func removeCollection() async throws -> [SyncChange] {
    guard let expected = transaction.expected else {
      let rows = try await database.query(
        """
        SELECT FROM almanac_calendar_collections
        WHERE account = \(transaction.account.bytes) AND kind = \(transaction.collection.kind)
          AND calendar = \(transaction.collection.calendarBytes)
        """)
      guard rows.isEmpty else { throw CalendarStoreError.superseded }
      return []
    }
    let number = try await lockedCollection(expecting: expected)
    let removed = try await database.query(
      "DELETE FROM almanac_calendar_resources WHERE collection = \(number) RETURNING id, json")
    try await database.query("DELETE FROM almanac_calendar_collections WHERE number = \(number)")
    return try changes(removing: removed)
  }
}

// Resources.
extension PostgreSQLChange {
  /// Returns the stored rows possibly affected by the steps.
  private func rows(of collection: Int64) async throws -> [String: Row] {
    let ids = transaction.steps.map { step -> [UInt8]? in
      switch step {
      case .put(let resource): resource.id?.bytes
      case .remove(let id): id.bytes
      }
    }
    let removed = transaction.steps.map { step -> [UInt8]? in if case .remove(let id) = step { id.bytes } else { nil } }
      .filter { $0 != nil }
    var rows: [String: Row] = [:]
    let found = try await database.query(
      """
      SELECT id, json FROM almanac_calendar_resources WHERE collection = \(collection) AND id = ANY (\(ids))
      UNION ALL
      SELECT id, json FROM almanac_calendar_resources WHERE collection = \(collection) AND series = ANY (\(removed))
      """)
    for row in found {
      let json = try row.bytes("json") ?? []
      let resource = try SyncResource(stored: json, in: transaction.collection)
      rows[String(decoding: try row.bytes("id") ?? [], as: UTF8.self)] = Row(resource: resource, json: json)
    }
    return rows
  }

  private func write(_ rows: [(id: String, row: Row)], to collection: Int64, _ state: SyncState) async throws {
    for start in stride(from: 0, to: rows.count, by: Self.batch) {
      let batch = rows[start..<min(start + Self.batch, rows.count)]
      let indexes = batch.map(\.row.resource.index)
      try await database.query(
        """
        INSERT INTO almanac_calendar_resources
          (collection, id, series, span_start, span_end, is_long, is_cancelled, updated, terms, full_pass, json)
        SELECT \(collection), id, series, span_start, span_end, is_long, is_cancelled, updated, terms::tsvector, \(state.fullPass), json
        FROM unnest(
          \(batch.map { $0.id.bytes as [UInt8]? }), \(batch.map { $0.row.resource.seriesID?.bytes }),
          \(indexes.map { $0?.start }), \(indexes.map { $0?.span?.end }), \(indexes.map { $0?.span?.isLong }),
          \(indexes.map { $0?.isCancelled }), \(indexes.map { $0?.updated }),
          \(indexes.map { $0.map { EventTerms.vector(of: $0, in: collection) } }), \(batch.map { $0.row.json as [UInt8]? })
        ) AS rows (id, series, span_start, span_end, is_long, is_cancelled, updated, terms, json)
        ON CONFLICT (collection, id) DO UPDATE SET
          series = EXCLUDED.series, span_start = EXCLUDED.span_start, span_end = EXCLUDED.span_end, is_long = EXCLUDED.is_long,
          is_cancelled = EXCLUDED.is_cancelled, updated = EXCLUDED.updated, terms = EXCLUDED.terms, full_pass = EXCLUDED.full_pass,
          json = EXCLUDED.json
        """)
    }
  }

  /// Notes that resources were seen in the current full pass.
  private func mark(_ ids: [String], of collection: Int64, _ state: SyncState) async throws {
    guard !ids.isEmpty else { return }
    try await database.query(
      """
      UPDATE almanac_calendar_resources SET full_pass = \(state.fullPass)
      WHERE collection = \(collection) AND id = ANY (\(ids.map { $0.bytes as [UInt8]? })) AND full_pass <> \(state.fullPass)
      """)
  }

  private func remove(_ ids: [String], from collection: Int64) async throws {
    guard !ids.isEmpty else { return }
    try await database.query(
      """
      DELETE FROM almanac_calendar_resources
      WHERE collection = \(collection) AND id = ANY (\(ids.map { $0.bytes as [UInt8]? }))
      """)
  }

  private func removeUnseen(from collection: Int64, _ state: SyncState) async throws -> [SyncChange] {
    try changes(
      removing: try await database.query(
        """
        DELETE FROM almanac_calendar_resources WHERE collection = \(collection) AND full_pass <> \(state.fullPass)
        RETURNING id, json
        """))
  }

  private func changes(removing rows: SQLResult) throws -> [SyncChange] {
    try rows.compactMap { row in
      let resource = try SyncResource(stored: row.bytes("json"), in: transaction.collection)
      let id = String(decoding: try row.bytes("id") ?? [], as: UTF8.self)
      return SyncChange(id, in: transaction.collection, from: resource, to: nil)
    }.sorted { $0.id < $1.id }
  }
}

extension Set {
  /// The elements that meet a condition, and the others.
  fileprivate func partitioned(by condition: (Element) -> Bool) -> ([Element], [Element]) {
    reduce(into: ([], [])) { parts, element in
      if condition(element) { parts.0.append(element) } else { parts.1.append(element) }
    }
  }
}
