// SPDX-License-Identifier: Apache-2.0

public import PlatformFoundation
import Support

/// An error of a database connection or a statement.
///
/// Branch on ``code``, and on ``sqlState`` for errors of statements. ``message`` contains the remedy. Neither it nor any description
/// contains a password or the value of a parameter.
public struct PostgreSQLError: Error, Sendable, CustomStringConvertible {
  /// The kind of an error.
  ///
  /// Future releases may add codes: keep a `default` in a `switch`.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The code's name.
    public let description: String

    /// The configuration is invalid or not safe.
    ///
    /// No connection was attempted.
    public static let invalidConfiguration = Code(description: "invalidConfiguration")
    /// libpq is not installed.
    public static let libraryMissing = Code(description: "libraryMissing")
    /// No server accepted a connection within the time limit.
    ///
    /// The statement was not sent.
    public static let unreachable = Code(description: "unreachable")
    /// The server rejected the user, the password or the database.
    public static let accessDenied = Code(description: "accessDenied")
    /// The connection ended during the statement or its transaction.
    public static let connectionLost = Code(description: "connectionLost")
    /// The time limit of the call, or the server's `statement_timeout`, elapsed.
    public static let timedOut = Code(description: "timedOut")
    /// The server refused the statement, with the reason in ``PostgreSQLError/sqlState``.
    public static let statementFailed = Code(description: "statementFailed")
    /// The statement returned other columns than the program reads.
    public static let unexpectedResult = Code(description: "unexpectedResult")
    /// The client was closed.
    public static let closed = Code(description: "closed")
  }

  /// The kind of error.
  public let code: Code
  /// A message that states the failure, its location and its remedy.
  public let message: String
  /// The server's error code ([SQLSTATE](https://www.postgresql.org/docs/current/errcodes-appendix.html)), if it sent one.
  public let sqlState: String?
  /// The server's text for developers, reduced to printable characters, if it sent one.
  ///
  /// It can contain values of the statement, so no description shows it.
  public let serverMessage: String?
  /// Whether the same call can succeed later.
  public let isRetryable: Bool
  /// Whether the statement may have been carried out although the call failed.
  ///
  /// Read the data again to find out. If `false`, nothing was changed.
  public let isOutcomeUnknown: Bool

  /// Creates an error.
  public init(
    _ code: Code, _ message: String, sqlState: String? = nil, serverMessage: String? = nil, isRetryable: Bool = false,
    isOutcomeUnknown: Bool = false
  ) {
    self.code = code
    self.message = message
    self.sqlState = sqlState
    self.serverMessage = serverMessage.map { Self.printable($0) }
    self.isRetryable = isRetryable
    self.isOutcomeUnknown = isOutcomeUnknown
  }

  /// The ``message``.
  public var description: String { message }

  /// Returns the printable ASCII characters of a text, without line breaks.
  static func printable(_ text: some StringProtocol) -> String {
    ServerText.printable(String(text), limit: 300)
  }
}

extension PostgreSQLError: CustomReflectable {
  /// A mirror without the server's text.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "code": code.description, "message": message, "sqlState": sqlState ?? "", "isRetryable": isRetryable,
        "isOutcomeUnknown": isOutcomeUnknown,
      ])
  }
}

extension PostgreSQLError: LocalizedError {
  /// The ``message``.
  public var errorDescription: String? { message }
}
