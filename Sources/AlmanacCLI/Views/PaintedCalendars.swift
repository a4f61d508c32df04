// SPDX-License-Identifier: Apache-2.0

package import CalendarAPI
import HexColor

/// The calendar list and its colours.
package struct PaintedCalendars: Sendable {
  let entries: [CalendarListEntry]
  let colors: Colors

  /// Reads the complete list and the colours.
  ///
  /// - Parameters:
  ///   - client: The client.
  ///   - progress: Called with the progress.
  package init(_ client: CalendarClient, progress: (String) -> Void = { _ in }) async throws {
    async let colors = client.colors.get()
    var entries: [CalendarListEntry] = []
    progress("Reading the calendars …")
    for try await entry in client.calendarList.all() {
      entries.append(entry)
      progress("Reading the calendars … \(entries.count)")
    }
    self.entries = entries
    self.colors = try await colors
  }

  /// Writes two lines per calendar in its colours: the title with details, and the subtitle.
  func write(to terminal: Terminal) {
    let titles = entries.map(\.title.terminalSafe)
    let roles = entries.map { ($0.accessRole?.rawValue ?? "").terminalSafe }
    let zones = entries.map { ($0.timeZone ?? "").terminalSafe }
    let width = { (texts: [String]) in texts.map(\.displayWidth).max() ?? 0 }
    let titleWidth = min(max(width(titles), 10), max(20, terminal.width / 2))
    let (roleWidth, zoneWidth) = (width(roles), min(width(zones), 20))
    // At a terminal that is too narrow for all columns, the zone is omitted, then the role, and then the title is truncated.
    let limit = terminal.outputWidth.map { max($0 - 2, 0) } ?? .max
    let showsZone = titleWidth + roleWidth + zoneWidth + 24 <= limit
    let showsRole = titleWidth + roleWidth + 22 <= limit
    let lineWidth = min(titleWidth + 20 + (showsRole ? roleWidth + 2 : 0) + (showsZone ? zoneWidth + 2 : 0), limit)
    for (index, entry) in entries.enumerated() {
      let colors = colors.appearance(of: entry)
      let details = [
        titles[index].fitted(to: titleWidth), colors.background.hex,
        showsRole ? roles[index].fitted(to: roleWidth) : nil,
        showsZone ? zones[index].fitted(to: zoneWidth) : nil, entry.primary == true ? "primary" : "",
      ].compactMap(\.self).joined(separator: "  ")
      for line in [details, "  " + entry.subtitle.terminalSafe] {
        terminal.line(terminal.painted(" \(line.fitted(to: lineWidth)) ", colors.foreground, on: colors.background))
      }
    }
  }
}

extension CalendarListEntry {
  /// The description on one line, or the identifier if there is no description.
  var subtitle: String {
    let lines = (description ?? "").split(whereSeparator: \.isNewline)
    return lines.isEmpty ? id ?? "" : lines.joined(separator: " ")
  }
}
