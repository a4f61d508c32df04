// SPDX-License-Identifier: Apache-2.0

import JSONCoding

// The calendars on a user's list
// ([reference](https://developers.google.com/workspace/calendar/api/v3/reference/calendarList)).
extension CalendarStore {
  func entries(_ call: CalendarCall) throws(APIFault) -> CallOutcome {
    let page = try PageRequest(call, "calendarList", revision: revision, syncTokens: syncTokens)
    let least = call.parameters["minAccessRole"].flatMap(AccessRole.init) ?? .none
    let showsDeleted = call.parameters.flag("showDeleted")
    let showsHidden = call.parameters.flag("showHidden")
    var rows: [(key: SortKey, item: JSONValue)] = []
    for (offset, entry) in (accounts[call.user]?.entries ?? []).enumerated() {
      guard let calendar = calendar(entry.calendarID), isReachable(calendar, call) else { continue }
      let role = role(of: call.user, in: calendar)
      let isDeleted = entry.isDeleted || calendar.isDeleted
      var key = SortKey(first: Int64(offset))
      if let since = page.since {
        key.first = Int64(max(entry.revision, calendar.revision))
        guard key.first > since else { continue }
      } else {
        guard showsDeleted || !isDeleted, showsHidden || !entry.isHidden, isDeleted || role >= least else { continue }
      }
      rows.append((key, .object(entry.resource(of: calendar, role: role))))
    }
    let (items, token) = page.page(of: rows)
    return .resource([
      "kind": "calendar#calendarList", "etag": items.collectionETag(), "items": .array(items), token.name: token.value,
    ])
  }

  func entry(_ call: CalendarCall) throws(APIFault) -> CallOutcome {
    let (calendar, entry) = try storedEntry(call)
    return .resource(entry.resource(of: calendar, role: role(of: call.user, in: calendar)))
  }

  /// Adds a calendar accessible to the user to their list, or restores its entry.
  mutating func insertEntry(_ call: CalendarCall) throws(APIFault) -> CallOutcome {
    guard let id = call.body["id"]?.string else { throw .required("Missing calendar identifier.") }
    let access = try access(call, id)
    let calendar = calendars[access.slot]
    let known = accounts[call.user]?.entry(calendar.id)
    let number = accounts[call.user]?.entries.count ?? 0
    let colorID = CalendarColors.calendar[number % CalendarColors.calendar.count].id
    var entry = known ?? ListEntry(calendarID: calendar.id, fields: [:])
    if known == nil || entry.isDeleted {
      entry.fields = ListEntry.defaults(colorID: colorID, role: access.role)
    }
    entry.isDeleted = false
    try entry.change(call)
    return .resource(put(entry, of: call.user).resource(of: calendar, role: role(of: call.user, in: calendar)))
  }

  mutating func changeEntry(_ call: CalendarCall, replacing: Bool) throws(APIFault) -> CallOutcome {
    var (calendar, entry) = try storedEntry(call)
    let role = role(of: call.user, in: calendar)
    try call.requireMatch(entry.resource(of: calendar, role: role)["etag"]?.string ?? "")
    if replacing {
      // Omitted colors and reminders keep their values.
      let kept = entry.fields.filter {
        ["colorId", "backgroundColor", "foregroundColor", "defaultReminders", "notificationSettings"].contains($0.key)
      }
      entry.fields = kept
    }
    try entry.change(call)
    return .resource(put(entry, of: call.user).resource(of: calendar, role: role))
  }

  mutating func deleteEntry(_ call: CalendarCall) throws(APIFault) -> CallOutcome {
    var (calendar, entry) = try storedEntry(call)
    try call.requireMatch(entry.resource(of: calendar, role: role(of: call.user, in: calendar))["etag"]?.string ?? "")
    guard !calendar.isPrimary || calendar.id != call.user else {
      throw .forbidden("The primary calendar cannot be removed from the list.")
    }
    entry.isDeleted = true
    put(entry, of: call.user)
    return .nothing
  }

  private func storedEntry(_ call: CalendarCall) throws(APIFault) -> (StoredCalendar, ListEntry) {
    let id = call.path("calendarId")
    guard let entry = accounts[call.user]?.entry(id == "primary" ? call.user : id), !entry.isDeleted,
      let calendar = calendar(entry.calendarID), !calendar.isDeleted, isReachable(calendar, call)
    else { throw .notFound }
    return (calendar, entry)
  }

  /// Whether the call's scopes give access to a calendar.
  private func isReachable(_ calendar: StoredCalendar, _ call: CalendarCall) -> Bool {
    call.scopes.contains { $0 != "calendar.app.created" } || calendar.createdBy == call.clientID
  }
}

extension ListEntry {
  /// Merges the fields of a body.
  ///
  /// `null` removes a field.
  fileprivate mutating func change(_ call: CalendarCall) throws(APIFault) {
    var body = call.body
    for name in ["id", "summary", "description", "location", "timeZone", "conferenceProperties", "accessRole"] {
      body[name] = nil
    }
    let background = body["backgroundColor"]?.string
    if call.parameters.flag("colorRgbFormat"), let background {
      guard let nearest = CalendarColors.nearest(to: background) else { throw .invalid("Invalid background color.") }
      if let foreground = body["foregroundColor"]?.string, CalendarColors.nearest(to: foreground) == nil {
        throw .invalid("Invalid foreground color.")
      }
      body["colorId"] = .string(nearest)
    } else {
      body["backgroundColor"] = nil
      body["foregroundColor"] = nil
      if let colorID = body["colorId"]?.string {
        let colors = CalendarColors.fields(of: colorID)
        guard !colors.isEmpty else { throw .invalid("Invalid color identifier.") }
        if colorID != fields["colorId"]?.string { body.merge(colors) { $1 } }
      }
    }
    if let reminders = body["defaultReminders"]?.array { try Reminders.check(reminders) }
    fields = JSONValue.object(fields).applying(mergePatch: .object(body)).object ?? [:]
  }
}
