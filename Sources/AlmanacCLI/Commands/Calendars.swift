import CalendarAPI
import HexColor

extension Command {
  static let calendars = Command(
    name: "calendars",
    summary: "List the calendars in their own colours.",
    options: Session.serverOptions
  ) { context in
    let session = try await Session(context)
    let entries = try await session.google.calendar.allEntries(context.terminal)
    if context.isJSON {
      try context.writeJSON(entries)
    } else {
      CalendarTable(entries: entries).write(to: context.terminal)
    }
  }
}

extension CalendarClient {
  /// Every entry of the calendar list, with progress for a person who waits.
  func allEntries(_ terminal: Terminal) async throws -> [CalendarListEntry] {
    var entries: [CalendarListEntry] = []
    terminal.progress("Reading the calendar list …")
    defer { terminal.endProgress() }
    for try await entry in calendarList.entries() {
      entries.append(entry)
      terminal.progress("Reading the calendar list … \(entries.count)")
    }
    return entries
  }
}

/// The calendar list as a table, a row a calendar, painted in its colours.
struct CalendarTable {
  let entries: [CalendarListEntry]

  func write(to terminal: Terminal) {
    let names = entries.map { " \($0.displayName.terminalSafe) " }
    let nameWidth = min(max(names.map(\.displayWidth).max() ?? 0, 10), max(20, terminal.width / 2))
    for (entry, name) in zip(entries, names) {
      let background = entry.paint.background
      let row = terminal.painted(name.fitted(to: nameWidth), entry.paint.foreground, on: background)
      let details = [
        background.description, (entry.accessRole?.rawValue ?? "").fitted(to: 14),
        (entry.timeZone ?? "").terminalSafe.fitted(to: 20), entry.primary == true ? "primary" : "",
      ]
      terminal.line("\(row)  \(terminal.dim(details.joined(separator: "  ").trimmedEnd))")
    }
  }
}

extension CalendarListEntry {
  /// The name the person gave the calendar, else its own.
  var displayName: String { summaryOverride ?? summary ?? id ?? "" }

  /// The calendar's own colours, readable in any case.
  var paint: (background: RGBColor, foreground: RGBColor) {
    let background = backgroundColor ?? RGBColor(red: 0x9A, green: 0x9C, blue: 0xFF)
    return (background, foregroundColor ?? background.readableForeground)
  }
}

extension String {
  var trimmedEnd: String { String(reversed().drop { $0 == " " }.reversed()) }
}
