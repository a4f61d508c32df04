// SPDX-License-Identifier: Apache-2.0

/// The rows returned by a statement.
public struct SQLResult: Sendable {
  struct Column: Sendable {
    let name: String
    let type: SQLType
  }

  let columns: [Column]
  let values: [[[UInt8]?]]
  /// The number of rows inserted, changed, deleted or returned by the statement.
  public let affectedRowCount: Int
}

extension SQLResult: RandomAccessCollection {
  /// The index of the first row.
  public var startIndex: Int { 0 }
  /// The index after the last row.
  public var endIndex: Int { values.count }

  /// A row.
  public subscript(position: Int) -> SQLRow { SQLRow(columns: columns, values: values[position]) }
}

extension SQLResult: CustomStringConvertible, CustomReflectable {
  /// The number of rows, without values.
  public var description: String { "SQLResult(\(count) rows)" }

  /// A mirror without values.
  public var customMirror: Mirror { Mirror(self, children: ["count": count]) }
}

/// A row of an ``SQLResult``.
///
/// Columns are found by name. An accessor returns `nil` for `NULL`, and throws if there is no such column or if it has another type.
public struct SQLRow: Sendable {
  let columns: [SQLResult.Column]
  let values: [[UInt8]?]

  /// Returns the text of a column such as `text`, `varchar`, `json` or `name`, or `nil` for `NULL`.
  ///
  /// - Throws: ``PostgreSQLError`` with code ``PostgreSQLError/Code/unexpectedResult``.
  public func string(_ column: String) throws(PostgreSQLError) -> String? {
    try value(column, "text") {
      $0.isTextual
    } decode: {
      String(validating: $0, as: UTF8.self)
    }
  }

  /// Returns a `bytea`, or `nil` for `NULL`.
  ///
  /// - Throws: ``PostgreSQLError`` with code ``PostgreSQLError/Code/unexpectedResult``.
  public func bytes(_ column: String) throws(PostgreSQLError) -> [UInt8]? {
    try value(column, "bytea") {
      $0 == .bytes
    } decode: {
      $0
    }
  }

  /// Returns a `bigint`, `integer`, `smallint` or `oid`, or `nil` for `NULL`.
  ///
  /// - Throws: ``PostgreSQLError`` with code ``PostgreSQLError/Code/unexpectedResult``.
  public func integer(_ column: String) throws(PostgreSQLError) -> Int64? {
    try value(column, "bigint") {
      $0.isInteger
    } decode: {
      $0.signedInteger
    }
  }

  /// Returns a `boolean`, or `nil` for `NULL`.
  ///
  /// - Throws: ``PostgreSQLError`` with code ``PostgreSQLError/Code/unexpectedResult``.
  public func boolean(_ column: String) throws(PostgreSQLError) -> Bool? {
    try value(column, "boolean") {
      $0 == .boolean
    } decode: {
      $0 == [1]
    }
  }

  /// Returns an `interval` without months, whose days have 24 hours, or `nil` for `NULL`.
  ///
  /// - Throws: ``PostgreSQLError`` with code ``PostgreSQLError/Code/unexpectedResult``.
  public func duration(_ column: String) throws(PostgreSQLError) -> Duration? {
    try value(column, "interval") {
      $0 == .interval
    } decode: { bytes in
      guard bytes.count == 16, bytes[12...].allSatisfy({ $0 == 0 }), let time = Array(bytes[..<8]).signedInteger,
        let days = Array(bytes[8..<12]).signedInteger
      else { return nil }
      return .microseconds(time) + .seconds(86_400 * days)
    }
  }

  private func value<Value>(
    _ column: String, _ type: String, _ hasType: (SQLType) -> Bool, decode: ([UInt8]) -> Value?
  ) throws(PostgreSQLError) -> Value? {
    guard let index = columns.firstIndex(where: { $0.name == column }) else {
      throw PostgreSQLError(.unexpectedResult, "The result has no column \(column). Select it in the statement.")
    }
    guard hasType(columns[index].type) else {
      throw PostgreSQLError(
        .unexpectedResult, "The column \(column) does not have the type \(type). Cast it in the statement.")
    }
    guard let bytes = values[index] else { return nil }
    guard let value = decode(bytes) else {
      throw PostgreSQLError(.unexpectedResult, "The column \(column) has a value that is not a \(type).")
    }
    return value
  }
}

extension SQLRow: CustomStringConvertible, CustomReflectable {
  /// The names of the columns, without values.
  public var description: String { "SQLRow(\(columns.map(\.name).joined(separator: ", ")))" }

  /// A mirror without values.
  public var customMirror: Mirror { Mirror(self, children: ["columns": columns.map(\.name)]) }
}

extension [UInt8] {
  /// The bytes as a number in two's complement, the most significant byte first, or `nil` unless there are 2, 4 or 8 bytes.
  fileprivate var signedInteger: Int64? {
    guard [2, 4, 8].contains(count), let first else { return nil }
    return dropFirst().reduce(Int64(Int8(bitPattern: first))) { $0 << 8 | Int64($1) }
  }
}
