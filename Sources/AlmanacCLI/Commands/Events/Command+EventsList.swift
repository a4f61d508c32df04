// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import Recurrence

extension Command {
  static let eventsList = Command(
    name: "events list",
    leastScope: .calendarEventsReadOnly,
    summary: "List the events of a calendar.",
    discussion:
      "Series are listed event by event. With --json, the output is an array of events as the server sent them.",
    options: Session.serverOptions + [.calendar] + Option.span + [
      .zone, Option("query", "TEXT", "only events that contain these words"),
      Option("limit", "N", "the maximum number of events (default: all)"),
      Option("series", nil, "list a series as one event, in no particular order"),
      Option("deleted", nil, "also list deleted events"),
    ]
  ) { context in
    let limit = try context.number("limit", in: 1...1_000_000) ?? .max
    let client = try await Session(context).calendar
    let reader = try await context.timeReader(client, for: context.calendarID)
    let span = DaySpan(try context.span(reader), in: reader.zone)
    let isSeries = context.arguments.has("series")
    // The period of a series is that of its first event, so only the server can tell whether the series belongs to the span.
    let bounds = isSeries ? span.span : span.requested
    let query = EventsResource.ListQuery(
      timeMin: bounds.lowerBound, timeMax: bounds.upperBound, q: context.arguments["query"], singleEvents: !isSeries,
      orderBy: isSeries ? nil : .startTime, showDeleted: context.arguments.has("deleted") ? true : nil,
      timeZone: reader.zone.identifier, maxResults: min(max(limit, 50), 2500))
    var events: [Event] = []
    for try await event in client.events.all(in: context.calendarID, query) {
      guard isSeries || event.start == nil || !span.days(of: event).isEmpty else { continue }
      events.append(event)
      context.terminal.progress("Reading the events … \(events.count)")
      if events.count == limit { break }
    }
    context.terminal.endProgress()
    if context.isJSON { return context.writeJSON(objects: events.map { $0.json() }) }
    guard !events.isEmpty else { return context.terminal.line("No events.") }
    var table = Table("WHEN", "TITLE", "ID", limits: [1: 48])
    for event in events {
      table.append(event.when, (event.status == .cancelled ? "(deleted) " : "") + event.title, event.id ?? "")
    }
    table.write(to: context.terminal)
    context.terminal.line(reader.zone.notice)
  }

  static let eventsGet = Command(
    name: "events get",
    leastScope: .calendarEventsReadOnly,
    summary: "Show an event.",
    positional: ["ID"],
    options: Session.serverOptions + [.calendar]
  ) { context in
    let client = try await Session(context).calendar
    let event = try await client.events.get(context.arguments.positional[0], in: context.calendarID)
    if context.isJSON { return context.writeJSON(object: event.json()) }
    context.terminal.write(rows: event.rows)
  }
}

extension Event {
  /// The title, or a placeholder if there is none.
  var title: String { summary ?? "(no title)" }

  /// The fields to show, with labels.
  fileprivate var rows: [(label: String, value: String?)] {
    [
      ("Title", title), ("When", period?.textWithZone ?? when), ("Repeats", recurrence?.joined(separator: " ")),
      ("Location", location), ("Description", description), ("Organizer", organizer?.email),
      (
        "Guests",
        attendees.map { guests in
          guests.map { "\($0.email ?? "?")\($0.responseStatus.map { " (\($0))" } ?? "")" }.joined(separator: ", ")
        }
      ),
      ("Meeting", hangoutLink), ("Status", status?.rawValue), ("Link", htmlLink), ("Series", recurringEventID),
      ("ID", id), ("Etag", etag),
    ]
  }
}
