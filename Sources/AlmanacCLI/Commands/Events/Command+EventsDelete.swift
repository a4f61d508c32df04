// SPDX-License-Identifier: Apache-2.0

import CalendarAPI

extension Command {
  static let eventsDelete = Command(
    name: "events delete",
    summary: "Delete an event.",
    discussion: "The event is deleted only if it has not changed since it was shown.",
    positional: ["ID"],
    options: Session.serverOptions + [.calendar, .sendUpdates] + Option.writing
  ) { context in
    try context.checkConsent()
    let updates = try context.sendUpdates
    let client = try await Session(context).calendar
    let event = try await context.event(client)
    let id = context.arguments.positional[0]
    var request = EventsResource.delete(id, in: context.calendarID, sendUpdates: updates)
    request.ifMatch = event.etag
    let change = PlannedChange(
      title: "Delete event \(event.named) from calendar \(context.calendarID)",
      fields: [FieldChange("when", from: event.period?.textWithZone ?? event.when, to: nil)],
      notes: event.warnings(updates))
    guard try await context.make(change, by: request, over: client) != nil else { return }
    try context.writeDeletion(of: id, "Deleted \(event.named), \(event.when)")
  }

  static let eventsMove = Command(
    name: "events move",
    summary: "Move an event to another calendar, which changes its organizer.",
    positional: ["ID"],
    options: Session.serverOptions + [.calendar, Option("to", "ID", "the destination calendar")]
      + [.sendUpdates] + Option.writing,
    required: [["to"]]
  ) { context in
    try context.checkConsent()
    let destination = context.arguments["to"] ?? ""
    let updates = try context.sendUpdates
    let client = try await Session(context).calendar
    let event = try await context.event(client)
    var request = EventsResource.move(
      context.arguments.positional[0], from: context.calendarID, to: destination, sendUpdates: updates)
    request.ifMatch = event.etag
    let change = PlannedChange(
      title: "Move event \(event.named), \(event.when)",
      fields: [FieldChange("calendar", from: context.calendarID, to: destination)], notes: event.warnings(updates))
    guard let moved = try await context.make(change, by: request, over: client) else { return }
    context.write(moved, "Moved \(moved.named) to calendar \(destination)")
  }
}
