// SPDX-License-Identifier: Apache-2.0

import Support

extension PostgreSQLError {
  /// Creates the error of a statement refused by the server.
  ///
  /// - Parameters:
  ///   - sqlState: The server's error code, of five characters.
  ///   - serverMessage: The server's text.
  ///   - place: The server and database, for display.
  init(sqlState: String, serverMessage: String?, at place: String) {
    let advice: String
    var code = Code.statementFailed
    var isRetryable = false
    var isOutcomeUnknown = false
    switch sqlState {
    case "57014":
      (code, advice) = (.timedOut, "It took longer than statement_timeout. Try again later, or raise the limit.")
      isRetryable = true
    case "57P01", "57P02":
      (code, advice) = (.connectionLost, "The server is shutting down. Try again later.")
      // The server may have committed before.
      (isRetryable, isOutcomeUnknown) = (true, true)
    case "25006":
      advice =
        "The server accepts no writes: it is a standby, or the session is read-only. Connect to the primary or name all servers, or turn default_transaction_read_only off."
      isRetryable = true
    case "40001", "40P01": (advice, isRetryable) = ("It conflicted with another transaction. Try again.", true)
    case "55P03": (advice, isRetryable) = ("The row is locked. Try again later.", true)
    case "42501": advice = "The role lacks a privilege. Grant it."
    case "42P01", "3F000", "42883":
      advice = "A table, schema or function is missing. Create it, or check the search_path."
    case "42703": advice = "A column is missing. Migrate the schema."
    case _ where sqlState.hasPrefix("53"):
      (advice, isRetryable) = ("The server is out of resources: disk, memory or connections. Try again later.", true)
    case _ where sqlState.hasPrefix("57P") || sqlState.hasPrefix("08"):
      (advice, isRetryable, isOutcomeUnknown) = ("The server is temporarily unavailable. Try again later.", true, true)
    case _ where sqlState.hasPrefix("58"): advice = "The server has a fault. Read its log."
    default: advice = "See the server's error codes, and its log."
    }
    self.init(
      code, "\(place) refused the statement (SQLSTATE \(sqlState)). \(advice)", sqlState: sqlState,
      serverMessage: serverMessage, isRetryable: isRetryable, isOutcomeUnknown: isOutcomeUnknown)
  }

  /// Creates the error of a failed connection.
  ///
  /// - Parameters:
  ///   - reason: libpq's text, which contains the server's code if the server refused.
  ///   - place: The server and database, for display.
  ///   - secrets: The passwords, which are redacted in the text in any form.
  init(connecting reason: String, to place: String, hiding secrets: [String]) {
    let sqlState = Self.sqlState(in: reason)
    let shown = ServerText.shown(
      reason.split(whereSeparator: \.isNewline).joined(separator: " "), hiding: secrets, limit: 300)
    let detail = shown.isEmpty ? "" : " (\(shown))"
    switch sqlState {
    case _? where sqlState?.hasPrefix("28") == true:
      self.init(
        .accessDenied, "\(place) rejected the role or its password. Check them, and pg_hba.conf\(detail).",
        sqlState: sqlState)
    case "3D000":
      self.init(
        .accessDenied, "\(place): the database does not exist. Create it, or check its name.", sqlState: sqlState)
    case "42501":
      self.init(
        .accessDenied, "\(place): the role may not connect to the database. Grant it CONNECT.", sqlState: sqlState)
    default:
      self.init(
        .unreachable,
        "\(place) cannot be reached. Check that it runs, its name, port and certificate\(detail).", sqlState: sqlState,
        isRetryable: true)
    }
  }

  /// Returns the SQLSTATE in libpq's text of an error with verbose messages, such as `FATAL:  28P01: …`, or `nil` if there is none.
  private static func sqlState(in text: String) -> String? {
    // The severity is in the server's language.
    for line in text.split(whereSeparator: \.isNewline) {
      for part in line.split(separator: ":").dropFirst().map({ $0.filter { $0 != " " } })
      where part.utf8.count == 5 && part.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }) {
        if part.utf8.contains(where: { (0x30...0x39).contains($0) }) { return part }
      }
    }
    return nil
  }
}
