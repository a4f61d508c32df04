// SPDX-License-Identifier: Apache-2.0

import CalendarSync

/// The statements for finding events.
///
/// A text or an address selects few events of all calendars. Otherwise, each calendar has its own statement, whose index has the order of
/// the results. The text of a statement depends on the kinds of conditions, and not on their values.
struct EventSearch {
  struct Statement {
    var text: String
    var parameters: [SQLiteConnection.Value] = []

    fileprivate mutating func add(_ condition: String, _ values: Int64?...) {
      text += " AND \(condition)"
      parameters += values.compactMap(\.self).map { .integer($0) }
    }
  }

  /// A calendar's events in the database.
  struct Collection {
    let number: Int64
    let calendarID: String
  }

  private let query: EventQuery
  private let cursor: EventCursor?
  private let limit: Int

  init(_ query: EventQuery, after cursor: EventCursor?, limit: Int) {
    self.query = query
    self.cursor = cursor
    self.limit = limit
  }

  /// Returns the statements, each of which has its rows in order: number of the collection, start, identifier and JSON.
  func statements(for collections: [Collection]) -> [Statement] {
    guard var statement = selectiveSource else {
      return collections.flatMap { collection in
        sources.map { completed($0, after: cursor, in: collection) }
      }
    }
    let marks = [String](repeating: "?", count: collections.count).joined(separator: ", ")
    statement.text += " AND collection IN (\(marks))"
    statement.parameters += collections.map { .integer($0.number) }
    if let address = query.address, !query.terms.isEmpty {
      statement.text += " AND resource.number IN (SELECT event FROM address WHERE address = ?)"
      statement.parameters.append(.bytes(address.bytes))
    }
    if let span = query.span { statement.add("span_start < ? AND span_end > ?", span.end, span.start) }
    if let cursor {
      statement.add("(span_start, calendar, id) > (?, ?, ?)", cursor.start)
      statement.parameters += [.bytes(cursor.calendarID.bytes), .bytes(cursor.id.bytes)]
    }
    return [completed(statement, order: "span_start, calendar, id")]
  }

  /// The rows of a text or of an address, or `nil` if the query has neither.
  private var selectiveSource: Statement? {
    let join = "CROSS JOIN collection ON collection.number = resource.collection"
    if !query.terms.isEmpty {
      let text = query.terms.map { "\"\($0.joined(separator: " "))\" *" }.joined(separator: " AND ")
      return Statement(
        text:
          "event_words CROSS JOIN resource ON resource.number = event_words.rowid \(join) WHERE event_words MATCH CAST(? AS TEXT)",
        parameters: [.bytes(text.bytes)])
    }
    return query.address.map {
      Statement(
        text: "address CROSS JOIN resource ON resource.number = address.event \(join) WHERE address = ?",
        parameters: [.bytes($0.bytes)])
    }
  }

  /// The rows of a calendar if the query has neither a text nor an address.
  private var sources: [Statement] {
    guard query.seriesID == nil else {
      // By itself, SQLite can prefer the index that has the order of the results.
      return [Statement(text: "resource INDEXED BY resource_series WHERE collection = ?")]
    }
    return query.span.map { [shortEvents(in: $0), longEvents(in: $0)] } ?? [
      Statement(text: "resource WHERE collection = ?")
    ]
  }

  private func shortEvents(in span: EventSpan) -> Statement {
    var statement = Statement(text: "resource WHERE collection = ?")
    statement.add(
      "is_long = 0 AND span_start > ? AND span_start < ? AND span_end > ?", span.earliestShortStart, span.end,
      span.start)
    return statement
  }

  private func longEvents(in span: EventSpan) -> Statement {
    // By itself, SQLite prefers the index that has the order of the results, and reads every earlier event.
    var statement = Statement(text: "resource INDEXED BY resource_long WHERE collection = ?")
    statement.add("is_long = 1 AND span_end > ? AND span_start < ?", span.start, span.end)
    return statement
  }

  /// Adds the collection and the position of its events.
  private func completed(_ source: Statement, after cursor: EventCursor?, in collection: Collection) -> Statement {
    var statement = source
    statement.parameters.insert(.integer(collection.number), at: 0)
    if let cursor {
      if collection.calendarID == cursor.calendarID {
        statement.add("(span_start, id) > (?, ?)", cursor.start)
        statement.parameters.append(.bytes(cursor.id.bytes))
      } else {
        let isLater = cursor.calendarID.utf8.lexicographicallyPrecedes(collection.calendarID.utf8)
        statement.add("span_start \(isLater ? ">=" : ">") ?", cursor.start)
      }
    }
    return completed(statement, order: "span_start, id")
  }

  /// Adds the parts shared by all statements.
  private func completed(_ source: Statement, order: String) -> Statement {
    var statement = source
    statement.text = "SELECT collection, span_start, id, json FROM " + source.text
    statement.add("span_start IS NOT NULL")
    if let id = query.seriesID {
      statement.add("series = ?")
      statement.parameters.append(.bytes(id.bytes))
      if let span = query.span, query.terms.isEmpty, query.address == nil {
        statement.add("span_start < ? AND span_end > ?", span.end, span.start)
      }
    }
    if !query.includesCancelled { statement.add("is_cancelled = 0") }
    if let updated = query.updatedMilliseconds { statement.add("updated >= ?", updated) }
    statement.text += " ORDER BY \(order) LIMIT ?"
    statement.parameters.append(.integer(Int64(limit)))
    return statement
  }
}
