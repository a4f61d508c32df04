// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import JSONCoding

extension Command {
  static let calendarsAdd = Command(
    name: "calendars add",
    leastScope: .calendarProperties,
    summary: "Create a calendar.",
    discussion:
      "The request is not retried. If its response is lost, check `almanac calendars` before you run the command again.",
    options: Session.serverOptions + CalendarOptions.all + Option.writing,
    required: [["title", "data"]]
  ) { context in
    try context.checkConsent()
    let patch = try await context.calendarPatch()
    guard patch.summary != .leave else {
      throw UsageError("The calendar has no title. Use --title, or summary in --data.", command: context.command)
    }
    let client = try await Session(context).calendar
    let calendar = patch.applied(to: CalendarMetadata())
    let change = PlannedChange(
      title: "Create a calendar", fields: FieldChange.between(.object([:]), patch.changes))
    guard let added = try await context.make(change, by: CalendarsResource.insert(calendar), over: client) else {
      return
    }
    context.write(added, "Created \(added.named): \(added.id ?? "?")")
  }

  static let calendarsEdit = Command(
    name: "calendars edit",
    leastScope: .calendarProperties,
    summary: "Change a calendar's title, description, place or time zone, for everyone who sees it.",
    positional: ["ID"],
    options: Session.serverOptions + CalendarOptions.all + Option.writing
  ) { context in
    try context.checkConsent()
    let patch = try await context.calendarPatch()
    let client = try await Session(context).calendar
    let id = context.arguments.positional[0]
    let calendar = try await client.calendars.get(id)
    let fields = FieldChange.between(try JSONValue(json: calendar.json()), patch.changes)
    guard !fields.isEmpty else { return context.write(calendar, "Nothing to change: \(calendar.named)") }
    var request = CalendarsResource.patch(patch, for: id)
    request.ifMatch = calendar.etag
    let change = PlannedChange(title: "Change calendar \(calendar.named)", fields: fields)
    guard let changed = try await context.make(change, by: request, over: client) else { return }
    context.write(changed, "Changed \(changed.named)")
  }

  static let calendarsDelete = Command(
    name: "calendars delete",
    leastScope: .calendarProperties,
    summary: "Delete a calendar and all of its events.",
    discussion: "The primary calendar cannot be deleted. To empty it, use `almanac calendars clear`.",
    positional: ["ID"],
    options: Session.serverOptions + Option.writing
  ) { context in
    try context.checkConsent()
    let client = try await Session(context).calendar
    let id = context.arguments.positional[0]
    let calendar = try await client.calendars.get(id)
    var request = CalendarsResource.delete(id)
    request.ifMatch = calendar.etag
    let change = PlannedChange(
      title: "Delete calendar \(calendar.named)",
      notes: ["All of its events are deleted, for everyone who sees it. This cannot be undone."])
    guard try await context.make(change, by: request, over: client) != nil else { return }
    try context.writeDeletion(of: id, "Deleted \(calendar.named)")
  }

  static let calendarsClear = Command(
    name: "calendars clear",
    leastScope: .calendarProperties,
    summary: "Delete all events of the primary calendar.",
    options: Session.serverOptions + Option.writing
  ) { context in
    try context.checkConsent()
    let client = try await Session(context).calendar
    let calendar = try await client.calendars.get("primary")
    let change = PlannedChange(
      title: "Delete all events of the primary calendar, \(calendar.named)", notes: ["This cannot be undone."])
    let request = CalendarsResource.clear("primary")
    guard try await context.make(change, by: request, over: client) != nil else { return }
    if context.isJSON { return try context.writeJSON(["cleared": calendar.id ?? "primary"]) }
    context.terminal.line("Deleted all events of \(calendar.named)")
  }
}

extension CalendarMetadata {
  /// The title in quotation marks, or the identifier.
  fileprivate var named: String { summary.map { "\"\($0)\"" } ?? id ?? "(no title)" }
}

extension Context {
  /// Returns the changes of a calendar in --data and the options.
  fileprivate func calendarPatch() async throws -> CalendarMetadata.Patch {
    var changes = try await dataObject() ?? .object([:])
    for (name, value) in CalendarOptions.fields(self) {
      changes = changes.followed(byMergePatch: .object([name: .string(value)]))
    }
    guard changes != .object([:]) else {
      throw UsageError(
        "There is no field to set. Use at least one of --title, --description, --location, --zone and --data.",
        command: command
      )
    }
    return CalendarMetadata.Patch { $0.changes = changes }
  }
}
