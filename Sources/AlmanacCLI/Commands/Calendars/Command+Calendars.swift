// SPDX-License-Identifier: Apache-2.0

import Almanac
import CalendarAPI

extension Command {
  static let calendars = Command(
    name: "calendars",
    leastScope: .calendarListReadOnly,
    summary: "List the calendars in their own colours.",
    options: Session.serverOptions
  ) { context in
    let session = try await Session(context)
    let list = try await PaintedCalendars(session.calendar, progress: context.terminal.progress)
    context.terminal.endProgress()
    if context.isJSON {
      context.writeJSON(objects: list.entries.map { $0.json() })
    } else {
      list.write(to: context.terminal)
    }
  }
}

/// The options for a calendar, in `calendars add` and `calendars edit`.
enum CalendarOptions {
  static let all: [Option] = [
    Option("title", "TEXT", "the title"), Option("description", "TEXT", "the description"),
    Option("location", "TEXT", "the place"), Option("zone", "NAME", "the IANA time zone"), .data,
  ]

  /// The fields set by the options.
  static func fields(_ context: Context) -> [(name: String, value: String)] {
    [("summary", "title"), ("description", "description"), ("location", "location"), ("timeZone", "zone")]
      .compactMap { name, option in context.arguments[option].map { (name, $0) } }
  }
}

/// The options for a calendar's entry on the user's list, for `calendars subscribe` and `calendars customize`.
enum ListEntryOptions {
  static let all: [Option] = [
    Option("name", "TEXT", "the user's own name for the calendar"),
    Option("color-id", "ID", "a calendar colour's identifier (see `almanac colors`)"),
    Option("hidden", "WHAT", "yes or no: whether the calendar is hidden from the list", choices: ["yes", "no"]),
    Option("selected", "WHAT", "yes or no: whether the calendar's events are shown", choices: ["yes", "no"]), .data,
  ]

  /// Sets the fields named by the options.
  ///
  /// - Throws: ``UsageError``.
  static func apply(_ context: Context, to entry: inout CalendarListEntry) throws {
    if let name = context.arguments["name"] { entry.summaryOverride = name }
    if let color = context.arguments["color-id"] { entry.colorID = color }
    if let hidden = try flag("hidden", context) { entry.hidden = hidden }
    if let selected = try flag("selected", context) { entry.selected = selected }
  }

  private static func flag(_ option: String, _ context: Context) throws -> Bool? {
    switch context.arguments[option] {
    case nil: return nil
    case "yes": return true
    case "no": return false
    default: throw UsageError("--\(option) must be yes or no.", command: context.command)
    }
  }
}
