// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import JSONCoding

extension Command {
  static let eventsEdit = Command(
    name: "events edit",
    leastScope: .calendarEvents,
    summary: "Change fields of an event.",
    discussion: """
      Changes only the named fields, and only if the event has not changed since it was shown. --data names a JSON merge
      patch: an object with the fields to set, and null for fields to clear. The other options are applied after it. If
      only --start is given, the event keeps its length.
      """,
    positional: ["ID"],
    options: Session.serverOptions + [.calendar] + EventOptions.all + EventOptions.editing + [.sendUpdates]
      + Option.writing
  ) { context in
    try context.checkConsent()
    let updates = try context.sendUpdates
    let data = try await context.dataObject()
    let client = try await Session(context).calendar
    let event = try await context.event(client)
    let reader = try await context.timeReader(client, for: context.calendarID)
    let patch = try context.patch(of: event, data, reader)
    let fields = FieldChange.between(event, patch)
    guard !fields.isEmpty else { return context.write(event, "Nothing to change: \(event.named)") }
    if event.attendeesOmitted == true, patch.attendees != .leave {
      throw CalendarError(
        .invalidRequest,
        "The server omitted some guests, and changing the guest list would remove them. Nothing was changed. Change other fields only."
      )
    }
    var request = EventsResource.patch(
      patch, for: context.arguments.positional[0], in: context.calendarID, .init(writing: patch, sendUpdates: updates))
    request.ifMatch = event.etag
    let after = patch.applied(to: event)
    let change = PlannedChange(
      title: "Change event \(event.named) in calendar \(context.calendarID)", fields: fields,
      notes: (event.attendees?.count ?? 0) > (after.attendees?.count ?? 0)
        ? event.warnings(updates) : after.warnings(updates))
    guard let changed = try await context.make(change, by: request, over: client) else { return }
    context.write(changed, "Changed \(changed.named), \(changed.when)")
  }
}

extension Context {
  /// Returns the changes of an event in --data and the options.
  fileprivate func patch(of event: Event, _ data: JSONValue?, _ reader: TimeReader) throws -> Event.Patch {
    var changes = data ?? .object([:])
    for name in arguments.all("clear") {
      guard Event.fieldNames.contains(name) else {
        throw UsageError("--clear must be a field's name in the API, such as location.", command: command)
      }
      changes = changes.followed(byMergePatch: .object([name: .null]))
    }
    let base = Event.Patch { $0.changes = changes }.applied(to: event)
    var changed = base
    try EventOptions(context: self, reader: reader).apply(to: &changed)
    return Event.Patch {
      $0.changes = changes.followed(byMergePatch: Event.Patch(from: base, to: changed).changes)
    }
  }
}
