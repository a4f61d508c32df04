// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import JSONCoding

extension Command {
  static let calendarsSubscribe = Command(
    name: "calendars subscribe",
    leastScope: .calendarList,
    summary: "Add an existing calendar to the user's list.",
    positional: ["ID"],
    options: Session.serverOptions + ListEntryOptions.all + Option.writing
  ) { context in
    try context.checkConsent()
    let data = try await context.dataObject()
    let client = try await Session(context).calendar
    var entry = try data.map { try CalendarListEntry(json: $0.json()) } ?? CalendarListEntry()
    entry.id = context.arguments.positional[0]
    try ListEntryOptions.apply(context, to: &entry)
    let fields = try JSONValue(json: entry.json())
    let change = PlannedChange(
      title: "Add a calendar to the list", fields: FieldChange.between(.object([:]), fields))
    let request = CalendarListResource.insert(entry, colorRgbFormat: fields.colorRgbFormat)
    guard let added = try await context.make(change, by: request, over: client) else { return }
    context.write(added, "Subscribed to \"\(added.title)\"")
  }

  static let calendarsCustomize = Command(
    name: "calendars customize",
    leastScope: .calendarList,
    summary: "Change a calendar's name, colour and visibility on the user's list.",
    positional: ["ID"],
    options: Session.serverOptions + ListEntryOptions.all + Option.writing
  ) { context in
    try context.checkConsent()
    let data = try await context.dataObject() ?? .object([:])
    let client = try await Session(context).calendar
    let id = context.arguments.positional[0]
    let entry = try await client.calendarList.get(id)
    let old = try JSONValue(json: entry.json())
    let base = CalendarListEntry.Patch { $0.changes = data }.applied(to: entry)
    var changed = base
    try ListEntryOptions.apply(context, to: &changed)
    let patch = CalendarListEntry.Patch {
      $0.changes = data.followed(byMergePatch: CalendarListEntry.Patch(from: base, to: changed).changes)
    }
    let fields = FieldChange.between(old, patch.changes)
    guard !fields.isEmpty else { return context.write(entry, "Nothing to change: \"\(entry.title)\"") }
    var request = CalendarListResource.patch(patch, for: id, colorRgbFormat: patch.changes.colorRgbFormat)
    request.ifMatch = entry.etag
    let change = PlannedChange(title: "Change \"\(entry.title)\" on the list", fields: fields)
    guard let updated = try await context.make(change, by: request, over: client) else { return }
    context.write(updated, "Changed \"\(updated.title)\"")
  }

  static let calendarsUnsubscribe = Command(
    name: "calendars unsubscribe",
    leastScope: .calendarList,
    summary: "Remove a calendar from the user's list, without deleting it.",
    positional: ["ID"],
    options: Session.serverOptions + Option.writing
  ) { context in
    try context.checkConsent()
    let client = try await Session(context).calendar
    let id = context.arguments.positional[0]
    let entry = try await client.calendarList.get(id)
    var request = CalendarListResource.delete(id)
    request.ifMatch = entry.etag
    let change = PlannedChange(
      title: "Remove calendar \"\(entry.title)\" from the list", notes: ["The calendar and its events are not deleted."]
    )
    guard try await context.make(change, by: request, over: client) != nil else { return }
    try context.writeDeletion(of: id, "Unsubscribed from \"\(entry.title)\"")
  }
}
