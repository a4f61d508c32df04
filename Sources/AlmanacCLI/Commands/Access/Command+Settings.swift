// SPDX-License-Identifier: Apache-2.0

import CalendarAPI

extension Command {
  static let settings = Command(
    name: "settings",
    leastScope: .calendarSettingsReadOnly,
    summary: "List the user's settings at the server, or show one setting.",
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
}
