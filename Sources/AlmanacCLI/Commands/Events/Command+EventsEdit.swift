// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import JSONCoding

extension Command {
  static let eventsEdit = Command(
    name: "events edit",
    summary: "Change fields of an event.",
    discussion: """
      Only what is named is changed, and only if the event is still the one that was shown. --data names a JSON merge
      patch: an object with the fields to set, and null for those to clear; options are applied after that. If only
      --start is given, the event keeps its length.
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
    guard !fields.isEmpty else { return context.write(event, "Nothing is different: \(event.named)") }
    if event.attendeesOmitted == true, patch.attendees != .leave {
      throw CalendarError(.invalidRequest, "The server left out guests, and changing the others would remove them.")
    }
    let versions = patch.changes.eventVersions
    var request = EventsResource.patch(
      patch, for: context.arguments.positional[0], in: context.calendarID,
      .init(
        sendUpdates: updates, conferenceDataVersion: versions.conferenceDataVersion,
        eventLabelVersion: versions.eventLabelVersion, supportsAttachments: versions.supportsAttachments))
    request.ifMatch = event.etag
    var after = event
    if let attendees = try? JSONValue(json: event.json()).applying(mergePatch: patch.changes) {
      after = try Event(json: attendees.json())
    }
    let change = PlannedChange(
      title: "Change event \(event.named) in calendar \(context.calendarID)", fields: fields,
      notes: (event.attendees?.count ?? 0) > (after.attendees?.count ?? 0)
        ? event.warnings(updates) : after.warnings(updates))
    guard let changed = try await context.make(change, by: request, over: client) else { return }
    context.write(changed, "Changed \(changed.named), \(changed.when)")
  }
}

extension Context {
  /// The change of an event that --data and the options name.
  fileprivate func patch(of event: Event, _ data: JSONValue?, _ reader: TimeReader) throws -> Event.Patch {
    var changes = data ?? .object([:])
    for name in arguments.all("clear") {
      guard Event.fieldNames.contains(name) else {
        throw UsageError("--clear is a field's name in the API, such as location.", command: command)
      }
      changes = changes.followed(byMergePatch: .object([name: .null]))
    }
    let base = try Event(json: JSONValue(json: event.json()).applying(mergePatch: changes).json())
    var changed = base
    try EventOptions(context: self, reader: reader).apply(to: &changed)
    return Event.Patch {
      $0.changes = changes.followed(byMergePatch: Event.Patch(from: base, to: changed).changes)
    }
  }
}
