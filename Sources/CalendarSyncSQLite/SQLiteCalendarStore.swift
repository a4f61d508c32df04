// SPDX-License-Identifier: Apache-2.0

public import CalendarSync
public import PlatformFoundation
import Support
import Synchronization

/// A calendar store in an SQLite database file, for apps and programs on one machine.
///
/// ```swift
/// let store = SQLiteCalendarStore(file: folder.appending(path: "calendars.sqlite"))
/// let synchronizer = CalendarSynchronizer(client: client, store: store, account: "me")
/// ```
///
/// - **Every transaction is durable** when it returns, and a crash or power cut at any instant leaves all of it or nothing.
/// - **Any number of processes** can read the file while one writes it. Writers take turns.
/// - **Only its owner can read the file**: it is created with mode 0600, and its folder with 0700. A file or log of another user, or one
///   that other users can access, is refused with code `unavailable`. Choose a folder that no other user can write to. The content is
///   not encrypted.
/// - **A damaged file** is renamed, and the next synchronization fills a new one with a copy of the server's calendars. Pending edits
///   remain in the renamed file only.
/// - **A full disk** fails the transaction with code `full`. Previously stored resources can still be read.
///
/// No call blocks a thread of the concurrency pool. The first transaction creates the file.
public final class SQLiteCalendarStore: CalendarStore {
  /// The version of the format read and written by this release.
  public static let formatVersion = 1

  /// The file.
  public let file: URL
  private let database: SQLiteFile

  /// Creates a store.
  ///
  /// - Parameter file: The file. It must be on a local disk, not on a network file system. Beside it, SQLite creates two more files with
  ///   the endings `-wal` and `-shm`.
  public init(file: URL) {
    self.file = file
    database = SQLiteFile(path: file.path(percentEncoded: false))
  }

  /// Returns the collections of an account, in no particular order.
  ///
  /// - Throws: `CalendarStoreError`, or `CancellationError`.
  public func collections(for account: String) async throws -> [SyncCollection] {
    try await read(orIfMissing: []) { connection in
      try connection.query("SELECT kind, calendar FROM collection WHERE account = ?", .bytes(account.bytes))
        .compactMap { row in
          SyncCollection(kind: row[0].integer ?? -1, calendarID: String(decoding: row[1].bytes ?? [], as: UTF8.self))
        }
    }
  }

  /// Returns the state of a collection, or `nil` if it was never synchronized.
  ///
  /// - Throws: `CalendarStoreError`, or `CancellationError`.
  public func state(of collection: SyncCollection, for account: String) async throws -> SyncState? {
    try await read(orIfMissing: nil) { try $0.stored(collection, for: account)?.state }
  }

  /// Returns a resource, or `nil` if there is none.
  ///
  /// - Throws: `CalendarStoreError`, or `CancellationError`.
  public func resource(
    _ id: String, in collection: SyncCollection, for account: String
  ) async throws -> SyncResource? {
    try await read(orIfMissing: nil) { connection in
      try connection.query(
        """
        SELECT json FROM resource JOIN collection ON collection.number = resource.collection
        WHERE account = ? AND kind = ? AND calendar = ? AND id = ?
        """, .bytes(account.bytes), .integer(collection.kind), .bytes(collection.calendarBytes), .bytes(id.bytes)
      ).first.map { try SyncResource(stored: $0[0], in: collection) }
    }
  }

  /// Returns resources, sorted by the bytes of their identifiers.
  ///
  /// - Throws: `CalendarStoreError`, or `CancellationError`.
  public func resources(
    in collection: SyncCollection, for account: String, after id: String?, limit: Int
  ) async throws -> [SyncResource] {
    try await read(orIfMissing: []) { connection in
      guard let number = try connection.stored(collection, for: account)?.number else { return [] }
      // Every identifier follows the empty one, which no resource has.
      return try connection.query(
        "SELECT json FROM resource WHERE collection = ? AND id > ? ORDER BY id LIMIT ?", .integer(number),
        .bytes(id?.bytes ?? []), .integer(Int64(max(limit, 0)))
      ).map { try SyncResource(stored: $0[0], in: collection) }
    }
  }

  /// Returns the events matching a query, sorted by `EventCursor`.
  ///
  /// - Throws: `CalendarStoreError`, or `CancellationError`.
  public func events(
    matching query: EventQuery, for account: String, after cursor: EventCursor?, limit: Int
  ) async throws -> [StoredEvent] {
    try await read(orIfMissing: []) { connection in
      try connection.events(matching: query, for: account, after: cursor, limit: max(limit, 0))
    }
  }

  /// Applies a transaction, durably and as a whole.
  ///
  /// - Throws: `CalendarStoreError`, with code `superseded` if the state is not the expected one. Also
  ///   `CancellationError`.
  @discardableResult
  public func apply(_ transaction: SyncTransaction) async throws -> [SyncChange] {
    try Task.checkCancellation()
    return try await BlockingWork.run { [database] in
      try database.write { connection in
        try connection.withTransaction { try connection.apply(transaction) }
      }
    }
  }

  /// Closes the file, for example before it is moved or copied.
  ///
  /// A later call opens it again.
  ///
  /// SQLite moves the content of the file with the ending `-wal` to the main file when all processes have closed their
  /// connections. Running calls are not interrupted.
  public func close() async { await BlockingWork.run { [database] in database.close() } }

  private func read<Output: Sendable>(
    orIfMissing missing: Output, _ body: @escaping @Sendable (SQLiteConnection) throws -> Output
  ) async throws -> Output {
    try Task.checkCancellation()
    return try await BlockingWork.run { [database] in try database.read(body) ?? missing }
  }
}

extension String {
  var bytes: [UInt8] { Array(utf8) }
}

extension SyncCollection {
  var calendarBytes: [UInt8] { calendarID?.bytes ?? [] }
}

extension SyncResource {
  init(stored value: SQLiteConnection.Value, in collection: SyncCollection) throws(SQLiteFault) {
    do {
      try self.init(json: value.bytes ?? [], in: collection)
    } catch {
      throw .corrupt
    }
  }
}
