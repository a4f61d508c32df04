// SPDX-License-Identifier: Apache-2.0

import CalendarSync

extension SQLiteConnection {
  /// A row, decoded only if it belongs to the results.
  private struct Row {
    let cursor: EventCursor
    let json: Value
  }

  /// Returns the events matching a query, sorted by `EventCursor`.
  func events(
    matching query: EventQuery, for account: String, after cursor: EventCursor?, limit: Int
  ) throws(SQLiteFault) -> [StoredEvent] {
    let collections = try collections(of: query.calendarIDs, for: account)
    let calendars = Dictionary(uniqueKeysWithValues: collections.map { ($0.number, $0.calendarID) })
    var rows: [Row] = []
    let statements = EventSearch(query, after: cursor, limit: limit).statements(for: collections)
    for statement in statements {
      for row in try self.query(statement.text, statement.parameters) {
        guard let number = row[0].integer, let calendarID = calendars[number], let start = row[1].integer else {
          throw .corrupt
        }
        let id = String(decoding: row[2].bytes ?? [], as: UTF8.self)
        rows.append(Row(cursor: EventCursor(start: start, calendarID: calendarID, id: id), json: row[3]))
      }
    }
    var order = Array(rows.indices)
    if statements.count > 1 { order.sort { rows[$0].cursor < rows[$1].cursor } }
    return try order.prefix(limit).map { index throws(SQLiteFault) in
      let calendarID = rows[index].cursor.calendarID
      guard case .event(let event) = try SyncResource(stored: rows[index].json, in: .events(calendarID: calendarID))
      else { throw .corrupt }
      return StoredEvent(event, in: calendarID, start: rows[index].cursor.start)
    }
  }

  private func collections(of calendarIDs: [String]?, for account: String) throws(SQLiteFault) -> [EventSearch
    .Collection]
  {
    let wanted = calendarIDs.map { Set($0.map(\.bytes)) }
    let rows = try query(
      "SELECT number, calendar FROM collection WHERE account = ? AND kind = ?", .bytes(account.bytes),
      .integer(SyncCollection.events(calendarID: "").kind))
    return rows.compactMap { row in
      guard let number = row[0].integer, let calendar = row[1].bytes, wanted?.contains(calendar) != false else {
        return nil
      }
      return EventSearch.Collection(number: number, calendarID: String(decoding: calendar, as: UTF8.self))
    }
  }
}
