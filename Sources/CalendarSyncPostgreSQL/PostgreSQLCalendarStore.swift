// SPDX-License-Identifier: Apache-2.0

public import CalendarSync
public import PostgreSQL

/// A calendar store in a PostgreSQL database, for services with many users.
///
/// ```swift
/// let store = PostgreSQLCalendarStore(PostgreSQLClient(try .environment()))
/// try await store.migrateSchema()                            // once, as the tables' owner
/// let synchronizer = CalendarSynchronizer(client: client, store: store, account: user)
/// ```
///
/// - **The accounts share the tables.** Each index includes the calendar, so a query reads no other account's rows.
/// - **Every transaction is a database transaction**, as durable as the database's settings make it. Reads see all of it or nothing.
/// - **Any number of machines** can synchronize and read. Machines that synchronize the same calendar take turns at
///   each page.
///
/// The content is not encrypted.
public final class PostgreSQLCalendarStore: CalendarStore {
  /// The database.
  public let database: PostgreSQLClient

  /// Creates a store.
  ///
  /// The client connects at the first use of the store.
  public init(_ database: PostgreSQLClient) { self.database = database }

  /// Returns the collections of an account, in no particular order.
  ///
  /// - Throws: `CalendarStoreError`, or `CancellationError`.
  public func collections(for account: String) async throws -> [SyncCollection] {
    try await reporting {
      try await database.query(
        "SELECT kind, calendar FROM almanac_calendar_collections WHERE account = \(account.bytes)"
      ).compactMap { row in
        SyncCollection(
          kind: try row.integer("kind") ?? -1,
          calendarID: String(decoding: try row.bytes("calendar") ?? [], as: UTF8.self))
      }
    }
  }

  /// Returns the state of a collection, or `nil` if it was never synchronized.
  ///
  /// - Throws: `CalendarStoreError`, or `CancellationError`.
  public func state(of collection: SyncCollection, for account: String) async throws -> SyncState? {
    try await reporting {
      try await database.query(
        """
        SELECT state FROM almanac_calendar_collections
        WHERE account = \(account.bytes) AND kind = \(collection.kind) AND calendar = \(collection.calendarBytes)
        """
      ).first.map { try SyncState(stored: $0.bytes("state")) }
    }
  }

  /// Returns a resource, or `nil` if there is none.
  ///
  /// - Throws: `CalendarStoreError`, or `CancellationError`.
  public func resource(
    _ id: String, in collection: SyncCollection, for account: String
  ) async throws -> SyncResource? {
    try await reporting {
      try await database.query(
        """
        SELECT json FROM almanac_calendar_collections JOIN almanac_calendar_resources ON collection = number
        WHERE account = \(account.bytes) AND kind = \(collection.kind) AND calendar = \(collection.calendarBytes)
          AND id = \(id.bytes)
        """
      ).first.map { try SyncResource(stored: $0.bytes("json"), in: collection) }
    }
  }

  /// Returns resources, sorted by the bytes of their identifiers.
  ///
  /// - Throws: `CalendarStoreError`, or `CancellationError`.
  public func resources(
    in collection: SyncCollection, for account: String, after id: String?, limit: Int
  ) async throws -> [SyncResource] {
    try await reporting {
      // The empty string sorts before every identifier.
      try await database.query(
        """
        SELECT json FROM almanac_calendar_collections JOIN almanac_calendar_resources ON collection = number
        WHERE account = \(account.bytes) AND kind = \(collection.kind) AND calendar = \(collection.calendarBytes)
          AND id > \(id?.bytes ?? [])
        ORDER BY id LIMIT \(max(limit, 0))
        """
      ).map { try SyncResource(stored: $0.bytes("json"), in: collection) }
    }
  }

  /// Returns the events matching a query, sorted by `EventCursor`.
  ///
  /// - Throws: `CalendarStoreError`, or `CancellationError`.
  public func events(
    matching query: EventQuery, for account: String, after cursor: EventCursor?, limit: Int
  ) async throws -> [StoredEvent] {
    try await reporting {
      let search = EventSearch(query, for: account, after: cursor, limit: max(limit, 0))
      return try await database.query(search.statement).map { row in
        let id = String(decoding: try row.bytes("calendar") ?? [], as: UTF8.self)
        let resource = try SyncResource(stored: row.bytes("json"), in: .events(calendarID: id))
        guard case .event(let event) = resource, let start = try row.integer("span_start") else {
          throw CalendarStoreError.damaged
        }
        return StoredEvent(event, in: id, start: start)
      }
    }
  }

  /// Applies a transaction as a database transaction.
  ///
  /// If the connection is lost or the task is cancelled during the commit, it is not known whether the transaction was applied. Read the
  /// state to find out.
  ///
  /// - Throws: `CalendarStoreError`, with code `superseded` if the state is not the expected one. Also
  ///   `CancellationError`.
  @discardableResult
  public func apply(_ transaction: SyncTransaction) async throws -> [SyncChange] {
    try await reporting {
      try await database.withTransaction { database in
        try await PostgreSQLChange(transaction, in: database).apply()
      }
    }
  }

  @concurrent private func reporting<Output>(_ body: () async throws -> Output) async throws -> Output {
    do { return try await body() } catch let error as PostgreSQLError { throw CalendarStoreError(error) }
  }
}

extension PostgreSQLCalendarStore: CustomStringConvertible {
  /// The type's name.
  public var description: String { "PostgreSQLCalendarStore" }
}
