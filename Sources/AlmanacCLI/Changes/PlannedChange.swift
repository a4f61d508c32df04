// SPDX-License-Identifier: Apache-2.0

import CalendarAPI

/// A change that is shown before it is made.
struct PlannedChange: Encodable, Sendable {
  /// What is done to what, such as `Change event "Lunch" in calendar primary`.
  let title: String
  var fields: [FieldChange] = []
  /// What else to know: who is notified, what cannot be undone.
  var notes: [String] = []

  enum CodingKeys: String, CodingKey {
    case title
    case fields = "changes"
    case notes
  }

  /// The lines that show the change, without characters that steer a terminal.
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
  /// The text, cut if it takes more than `width` columns.
  fileprivate func shortened(to width: Int) -> String { fitted(to: width).trimmingEnd }
}

/// A change that was only to be shown.
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
  /// What every command that changes something obeys.
  static let writing: [Option] = [
    Option("yes", nil, "do not ask before the change"), Option("dry-run", nil, "show the change, and do not make it"),
  ]
}

extension Context {
  /// Checks, before anything is sent, that a change can be confirmed.
  ///
  /// - Throws: ``UsageError``.
  func checkConsent() throws {
    if arguments.has("yes"), arguments.has("dry-run") {
      throw UsageError("--yes and --dry-run exclude each other.", command: command)
    }
    guard arguments.has("yes") || arguments.has("dry-run") || terminal.canAsk else {
      throw UsageError(
        "There is no terminal to ask at, so nothing was changed. Look at the change with --dry-run, make it with --yes.",
        command: command)
    }
  }

  /// Shows a change, asks for consent, and sends its request.
  ///
  /// - Returns: The response; `nil` if the change was only to be shown.
  /// - Throws: ``DeclinedError``; `CalendarError`, with code `conditionNotMet` if what was shown has changed meanwhile, and
  ///   `outcomeUnknown` if the change may have been made; any error of the transport.
  func make<Response>(
    _ change: PlannedChange, by request: CalendarRequest<Response>, over client: CalendarClient
  ) async throws -> Response? {
    if arguments.has("dry-run") {
      if isJSON {
        try writeJSON(DryRun(method: request.name, change: change))
      } else {
        change.lines(width: terminal.width).forEach { terminal.line(TerminalText($0)) }
      }
      return nil
    }
    if !arguments.has("yes") {
      try checkConsent()
      change.lines(width: terminal.width).forEach { terminal.note(TerminalText($0)) }
      let response = try await terminal.ask("Do it? [y/N] ") ?? ""
      guard ["y", "yes"].contains(response.lowercased().filter { !$0.isWhitespace }) else { throw DeclinedError() }
    }
    do {
      return try await client.send(request)
    } catch let error as CalendarError where request.ifMatch != nil && error.remedy == .refetch {
      throw error.saying(
        "It was changed by another program after it was shown here: nothing was written. Run the command again to see it "
          + "as it is now.")
    } catch let error as CalendarError where error.code == .outcomeUnknown {
      throw error.saying(
        "The server's response was lost, and the change may have been made. Look at it before you run the command again."
          + error.identification)
    }
  }
}

extension CalendarError {
  /// The identifier of what may have been written, as a sentence.
  fileprivate var identification: String {
    guard let identifier = unknownOutcome?.identifier, identifier.count <= 100,
      identifier.utf8.allSatisfy({ byte in (0x21...0x7E).contains(byte) })
    else { return "" }
    return " Its identifier is \(identifier)."
  }

  /// The same error with another message.
  fileprivate func saying(_ message: String) -> CalendarError {
    CalendarError(code, message, status: status, serverMessage: serverMessage, details: details, cause: cause)
  }
}

/// The user did not confirm a write.
struct DeclinedError: Error, CustomStringConvertible {
  var description: String { "Nothing was changed: you did not confirm it." }
}
