package import CalendarAPI
import HexColor

/// The calendar list together with the colours to paint it in.
package struct PaintedCalendars: Sendable {
  let entries: [CalendarListEntry]
  let colors: Colors

  /// Reads the whole list and the colours.
  ///
  /// - Parameter progress: Told how far it has come.
  package init(_ client: CalendarClient, progress: (String) -> Void = { _ in }) async throws {
    async let colors = client.colors.get()
    var entries: [CalendarListEntry] = []
    progress("Reading the calendars …")
    for try await entry in client.calendarList.entries() {
      entries.append(entry)
      progress("Reading the calendars … \(entries.count)")
    }
    self.entries = entries
    self.colors = try await colors
  }

  /// Writes a table, a row a calendar, each title painted in its calendar's colours.
  func write(to terminal: Terminal) {
    let titles = entries.map { " \($0.title.terminalSafe) " }
    let width = min(max(titles.map(\.displayWidth).max() ?? 0, 10), max(20, terminal.width / 2))
    let roles = entries.map { ($0.accessRole?.rawValue ?? "").terminalSafe }
    let roleWidth = roles.map(\.displayWidth).max() ?? 0
    for ((entry, title), role) in zip(zip(entries, titles), roles) {
      let paint = colors.appearance(of: entry)
      let details = [
        paint.background.hex, role.fitted(to: roleWidth),
        (entry.timeZone ?? "").terminalSafe.fitted(to: 20), entry.primary == true ? "primary" : "",
      ]
      let row = terminal.painted(title.fitted(to: width), paint.foreground, on: paint.background)
      terminal.line("\(row)  \(terminal.dim(details.joined(separator: "  ").trimmingEnd))")
    }
  }
}
