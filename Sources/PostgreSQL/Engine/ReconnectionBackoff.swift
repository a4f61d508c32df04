// SPDX-License-Identifier: Apache-2.0

/// The pauses between attempts to connect while no server is reachable.
struct ReconnectionBackoff {
  private static let first = Duration.milliseconds(50)
  private static let longest = Duration.seconds(1)

  private var pause = Self.first
  private var next: ContinuousClock.Instant?
  /// The error of the last attempt, or `nil` after a success.
  private(set) var lastError: PostgreSQLError?

  /// Returns the end of the current pause, or `nil` if an attempt may begin.
  func end(after now: ContinuousClock.Instant) -> ContinuousClock.Instant? { next.flatMap { $0 > now ? $0 : nil } }

  mutating func fail(_ error: PostgreSQLError, now: ContinuousClock.Instant) {
    lastError = error
    next = now + pause * Double.random(in: 0.5...1)
    pause = min(pause * 2, Self.longest)
  }

  mutating func reset() { self = Self() }
}

extension PostgreSQLError {
  /// Whether the error concerns the server, and so its other connections too.
  var isOfServer: Bool { sqlState.map { $0 == "25006" || $0.hasPrefix("57P") } ?? false }

  /// Whether the tables of a prepared statement may have changed since.
  var isOfChangedTables: Bool { sqlState == "0A000" }

  /// Whether the server does not have a prepared statement, as behind an undetected pooler.
  var isOfMissingStatement: Bool { sqlState == "26000" }

  /// Returns the error of a failed preparation, which has changed nothing.
  func ofPreparation(at place: String) -> PostgreSQLError {
    guard isOutcomeUnknown else { return self }
    return PostgreSQLError(
      code, "\(place) did not prepare the statement, so it was not carried out. Try again later.", sqlState: sqlState,
      serverMessage: serverMessage, isRetryable: true)
  }

  static func noConnection(of count: Int, for time: Duration) -> PostgreSQLError {
    PostgreSQLError(
      .timedOut,
      "No connection became free within \(time): all \(count) are in use. Raise maximumConnections, or try again later.",
      isRetryable: true)
  }

  static func timedOut(at place: String, after time: Duration, isSent: Bool) -> PostgreSQLError {
    PostgreSQLError(
      .timedOut,
      isSent
        ? "\(place) did not respond within \(time). The statement may have been carried out. Read the data again."
        : "\(place) did not respond within \(time). The statement was not sent. Try again later.",
      isRetryable: true, isOutcomeUnknown: isSent)
  }

  static let transactionEnded = PostgreSQLError(
    .connectionLost,
    "The transaction has ended, because its connection was lost or its time limit elapsed. Begin another one.",
    isRetryable: true)

  static func transactionFailed(at place: String) -> PostgreSQLError {
    PostgreSQLError(
      .statementFailed,
      "\(place) did not commit, because an earlier statement of the transaction failed. Rethrow its error from the transaction.",
      sqlState: "25P02")
  }

  static let noNotifications = PostgreSQLError(
    .statementFailed, "The connection is shared between transactions, so it receives no notifications. Poll instead.")
}
