// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import HexColor

extension Command {
  static let colors = Command(
    name: "colors",
    leastScope: .calendarListReadOnly,
    summary: "List the colours of calendars and events, with their identifiers for --color-id.",
    options: Session.serverOptions
  ) { context in
    let colors = try await Session(context).calendar.colors.get()
    if context.isJSON { return context.writeJSON(object: colors.json()) }
    for (heading, palette) in [("Calendars", colors.calendar), ("Events", colors.event)] {
      context.terminal.line(context.terminal.bold(heading))
      // The server's identifiers are numbers.
      for (id, color) in (palette ?? [:]).sorted(by: { (Int($0.key) ?? .max, $0.key) < (Int($1.key) ?? .max, $1.key) })
      {
        guard let colors = Colors.Appearance(color) else { continue }
        let sample = context.terminal.painted(" Sample ", colors.foreground, on: colors.background)
        context.terminal.line("  \(id.terminalSafe.fitted(to: 4)) \(colors.background.hex)  \(sample)")
      }
    }
  }
}
