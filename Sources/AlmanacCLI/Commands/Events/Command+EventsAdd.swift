// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import JSONCoding

extension Command {
  static let eventsAdd = Command(
    name: "events add",
    summary: "Add an event to a calendar.",
    discussion: """
      The event has an identifier of its own before it is sent, so that an attempt whose response was lost cannot add it
      twice. --data names an event as JSON, in the API's own form; options set its fields after that.
      """,
    options: Session.serverOptions + [.calendar] + EventOptions.all + [.sendUpdates] + Option.writing
  ) { context in
    try context.checkConsent()
    let updates = try context.sendUpdates
    let data = try await context.dataObject()
    let client = try await Session(context).calendar
    let reader = try await context.timeReader(client, for: context.calendarID)
    var event = try data.map { try Event(json: $0.json()) } ?? Event()
    try EventOptions(context: context, reader: reader).apply(to: &event)
    guard event.start != nil, event.end != nil else {
      throw UsageError("--start is missing.", command: context.command)
    }
    let versions = (data ?? .null).eventVersions
    let request = EventsResource.insert(
      event, in: context.calendarID,
      .init(
        sendUpdates: updates, conferenceDataVersion: versions.conferenceDataVersion,
        eventLabelVersion: versions.eventLabelVersion, supportsAttachments: versions.supportsAttachments))
    let change = PlannedChange(
      title: "Add event \(event.named) to calendar \(context.calendarID)",
      fields: try FieldChange.between(Event(), Event.Patch { $0.changes = try JSONValue(json: event.json()) }),
      notes: event.warnings(updates))
    guard let added = try await context.make(change, by: request, over: client) else { return }
    context.write(added, "Added \(added.named), \(added.when): \(added.id ?? "?")")
  }

  static let eventsQuickAdd = Command(
    name: "events quick-add",
    summary: "Add an event that a text describes, such as \"Lunch with Bo tomorrow 12:30\".",
    discussion: """
      The server reads the text: look at what it made of it. Unlike with "events add", an attempt whose response was lost
      is not sent again.
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
