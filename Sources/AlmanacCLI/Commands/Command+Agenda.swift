// SPDX-License-Identifier: Apache-2.0

import Almanac
import CalendarAPI
import Timekeeping

extension Command {
  static let agenda = Command(
    name: "agenda",
    leastScope: .calendarReadOnly,
    summary: "Show the upcoming events of every calendar, day by day.",
    discussion: """
      With --json, each event is the server's object with one more member: "calendar", with the id and title of its
      calendar.
      """,
    options: Session.serverOptions + [Option("days", "N", "the number of days, today included, 1 to 366 (default: 7)")]
  ) { context in
    guard let days = Int(context.arguments["days"] ?? "7"), (1...366).contains(days) else {
      throw UsageError("--days must be a number from 1 to 366.", command: context.command)
    }
    let session = try await Session(context)
    let progress = context.terminal.progress
    let list = try await PaintedCalendars(session.calendar, progress: progress)
    let agenda = try await Agenda(
      session.calendar, list, from: context.clock.now, days: days, progress: progress)
    context.terminal.endProgress()
    if context.isJSON {
      context.writeJSON(objects: agenda.items.map { $0.json() })
    } else if agenda.count == 0 {
      context.terminal.line(days == 1 ? "No events today." : "No events in the next \(days) days.")
    } else {
      agenda.write(to: context.terminal)
    }
  }
}
