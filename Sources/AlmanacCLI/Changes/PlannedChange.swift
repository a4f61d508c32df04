// SPDX-License-Identifier: Apache-2.0

import CalendarAPI

/// A change that the command shows before it sends the request.
struct PlannedChange: Encodable, Sendable {
  /// The action and its object, such as `Change event "Lunch" in calendar primary`.
  let title: String
  var fields: [FieldChange] = []
  /// Consequences of the change, such as who is notified.
  var notes: [String] = []

  enum CodingKeys: String, CodingKey {
    case title
    case fields = "changes"
    case notes
  }

  /// Returns the lines about the change, without terminal control characters.
  func lines(width: Int) -> [String] {
    let nameWidth = fields.map(\.field.displayWidth).max() ?? 0
    let limit = max(20, width - nameWidth - 4)
    let rows = fields.map { change in
      let text =
        switch (change.old, change.new) {
        case (nil, let new?): new
        case (let old?, nil): "\(old.shortened(to: limit / 2)) → (cleared)"
        case (let old?, let new?): "\(old.shortened(to: limit / 2)) → \(new)"
        case (nil, nil): ""
        }
      return "  \(change.field.terminalSafe.fitted(to: nameWidth))  \(text.terminalSafe)"
    }
    return [title.terminalSafe] + rows + notes.map(\.terminalSafe)
  }
}

extension String {
  /// Returns the text, truncated to at most `width` columns.
  fileprivate func shortened(to width: Int) -> String { fitted(to: width).trimmingEnd }
}

/// The JSON output of a change with `--dry-run`.
private struct DryRun: Encodable {
  let dryRun = true
  let method: String
  let change: PlannedChange

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(dryRun, forKey: .dryRun)
    try container.encode(method, forKey: .method)
    try change.encode(to: encoder)
  }

  enum CodingKeys: String, CodingKey { case dryRun, method }
}

extension Option {
  /// The options of every data-changing command.
  static let writing: [Option] = [
    Option("yes", nil, "make the change without confirmation"),
    Option("dry-run", nil, "show the change without making it"),
  ]
}

extension Context {
  /// Checks that a change can be confirmed.
  ///
  /// Call this method before any request.
  ///
  /// - Throws: ``UsageError``.
  func checkConsent() throws {
    if arguments.has("yes"), arguments.has("dry-run") {
      throw UsageError("--yes and --dry-run cannot be combined. Omit one.", command: command)
    }
    guard arguments.has("yes") || arguments.has("dry-run") || terminal.canAsk else {
      throw UsageError(
        "The change needs confirmation, and there is no terminal. Nothing was changed. Preview the change with --dry-run, or make it with --yes.",
        command: command)
    }
  }

  /// Shows a change, asks for confirmation, and sends its request.
  ///
  /// - Returns: The response, or `nil` with `--dry-run`.
  /// - Throws: ``DeclinedError``, any error of the transport, or `CalendarError`, with code `conditionNotMet` if the
  ///   resource has changed since it was shown, and `outcomeUnknown` if the change may have been made.
  func make<Response>(
    _ change: PlannedChange, by request: CalendarRequest<Response>, over client: CalendarClient
  ) async throws -> Response? {
    try await make(change, method: request.name, isConditional: request.ifMatch != nil) {
      try await client.send(request)
    }
  }

  /// Shows a change, asks for confirmation, and makes it.
  ///
  /// - Parameters:
  ///   - method: The name of the API's method.
  ///   - isConditional: Whether the server rejects the change if the resource has changed since the command showed it.
  ///   - send: Makes the change.
  func make<Response>(
    _ change: PlannedChange, method: String, isConditional: Bool, send: () async throws -> Response
  ) async throws -> Response? {
    if arguments.has("dry-run") {
      if isJSON {
        try writeJSON(DryRun(method: method, change: change))
      } else {
        change.lines(width: terminal.width).forEach { terminal.line(TerminalText($0)) }
      }
      return nil
    }
    if !arguments.has("yes") {
      try checkConsent()
      change.lines(width: terminal.width).forEach { terminal.note(TerminalText($0)) }
      let response: String
      do {
        response = try await terminal.ask("Make this change? [y/N] ") ?? ""
      } catch is CancellationError {
        throw Interruption("Nothing was changed.")
      }
      guard ["y", "yes"].contains(response.lowercased().filter { !$0.isWhitespace }) else { throw DeclinedError() }
    }
    do {
      return try await send()
    } catch is CancellationError {
      throw Interruption("The change may have been made. Check before you run the command again.")
    } catch let error as CalendarError where isConditional && error.remedy == .refetch {
      throw error.saying(
        "Another program has changed it since it was shown. Nothing was written. Run the command again to see its current state."
      )
    } catch let error as CalendarError where error.code == .outcomeUnknown {
      throw error.saying(
        "The server's response was lost. The change may have been made. Check before you run the command again."
          + error.identification)
    }
  }
}

extension CalendarError {
  /// A sentence with the identifier of the resource that may have been written.
  ///
  /// Empty if it is unknown.
  fileprivate var identification: String {
    guard let identifier = unknownOutcome?.identifier, identifier.count <= 100,
      identifier.utf8.allSatisfy({ byte in (0x21...0x7E).contains(byte) })
    else { return "" }
    return " Its identifier is \(identifier)."
  }

  /// Returns the error with another message.
  func saying(_ message: String) -> CalendarError {
    var error = CalendarError(
      code, message, status: status, serverMessage: serverMessage, details: details, cause: cause)
    error.acceptedScopes = acceptedScopes
    return error
  }
}

/// The error of a change not confirmed by the user.
struct DeclinedError: Error, CustomStringConvertible {
  var description: String { "Nothing was changed: you did not confirm the change." }
}
