// SPDX-License-Identifier: Apache-2.0

import Almanac
import CalendarAPI

extension Command {
  static let calendars = Command(
    name: "calendars",
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
