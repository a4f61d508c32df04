// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import OAuthJOSE
import Recurrence

// Calendars themselves
// ([reference](https://developers.google.com/workspace/calendar/api/v3/reference/calendars)).
extension CalendarStore {
  func calendar(_ call: CalendarCall) throws(APIFault) -> CallOutcome {
    .resource(calendars[try access(call).slot].resource)
  }

  mutating func insertCalendar(_ call: CalendarCall) throws(APIFault) -> CallOutcome {
    let zone = slot(call.user).map { calendars[$0].zone } ?? .utc
    var calendar = StoredCalendar(
      id: Self.id(for: "new/\(revision)/\(calendars.count)"), fields: [:], zone: zone, dataOwner: call.user,
      createdBy: call.clientID, rules: [AccessRule(grantee: .user(call.user), role: .owner)], updated: call.now,
      eventsUpdated: call.now)
    try calendar.change(call.body, replacing: true, defaultZone: zone)
    calendar = put(calendar, now: call.now)
    let colorID = CalendarColors.calendar[calendar.revision % CalendarColors.calendar.count].id
    put(
      ListEntry(calendarID: calendar.id, fields: ListEntry.defaults(colorID: colorID, role: .owner)), of: call.user)
    return .resource(calendar.resource)
  }

  /// Performs `update`, which replaces all fields, or `patch`, which changes only the fields in the body.
  mutating func changeCalendar(_ call: CalendarCall, replacing: Bool) throws(APIFault) -> CallOutcome {
    let zone = slot(call.user).map { calendars[$0].zone } ?? .utc
    var calendar = calendars[try access(call, least: .owner).slot]
    try call.requireMatch(calendar.etag)
    try calendar.change(call.body, replacing: replacing, defaultZone: zone)
    return .resource(put(calendar, now: call.now).resource)
  }

  mutating func deleteCalendar(_ call: CalendarCall) throws(APIFault) -> CallOutcome {
    var calendar = calendars[try access(call, least: .owner).slot]
    try call.requireMatch(calendar.etag)
    guard !calendar.isPrimary else {
      throw .forbidden("The primary calendar cannot be deleted.", reason: "cannotDeletePrimaryCalendar")
    }
    calendar.isDeleted = true
    put(calendar, now: call.now)
    return .nothing
  }

  /// Deletes all events of the primary calendar.
  mutating func clearCalendar(_ call: CalendarCall) throws(APIFault) -> CallOutcome {
    let slot = try access(call, least: .owner).slot
    guard calendars[slot].isPrimary else { throw .invalid("Only the primary calendar can be cleared.") }
    for event in calendars[slot].events.events where !event.isCancelled { cancel(event, in: slot, call) }
    return .nothing
  }

  mutating func transferCalendar(_ call: CalendarCall) throws(APIFault) -> CallOutcome {
    let slot = try access(call, least: .owner).slot
    guard call.parameters.flag("useAdminAccess") else {
      throw .forbidden("Ownership can only be transferred with the access of an administrator.")
    }
    guard !calendars[slot].isPrimary else { throw .forbidden("The primary calendar cannot be transferred.") }
    guard let owner = call.parameters["newDataOwner"], accounts[owner] != nil else {
      throw .invalidParameter("newDataOwner", "Invalid new data owner.", reason: "invalid")
    }
    put(AccessRule(grantee: .user(owner), role: .owner), in: slot)
    var calendar = calendars[slot]
    calendar.dataOwner = owner
    put(calendar, now: call.now)
    if accounts[owner]?.entry(calendar.id) == nil {
      let fields = ListEntry.defaults(colorID: "1", role: .owner)
      put(ListEntry(calendarID: calendar.id, fields: fields), of: owner)
    }
    return .nothing
  }

  /// Returns a calendar identifier in Google's format.
  static func id(for text: String) -> String {
    let digest = MessageDigest.sha256(text).prefix(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    return "c_\(digest)@group.calendar.example"
  }
}

extension StoredCalendar {
  /// Merges the fields of a body.
  ///
  /// `null` removes a field.
  ///
  /// - Parameter replacing: Whether omitted fields are cleared.
  fileprivate mutating func change(
    _ body: [String: JSONValue], replacing: Bool, defaultZone: Zone
  ) throws(APIFault) {
    var body = body
    for name in ["id", "conferenceProperties"] { body[name] = nil }
    let zoneName = body.removeValue(forKey: "timeZone")
    if replacing || zoneName != nil {
      guard let zone = zoneName?.string.map({ Zone.named($0) }) ?? defaultZone else {
        throw .invalid("Invalid time zone.")
      }
      self.zone = zone
    }
    fields = JSONValue.object(replacing ? [:] : fields).applying(mergePatch: .object(body)).object ?? [:]
    guard let summary = fields["summary"]?.string, !summary.isEmpty else { throw .required("Missing summary.") }
    guard (fields["labelProperties"]?["eventLabels"]?.array?.count ?? 0) <= 200 else {
      throw .invalid("Too many event labels.")
    }
  }
}
