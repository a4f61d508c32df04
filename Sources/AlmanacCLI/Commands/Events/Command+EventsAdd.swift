// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import JSONCoding

extension Command {
  static let eventsAdd = Command(
    name: "events add",
    leastScope: .calendarEvents,
    summary: "Add an event to a calendar.",
    discussion: """
      The event's identifier is chosen before the request, so a retry after a lost response cannot add it twice. --data
      names an event as JSON, in the API's form. The other options then set its fields.
      """,
    options: Session.serverOptions + [.calendar] + EventOptions.all + [.sendUpdates] + Option.writing,
    required: [["start", "data"]]
  ) { context in
    try context.checkConsent()
    let updates = try context.sendUpdates
    let data = try await context.dataObject()
    var event = try data.map { try Event(json: $0.json()) } ?? Event()
    guard context.arguments.has("start") || (event.start != nil && event.end != nil) else {
      throw UsageError(
        "The event has no start or no end. Use --start, or set both in --data.", command: context.command)
    }
    let client = try await Session(context).calendar
    let reader = try await context.timeReader(client, for: context.calendarID)
    try EventOptions(context: context, reader: reader).apply(to: &event)
    let request = EventsResource.insert(event, in: context.calendarID, .init(writing: event, sendUpdates: updates))
    let change = PlannedChange(
      title: "Add event \(event.named) to calendar \(context.calendarID)",
      fields: try FieldChange.between(Event(), Event.Patch { $0.changes = try JSONValue(json: event.json()) }),
      notes: event.warnings(updates))
    guard let added = try await context.make(change, by: request, over: client) else { return }
    context.write(added, "Added \(added.named), \(added.when): \(added.id ?? "?")")
  }

  static let eventsQuickAdd = Command(
    name: "events quick-add",
    leastScope: .calendarEvents,
    summary: "Add an event that a text describes, such as \"Lunch with Bo tomorrow 12:30\".",
    discussion: """
      The server interprets the text: check the event that it adds. Unlike with `events add`, the request is not retried if
      its response is lost.
      """,
    positional: ["TEXT"],
    options: Session.serverOptions + [.calendar, .sendUpdates] + Option.writing
  ) { context in
    try context.checkConsent()
    let updates = try context.sendUpdates
    let text = context.arguments.positional[0]
    let client = try await Session(context).calendar
    let change = PlannedChange(
      title: "Add an event to calendar \(context.calendarID)", fields: [FieldChange("text", from: nil, to: text)])
    let request = EventsResource.quickAdd(text, in: context.calendarID, sendUpdates: updates)
    guard let added = try await context.make(change, by: request, over: client) else { return }
    context.write(added, "Added \(added.named), \(added.when): \(added.id ?? "?")")
  }
}
