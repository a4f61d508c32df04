// SPDX-License-Identifier: Apache-2.0

/// An SQL statement with its parameters.
///
/// A statement is a string literal whose interpolations become parameters. No other text becomes SQL, so no value can change the meaning
/// of a statement:
///
/// ```swift
/// let statement: SQLStatement = "SELECT record FROM tokens WHERE account = \(account)"
/// print(statement)  // SELECT record FROM tokens WHERE account = $1
/// ```
///
/// The server derives the type of a text parameter from its place. If it cannot, add a cast: `\(name)::text`.
public struct SQLStatement: Sendable {
  /// The SQL text, with `$1`, `$2` and so on in place of the parameters.
  public let text: String
  /// The values of the parameters, in order.
  let parameters: [Parameter]
}

extension SQLStatement: ExpressibleByStringInterpolation {
  /// Creates a statement without parameters.
  public init(stringLiteral value: StaticString) {
    self.init(text: value.description, parameters: [])
  }

  /// Creates a statement from its literal parts and its parameters.
  public init(stringInterpolation: StringInterpolation) {
    self.init(text: stringInterpolation.text, parameters: stringInterpolation.parameters)
  }

  /// The parts of a statement, as the compiler collects them.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""
    fileprivate var parameters: [Parameter] = []

    /// Creates an empty statement.
    public init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + 3 * interpolationCount)
      parameters.reserveCapacity(interpolationCount)
    }

    /// Appends SQL from the source of the program.
    public mutating func appendLiteral(_ literal: StaticString) { text += literal.description }

    /// Appends a text, or a value parsed by the server from its text, or `nil` for `NULL`.
    public mutating func appendInterpolation(_ value: String?) {
      append(.text, value.map { Array($0.utf8) })
    }

    /// Appends a `bytea`, or `nil` for `NULL`.
    public mutating func appendInterpolation(_ value: [UInt8]?) { append(.bytes, value) }

    /// Appends a `bigint`, or `nil` for `NULL`.
    public mutating func appendInterpolation(_ value: Int64?) {
      append(.integer, value?.bigEndianBytes)
    }

    /// Appends a `bigint`, or `nil` for `NULL`.
    public mutating func appendInterpolation(_ value: Int?) { appendInterpolation(value.map(Int64.init)) }

    /// Appends a `boolean`, or `nil` for `NULL`.
    public mutating func appendInterpolation(_ value: Bool?) { append(.boolean, value.map { [$0 ? 1 : 0] }) }

    /// Appends an `interval`, or `nil` for `NULL`.
    ///
    /// It is truncated to whole microseconds.
    public mutating func appendInterpolation(_ value: Duration?) {
      // Eight bytes of microseconds, four of days and four of months.
      append(.interval, value.map { $0.microseconds.bigEndianBytes + [UInt8](repeating: 0, count: 8) })
    }

    /// Appends a `bytea[]`, with `nil` elements for `NULL`.
    public mutating func appendInterpolation(_ values: [[UInt8]?]) { append(.bytesArray, of: .bytes, values) }

    /// Appends a `bigint[]`, with `nil` elements for `NULL`.
    public mutating func appendInterpolation(_ values: [Int64?]) {
      append(.integerArray, of: .integer, values.map { $0?.bigEndianBytes })
    }

    /// Appends a `boolean[]`, with `nil` elements for `NULL`.
    public mutating func appendInterpolation(_ values: [Bool?]) {
      append(.booleanArray, of: .boolean, values.map { $0.map { [$0 ? 1 : 0] } })
    }

    /// Appends a `text[]`, with `nil` elements for `NULL`.
    public mutating func appendInterpolation(_ values: [String?]) {
      append(.textArray, of: .textElement, values.map { $0.map { Array($0.utf8) } })
    }

    private mutating func append(_ type: SQLType, of element: SQLType, _ values: [[UInt8]?]) {
      // The number of dimensions, whether there can be NULL, the type, and the length and first index of the dimension.
      var bytes = [1, 1, Int32(bitPattern: element.identifier), Int32(values.count), 1].flatMap(\.bigEndianBytes)
      for value in values {
        bytes += Int32(value?.count ?? -1).bigEndianBytes
        bytes += value ?? []
      }
      append(type, bytes)
    }

    private mutating func append(_ type: SQLType, _ bytes: [UInt8]?) {
      parameters.append(Parameter(type: type, bytes: bytes))
      text += "$\(parameters.count)"
    }
  }

  /// The value of a parameter.
  struct Parameter: Sendable {
    let type: SQLType
    /// The value in the server's binary format, or for text its UTF-8 bytes, or `nil` for `NULL`.
    let bytes: [UInt8]?
  }
}

extension SQLStatement: CustomStringConvertible, CustomReflectable {
  /// The ``text``, without the values of the parameters.
  public var description: String { text }

  /// A mirror without the values of the parameters.
  public var customMirror: Mirror { Mirror(self, children: ["text": text, "parameterCount": parameters.count]) }
}

extension FixedWidthInteger {
  fileprivate var bigEndianBytes: [UInt8] {
    stride(from: Self.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> Self($0)) }
  }
}

extension Duration {
  /// The duration in microseconds, rounded towards zero and clamped to 64 bits.
  fileprivate var microseconds: Int64 {
    let (seconds, attoseconds) = min(max(self, .microseconds(Int64.min)), .microseconds(Int64.max)).components
    return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
  }
}

extension SQLStatement {
  /// Creates the statement for subscribing to a channel, whose name cannot be a parameter.
  init(listeningOn channel: StaticString) {
    let name = channel.description.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
    self.init(text: "LISTEN \"\(name)\"", parameters: [])
  }

  /// The text and the types of the parameters, for which the server prepares a statement.
  struct Shape: Hashable {
    let text: String
    let types: [SQLType]
  }

  var shape: Shape { Shape(text: text, types: parameters.map(\.type)) }

  /// Whether the statement commits a transaction.
  var isCommit: Bool { text == "COMMIT" }

  /// Checks that the server can accept the parameters.
  ///
  /// - Throws: ``PostgreSQLError``. The statement must then not be sent.
  func check() throws(PostgreSQLError) {
    guard parameters.count <= 65_535 else {
      throw PostgreSQLError(
        .statementFailed, "The statement has more than 65,535 parameters. Split it.", sqlState: "54000")
    }
    // libpq would end the text at a zero byte.
    guard !parameters.contains(where: { $0.type.isText && $0.bytes?.contains(0) == true }) else {
      throw PostgreSQLError(
        .statementFailed, "A text parameter contains a NUL character, which PostgreSQL does not store. Pass bytes.",
        sqlState: "22021")
    }
  }
}
