// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import HexColor

extension Command {
  static let settings = Command(
    name: "settings",
    summary: "List the user's settings at the server, or show one.",
    positional: ["[NAME]"],
    options: Session.serverOptions
  ) { context in
    let client = try await Session(context).calendar
    if let name = context.arguments.positional.first {
      let setting = try await client.settings.get(name)
      return context.write(setting, setting.value ?? "")
    }
    var settings: [Setting] = []
    for try await setting in client.settings.all() { settings.append(setting) }
    if context.isJSON { return context.writeJSON(objects: settings.map { $0.json() }) }
    context.terminal.write(
      rows: settings.sorted { ($0.id ?? "") < ($1.id ?? "") }.map { ($0.id ?? "", $0.value ?? "") })
  }

  static let colors = Command(
    name: "colors",
    summary: "Show the colours of calendars and events, whose identifiers --color-id takes.",
    options: Session.serverOptions
  ) { context in
    let colors = try await Session(context).calendar.colors.get()
    if context.isJSON { return context.writeJSON(object: colors.json()) }
    for (heading, palette) in [("Calendars", colors.calendar), ("Events", colors.event)] {
      context.terminal.line(context.terminal.bold(heading))
      // The server numbers them.
      for (id, color) in (palette ?? [:]).sorted(by: { (Int($0.key) ?? .max, $0.key) < (Int($1.key) ?? .max, $1.key) })
      {
        guard let colors = Colors.Appearance(color) else { continue }
        let sample = context.terminal.painted(" Sample ", colors.foreground, on: colors.background)
        context.terminal.line("  \(id.terminalSafe.fitted(to: 4)) \(colors.background.hex)  \(sample)")
      }
    }
  }
}
