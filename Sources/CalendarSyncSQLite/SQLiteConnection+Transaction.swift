// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import PlatformFoundation

extension SQLiteConnection {
  /// Returns the number and the state of a collection, or `nil` if it was never synchronized.
  func stored(
    _ collection: SyncCollection, for account: String
  ) throws(SQLiteFault) -> (number: Int64, state: SyncState)? {
    let rows = try query(
      "SELECT number, state FROM collection WHERE account = ? AND kind = ? AND calendar = ?", .bytes(account.bytes),
      .integer(collection.kind), .bytes(collection.calendarBytes))
    guard let row = rows.first else { return nil }
    guard let number = row[0].integer,
      let state = try? JSONDecoder().decode(SyncState.self, from: Data(row[1].bytes ?? []))
    else { throw .corrupt }
    return (number, state)
  }

  /// Applies a transaction, inside a transaction of the database.
  func apply(_ transaction: SyncTransaction) throws -> [SyncChange] {
    let stored = try stored(transaction.collection, for: transaction.account)
    guard stored?.state == transaction.expected else { throw CalendarStoreError.superseded }
    var changes: [SyncChange] = []
    guard let state = transaction.state else {
      guard let number = stored?.number else { return [] }
      try remove("WHERE collection = ?", .integer(number), in: transaction.collection, noting: &changes)
      try query("DELETE FROM collection WHERE number = ?", .integer(number))
      return changes
    }
    let number = try replace(state, transaction, stored?.number)
    for step in transaction.steps {
      switch step {
      case .put(let resource):
        try put(resource, to: number, state.fullPass, in: transaction.collection, noting: &changes)
      case .remove(let id):
        try remove(
          "WHERE collection = ? AND (id = ? OR series = ?)", .integer(number), .bytes(id.bytes), .bytes(id.bytes),
          in: transaction.collection, noting: &changes)
      }
    }
    if transaction.removesUnseen {
      try remove(
        "WHERE collection = ? AND full_pass <> ?", .integer(number), .integer(Int64(state.fullPass)),
        in: transaction.collection, noting: &changes)
    }
    return changes
  }

  private func replace(_ state: SyncState, _ transaction: SyncTransaction, _ number: Int64?) throws -> Int64 {
    let encoded = Value.bytes(Array(try JSONEncoder().encode(state)))
    if let number {
      try query("UPDATE collection SET state = ? WHERE number = ?", encoded, .integer(number))
      return number
    }
    try query(
      "INSERT INTO collection (account, kind, calendar, state) VALUES (?, ?, ?, ?)", .bytes(transaction.account.bytes),
      .integer(transaction.collection.kind), .bytes(transaction.collection.calendarBytes), encoded)
    guard let number = try query("SELECT last_insert_rowid()").first?[0].integer else { throw SQLiteFault.corrupt }
    return number
  }

  private func put(
    _ resource: SyncResource, to number: Int64, _ fullPass: Int, in collection: SyncCollection,
    noting changes: inout [SyncChange]
  ) throws {
    guard let id = resource.id, !id.isEmpty else { throw CalendarStoreError.missingID(in: collection) }
    let json = resource.json()
    let old = try query(
      "SELECT json FROM resource WHERE collection = ? AND id = ?", .integer(number), .bytes(id.bytes)
    ).first?[0].bytes
    if old == json {
      try query(
        "UPDATE resource SET full_pass = ? WHERE collection = ? AND id = ?", .integer(Int64(fullPass)),
        .integer(number),
        .bytes(id.bytes))
      return
    }
    let before = try old.map { old throws(SQLiteFault) in try SyncResource(stored: .bytes(old), in: collection) }
    let index = resource.index
    let stored = try query(
      """
      INSERT INTO resource (collection, id, series, span_start, span_end, is_long, is_cancelled, updated, full_pass, json)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (collection, id) DO UPDATE SET
        series = excluded.series, span_start = excluded.span_start, span_end = excluded.span_end, is_long = excluded.is_long,
        is_cancelled = excluded.is_cancelled, updated = excluded.updated, full_pass = excluded.full_pass, json = excluded.json
      RETURNING number
      """, .integer(number), .bytes(id.bytes), Value(resource.seriesID?.bytes), Value(index?.start),
      Value(index?.span?.end), Value(index?.span.map { $0.isLong ? 1 : 0 }),
      Value(index.map { $0.isCancelled ? 1 : 0 }), Value(index?.updated), .integer(Int64(fullPass)), .bytes(json))
    guard let row = stored.first?[0].integer else { throw SQLiteFault.corrupt }
    if let index { try replaceIndex(of: row, from: before?.index, to: index) }
    if let change = SyncChange(id, in: collection, from: before, to: resource) { changes.append(change) }
  }

  /// Stores the words and addresses of an event, if they have changed.
  private func replaceIndex(of row: Int64, from old: EventIndex?, to new: EventIndex) throws(SQLiteFault) {
    if old?.addresses != new.addresses {
      if old != nil { try query("DELETE FROM address WHERE event = ?", .integer(row)) }
      for address in new.addresses {
        try query("INSERT OR IGNORE INTO address (address, event) VALUES (?, ?)", .bytes(address.bytes), .integer(row))
      }
    }
    if old?.words != new.words {
      if old != nil { try query("DELETE FROM event_words WHERE rowid = ?", .integer(row)) }
      let words = new.words.joined(separator: " ")
      try query(
        "INSERT INTO event_words (rowid, words) VALUES (?, CAST(? AS TEXT))", .integer(row), .bytes(words.bytes))
    }
  }

  /// Removes the resources selected by a condition.
  private func remove(
    _ condition: String, _ parameters: Value..., in collection: SyncCollection, noting changes: inout [SyncChange]
  ) throws {
    for row in try query("SELECT id, json FROM resource \(condition) ORDER BY id", parameters) {
      let before = try SyncResource(stored: row[1], in: collection)
      let id = String(decoding: row[0].bytes ?? [], as: UTF8.self)
      if let change = SyncChange(id, in: collection, from: before, to: nil) { changes.append(change) }
    }
    if collection.isOfEvents {
      let rows = "(SELECT number FROM resource \(condition))"
      try query("DELETE FROM address WHERE event IN \(rows)", parameters)
      try query("DELETE FROM event_words WHERE rowid IN \(rows)", parameters)
    }
    try query("DELETE FROM resource \(condition)", parameters)
  }
}

extension SyncCollection {
  fileprivate var isOfEvents: Bool { if case .events = self { true } else { false } }
}
