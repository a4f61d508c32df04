// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Synchronization

extension Sandbox {
  /// `calendarList.list`
  /// ([reference](https://developers.google.com/workspace/calendar/api/v3/reference/calendarList/list)).
  func calendarList(_ parameters: Parameters, fingerprint path: String) throws(APIFault) -> JSONValue {
    let paging = try Paging(
      parameters, path: path, default: 100, maximum: 250, fullOnly: ["minAccessRole", "showOwnOrganizationOnly"],
      syncGeneration: state.withLock { $0.syncGeneration })
    let roles = SampleCalendar.Role.allCases
    let least = try parameters.choice("minAccessRole", of: roles.map(\.rawValue)).flatMap(SampleCalendar.Role.init)
    let showsDeleted = try parameters.boolean("showDeleted") ?? false
    let showsHidden = try parameters.boolean("showHidden") ?? false
    let enough = roles.drop { $0 != least ?? .freeBusyReader }
    let library = library
    let shown = library.calendars.filter { calendar in
      if let revision = paging.changedSince { return calendar.revision > revision }
      return (showsDeleted || !calendar.isDeleted) && (showsHidden || !calendar.isHidden)
        && enough.contains(calendar.role)
    }
    let page = paging.page(of: shown, path: path, revision: library.revision)
    let items = page.items.map(\.json)
    return .object([
      "kind": "calendar#calendarList", "etag": .etag(of: items), "items": .array(items),
      page.token.name: page.token.value,
    ])
  }
}
