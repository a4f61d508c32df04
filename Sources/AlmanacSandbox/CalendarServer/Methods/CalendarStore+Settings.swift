// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Recurrence

// The settings of a user, which are read-only in the API
// ([reference](https://developers.google.com/workspace/calendar/api/v3/reference/settings)).
extension CalendarStore {
  func settings(_ call: CalendarCall) throws(APIFault) -> CallOutcome {
    let page = try PageRequest(call, "settings", revision: revision, syncTokens: syncTokens)
    // Settings never change, so a listing with a sync token has no results.
    let all = page.since == nil ? settings(of: call.user) : []
    let rows = all.enumerated().map { (SortKey(first: Int64($0.offset)), Self.resource($0.element)) }
    let (items, token) = page.page(of: rows)
    return .resource([
      "kind": "calendar#settings", "etag": items.collectionETag(), "items": .array(items), token.name: token.value,
    ])
  }

  func setting(_ call: CalendarCall) throws(APIFault) -> CallOutcome {
    guard let setting = settings(of: call.user).first(where: { $0.id == call.path("setting") }),
      case .object(let fields) = Self.resource(setting)
    else { throw .notFound }
    return .resource(fields)
  }

  private func settings(of user: String) -> [(id: String, value: String)] {
    [
      ("autoAddHangouts", "false"), ("dateFieldOrder", "DMY"), ("defaultEventLength", "60"),
      ("format24HourTime", "true"), ("hideInvitations", "false"), ("hideWeekends", "false"),
      ("locale", accounts[user]?.locale ?? "en"), ("remindOnRespondedEventsOnly", "false"),
      ("showDeclinedEvents", "true"), ("timezone", calendar(user)?.zone.identifier ?? "UTC"),
      ("useKeyboardShortcuts", "true"), ("weekStart", "1"),
    ]
  }

  private static func resource(_ setting: (id: String, value: String)) -> JSONValue {
    var resource: [String: JSONValue] = [
      "kind": "calendar#setting", "id": .string(setting.id), "value": .string(setting.value),
    ]
    resource["etag"] = [.object(resource)].collectionETag(setting.value)
    return .object(resource)
  }
}
