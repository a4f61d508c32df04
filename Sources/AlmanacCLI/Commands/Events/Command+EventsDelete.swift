// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import CalendarSync

extension Command {
  static let eventsDelete = Command(
    name: "events delete",
    leastScope: .calendarEvents,
    summary: "Delete an event.",
    discussion: """
      The event is deleted only if it has not changed since it was shown. With --following, the identifier is that of one
      event of a series; the series then ends before it.
      """,
    positional: ["ID"],
    options: Session.serverOptions + [.calendar] + [
      Option("following", nil, "delete this event of a series and all following ones"), .sendUpdates,
    ] + Option.writing
  ) { context in
    try context.checkConsent()
    let updates = try context.sendUpdates
    let client = try await Session(context).calendar
    let event = try await context.event(client)
    if context.arguments.has("following") { return try await context.deleteFollowing(event, client, updates) }
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
    leastScope: .calendarEvents,
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

extension Context {
  /// Deletes an event of a series and all following ones.
  fileprivate func deleteFollowing(_ event: Event, _ client: CalendarClient, _ updates: SendUpdates) async throws {
    let id = arguments.positional[0]
    guard event.recurringEventID != nil || event.recurrence?.isEmpty == false else {
      throw CalendarError(.invalidRequest, "The event is not one of a series. Delete it without --following.")
    }
    do {
      let series = try await client.events.series(id, in: calendarID)
      let plan = try series.planDeletion(.thisAndFollowing, of: event, sendUpdates: updates)
      let isWhole = plan.after.isEmpty
      let change = PlannedChange(
        title: "Delete event \(event.named) and all following ones from calendar \(calendarID)",
        fields: isWhole
          ? [FieldChange("when", from: event.period?.textWithZone ?? event.when, to: nil)]
          : [
            FieldChange(
              "recurrence", from: series.event.recurrence?.joined(separator: " "),
              to: plan.after.first?.recurrence?.joined(separator: " "))
          ],
        notes: (isWhole ? ["This is the first event of the series: all of its events are deleted."] : [])
          + series.event.guestWarnings(updates))
      let made: Void? = try await make(
        change, method: isWhole ? "events.delete" : "events.patch", isConditional: true
      ) {
        try await client.events.perform(plan)
      }
      guard made != nil else { return }
      try writeDeletion(of: id, "Deleted \(event.named), \(event.when), and all following events")
    } catch let error as CalendarEditError {
      switch error.code {
      case .conflict:
        throw CalendarError(
          .conditionNotMet,
          "Another program has changed the series since it was shown. Nothing was written. Run the command again to see its current state."
        )
      case .interrupted:
        throw CalendarError(
          .outcomeUnknown,
          "The deletion was interrupted. Some of its changes may have been made. Check the series before you run the command again.",
          cause: error.cause)
      default: throw CalendarError(.invalidRequest, error.message)
      }
    }
  }
}
