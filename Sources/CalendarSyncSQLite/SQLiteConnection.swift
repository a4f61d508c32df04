// SPDX-License-Identifier: Apache-2.0

import CLibsqlite3

/// A connection to a database file, for one thread at a time.
///
/// All calls block and throw ``SQLiteFault``. The handles are valid until `deinit`, and no other type has them.
// Sendable: `SQLiteFile` uses a connection only with the lock of the writer, or after it has taken it from the readers.
@safe final class SQLiteConnection: @unchecked Sendable {
  /// A value of a row or a parameter.
  enum Value {
    case null
    case integer(Int64)
    case bytes([UInt8])
  }

  /// The time for which a statement waits for another process.
  private static let busyMilliseconds: Int32 = 10_000

  private let database: OpaquePointer
  /// The prepared statements by their text.
  private var statements: [String: OpaquePointer] = unsafe [:]

  /// Opens a file, which must exist.
  init(path: String, isReadOnly: Bool) throws(SQLiteFault) {
    var database: OpaquePointer?
    let access = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
    let flags = access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE
    // Safe: the path is a C string for the call, and the handle is closed exactly once, here or in `deinit`.
    let code = unsafe sqlite3_open_v2(path, &database, flags, nil)
    guard let database = unsafe database else { throw SQLiteFault(SQLITE_NOMEM, 0) }
    guard code == SQLITE_OK else {
      let fault = SQLiteFault(code, unsafe sqlite3_system_errno(database))
      unsafe sqlite3_close_v2(database)
      throw fault
    }
    unsafe self.database = unsafe database
    unsafe sqlite3_extended_result_codes(database, 1)
    unsafe sqlite3_busy_timeout(database, Self.busyMilliseconds)
  }

  deinit {
    unsafe statements.values.forEach { unsafe sqlite3_finalize($0) }
    unsafe sqlite3_close_v2(database)
  }

  /// Runs a statement, and returns its rows.
  @discardableResult
  func query(_ text: String, _ parameters: Value...) throws(SQLiteFault) -> [[Value]] {
    try query(text, parameters)
  }

  /// Runs a statement, and returns its rows.
  @discardableResult
  func query(_ text: String, _ parameters: [Value]) throws(SQLiteFault) -> [[Value]] {
    var rows: [[Value]] = []
    try forEachRow(text, parameters) { rows.append($0) }
    return rows
  }

  /// Runs `body` in a transaction uninterrupted by other writers.
  ///
  /// An error undoes it.
  func withTransaction<Output>(_ body: () throws -> Output) throws -> Output {
    try query("BEGIN IMMEDIATE")
    do {
      let output = try body()
      try query("COMMIT")
      return output
    } catch {
      // After some errors, SQLite has already rolled back.
      _ = try? query("ROLLBACK")
      throw error
    }
  }

  /// Runs `body`, whose statements all see the same transactions.
  func withSnapshot<Output>(_ body: () throws -> Output) throws -> Output {
    try query("BEGIN")
    defer { _ = try? query("COMMIT") }
    return try body()
  }

  private func forEachRow(
    _ text: String, _ parameters: [Value], _ body: ([Value]) -> Void
  ) throws(SQLiteFault) {
    let statement = try unsafe prepared(text)
    defer {
      unsafe sqlite3_reset(statement)
      unsafe sqlite3_clear_bindings(statement)
    }
    for (index, value) in parameters.enumerated() { try unsafe bind(value, to: statement, Int32(index) + 1) }
    while true {
      switch unsafe sqlite3_step(statement) {
      case SQLITE_ROW: body(unsafe Self.row(of: statement))
      case SQLITE_DONE: return
      case let code: throw fault(code)
      }
    }
  }

  private func prepared(_ text: String) throws(SQLiteFault) -> OpaquePointer {
    if let statement = unsafe statements[text] { return unsafe statement }
    var statement: OpaquePointer?
    // Safe: the text is a C string for the call. The statement is finalized in `deinit`.
    let code = unsafe sqlite3_prepare_v3(database, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard code == SQLITE_OK, let statement = unsafe statement else { throw fault(code) }
    unsafe statements[text] = unsafe statement
    return unsafe statement
  }

  private func bind(_ value: Value, to statement: OpaquePointer, _ index: Int32) throws(SQLiteFault) {
    let code =
      switch value {
      case .null: unsafe sqlite3_bind_null(statement, index)
      case .integer(let number): unsafe sqlite3_bind_int64(statement, index, number)
      // SQLite would bind an empty array, which has no address, as NULL.
      case .bytes(let bytes) where bytes.isEmpty: unsafe sqlite3_bind_zeroblob(statement, index, 0)
      case .bytes(let bytes):
        // Safe: the bytes are copied during the call.
        unsafe bytes.withUnsafeBytes {
          unsafe almanac_sqlite3_bind_copy(statement, index, $0.baseAddress, $0.count)
        }
      }
    guard code == SQLITE_OK else { throw fault(code) }
  }

  private static func row(of statement: OpaquePointer) -> [Value] {
    let count = unsafe sqlite3_column_count(statement)
    return (0..<count).map { column in
      switch unsafe sqlite3_column_type(statement, column) {
      case SQLITE_NULL: return .null
      case SQLITE_INTEGER: return .integer(unsafe sqlite3_column_int64(statement, column))
      default:
        // The pointer first, as SQLite requires; the bytes are copied before the next call.
        guard let start = unsafe sqlite3_column_blob(statement, column) else { return .bytes([]) }
        let count = Int(unsafe sqlite3_column_bytes(statement, column))
        return .bytes(unsafe Array(UnsafeRawBufferPointer(start: start, count: count)))
      }
    }
  }

  private func fault(_ code: Int32) -> SQLiteFault { SQLiteFault(code, unsafe sqlite3_system_errno(database)) }
}

/// An error code of SQLite.
struct SQLiteFault: Error {
  /// The extended result code.
  let code: Int32
  /// The error number of the system, or 0.
  let systemError: Int32

  init(_ code: Int32, _ systemError: Int32) { (self.code, self.systemError) = (code, systemError) }

  /// The result code without its extension.
  var primaryCode: Int32 { code & 0xFF }
}

extension SQLiteConnection.Value {
  var integer: Int64? {
    if case .integer(let number) = self { number } else { nil }
  }

  var bytes: [UInt8]? {
    if case .bytes(let bytes) = self { bytes } else { nil }
  }

  init(_ bytes: [UInt8]?) { self = bytes.map { .bytes($0) } ?? .null }

  init(_ number: Int64?) { self = number.map { .integer($0) } ?? .null }
}
