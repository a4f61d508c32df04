// SPDX-License-Identifier: Apache-2.0

import Almanac
import CalendarAPI
import Timekeeping

extension Command {
  static let agenda = Command(
    name: "agenda",
    summary: "Show the coming events of every calendar, day by day.",
    discussion: """
      With --json, each event is the object that the server sent, and its member "calendar" holds the id and the title of
      the calendar.
      """,
    options: Session.serverOptions + [Option("days", "N", "how many days, 1 to 366 (default: 7)")]
  ) { context in
    guard let days = Int(context.arguments["days"] ?? "7"), (1...366).contains(days) else {
      throw UsageError("--days is a number from 1 to 366.", command: context.command)
    }
    let session = try await Session(context)
    let progress = context.terminal.progress
    let list = try await PaintedCalendars(session.calendar, progress: progress)
    let agenda = try await Agenda(
      session.calendar, list, from: context.clock.now, days: days, progress: progress)
    context.terminal.endProgress()
    if context.isJSON {
      context.writeJSON(objects: agenda.days.flatMap(\.items).map { $0.json() })
    } else if agenda.count == 0 {
      context.terminal.line("Nothing in the next \(days) days.")
    } else {
      agenda.write(to: context.terminal)
    }
  }
}
