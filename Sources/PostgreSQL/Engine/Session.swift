// SPDX-License-Identifier: Apache-2.0

import CLibpq
import Support

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// One connection of libpq, whose calls do not block once it is open.
///
/// The pointer may be sent to another thread: the thread that opens the connection passes it to the loop's thread and does not use it
/// again, so one thread at a time uses it. `@safe` because the pointer is valid from `init` to `deinit`.
@safe
final class Session: Sendable {
  nonisolated(unsafe) private let connection: OpaquePointer
  /// The server and database, for display.
  let place: String
  /// Whether the server rejected settings of the session, as a pooler of transactions does.
  let isPooled: Bool

  /// Takes ownership of an open connection.
  init(owning connection: OpaquePointer, place: String, isPooled: Bool) {
    unsafe self.connection = connection
    self.place = place
    self.isPooled = isPooled
    _ = unsafe almanac_PQsetnonblocking(connection, 1)
  }

  deinit { unsafe almanac_PQfinish(connection) }

  /// The connection's socket.
  var socket: Int32 { unsafe almanac_PQsocket(connection) }

  /// Whether the connection is open, as far as is known.
  var isOpen: Bool { unsafe almanac_PQstatus(connection) == UInt32(ALMANAC_CONNECTION_OK) }

  /// Whether a statement of the transaction has failed, so it can only be rolled back.
  var isFailed: Bool { unsafe almanac_PQtransactionStatus(connection) == UInt32(ALMANAC_TRANSACTION_FAILED) }

  /// Whether the session is outside of a transaction and ready for the next one.
  var isIdle: Bool { unsafe almanac_PQtransactionStatus(connection) == UInt32(ALMANAC_TRANSACTION_IDLE) }
}

// MARK: Sending

extension Session {
  enum Flush {
    case done
    /// Bytes are left: wait until the socket is ready to write or read.
    case blocked
    case failed
  }

  /// Adds a statement to the connection's output.
  ///
  /// - Parameter name: The name under which it was prepared, or `nil` if it was not.
  /// - Returns: Whether the connection accepts it.
  func send(_ statement: SQLStatement, preparedAs name: String? = nil) -> Bool {
    let count = statement.parameters.count
    // The values lie in one buffer, each with a NUL behind it, which libpq needs for texts.
    var buffer: [UInt8] = []
    var starts: [Int?] = []
    for parameter in statement.parameters {
      starts.append(parameter.bytes == nil ? nil : buffer.count)
      if let bytes = parameter.bytes { buffer += bytes + [0] }
    }
    let lengths = statement.parameters.map { Int32(clamping: $0.bytes?.count ?? 0) }
    let formats: [Int32] = statement.parameters.map { $0.type.isText ? 0 : 1 }
    // Safe: the call copies everything that the pointers lead to, and reads as many elements as the arrays have.
    return unsafe buffer.withUnsafeBufferPointer { buffer in
      let base = unsafe UnsafeRawPointer(buffer.baseAddress)?.assumingMemoryBound(to: CChar.self)
      let values = unsafe starts.map { start in unsafe start.flatMap { unsafe base?.advanced(by: $0) } }
      if let name {
        return unsafe almanac_PQsendQueryPrepared(connection, name, Int32(count), values, lengths, formats, 1) == 1
      }
      return unsafe almanac_PQsendQueryParams(
        connection, statement.text, Int32(count), statement.typeIdentifiers, values, lengths, formats, 1) == 1
    }
  }

  /// Adds the preparation of a statement to the connection's output.
  ///
  /// - Returns: Whether the connection accepts it.
  func prepare(_ statement: SQLStatement, as name: String) -> Bool {
    let types = statement.typeIdentifiers
    // Safe: the call copies the texts, and reads as many types as the array has.
    return unsafe almanac_PQsendPrepare(connection, name, statement.text, Int32(types.count), types) == 1
  }

  func flush() -> Flush {
    switch unsafe almanac_PQflush(connection) {
    case 0: .done
    case 1: .blocked
    default: .failed
    }
  }
}

extension SQLStatement {
  fileprivate var typeIdentifiers: [UInt32] { parameters.map(\.type.identifier) }
}

// MARK: Receiving

extension Session {
  enum Reception {
    /// The server has not sent all of the next result.
    case incomplete
    case result(Result<SQLResult, PostgreSQLError>)
    /// The statement has ended.
    case end
  }

  /// Reads the available bytes.
  ///
  /// - Returns: Whether the connection is open.
  func receive() -> Bool { unsafe almanac_PQconsumeInput(connection) == 1 }

  /// Returns the next result of the statement.
  func nextResult() -> Reception {
    guard unsafe almanac_PQisBusy(connection) == 0 else { return .incomplete }
    guard let result = unsafe almanac_PQgetResult(connection) else { return .end }
    defer { unsafe almanac_PQclear(result) }
    return unsafe .result(Self.outcome(of: result, at: place))
  }

  /// Removes and returns the payloads of the received notifications.
  func notifications() -> [(channel: String, payload: String)] {
    var found: [(String, String)] = []
    while let notification = unsafe almanac_PQnotifies(connection) {
      defer { unsafe almanac_PQfreemem(notification) }
      // Safe: the texts end with NUL and are valid until the notification is freed.
      if let channel = unsafe notification.pointee.relname {
        let payload = unsafe notification.pointee.extra.map { unsafe String(cString: $0) }
        unsafe found.append((String(cString: channel), payload ?? ""))
      }
    }
    return found
  }

  private static func outcome(of result: OpaquePointer, at place: String) -> Result<SQLResult, PostgreSQLError> {
    switch Int(unsafe almanac_PQresultStatus(result)) {
    case ALMANAC_RESULT_EMPTY_QUERY, ALMANAC_RESULT_COMMAND_OK, ALMANAC_RESULT_TUPLES_OK:
      return unsafe .success(SQLResult(result))
    case ALMANAC_RESULT_COPY_IN, ALMANAC_RESULT_COPY_OUT, ALMANAC_RESULT_COPY_BOTH:
      return .failure(PostgreSQLError(.unexpectedResult, "COPY is not supported. Use a statement that returns rows."))
    default:
      // Without a code, the connection ended during the statement.
      guard let sqlState = unsafe field(of: result, "C") else { return .failure(.connectionLost(at: place)) }
      return unsafe .failure(PostgreSQLError(sqlState: sqlState, serverMessage: field(of: result, "M"), at: place))
    }
  }

  private static func field(of result: OpaquePointer, _ code: UnicodeScalar) -> String? {
    // Safe: the text ends with NUL and is valid until the result is freed.
    unsafe almanac_PQresultErrorField(result, Int32(code.value)).map { unsafe String(cString: $0) }
  }
}

extension PostgreSQLError {
  /// The error of a statement whose connection ended.
  static func connectionLost(at place: String) -> PostgreSQLError {
    PostgreSQLError(
      .connectionLost,
      "The connection to \(place) ended during the statement, which may have been carried out. Read the data again.",
      isRetryable: true, isOutcomeUnknown: true)
  }
}

extension SQLResult {
  /// Copies a successful result of libpq.
  fileprivate init(_ result: OpaquePointer) {
    let (rowCount, columnCount) = unsafe (almanac_PQntuples(result), almanac_PQnfields(result))
    // Safe: the numbers of rows and columns are within the result's, and the lengths are the values' own.
    columns = (0..<columnCount).map { column in
      Column(
        name: unsafe almanac_PQfname(result, column).map { unsafe String(cString: $0) } ?? "",
        type: SQLType(identifier: unsafe almanac_PQftype(result, column)))
    }
    values = (0..<rowCount).map { row in
      (0..<columnCount).map { column in
        guard unsafe almanac_PQgetisnull(result, row, column) == 0,
          let start = unsafe almanac_PQgetvalue(result, row, column)
        else { return nil }
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: Int(almanac_PQgetlength(result, row, column)))
        return unsafe Array(bytes)
      }
    }
    let count = unsafe almanac_PQcmdTuples(result).map { unsafe String(cString: $0) }
    affectedRowCount = count.flatMap { Int($0) } ?? 0
  }
}
