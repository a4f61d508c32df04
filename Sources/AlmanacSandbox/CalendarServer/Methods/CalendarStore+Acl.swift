// SPDX-License-Identifier: Apache-2.0

import JSONCoding

// Access rules ([reference](https://developers.google.com/workspace/calendar/api/v3/reference/acl)), which the owners of a
// calendar read and write.
extension CalendarStore {
  func rules(_ call: CalendarCall) throws(APIFault) -> CallOutcome {
    let slot = try access(call, least: .owner).slot
    let calendar = calendars[slot]
    let page = try PageRequest(
      call, "acl \(calendar.id)", revision: revision, syncTokens: syncTokens)
    let isShown = { (rule: AccessRule) in
      page.since.map { rule.revision > $0 } ?? (rule.role > .none || call.parameters.flag("showDeleted"))
    }
    let rows = calendar.rules.enumerated().filter { isShown($0.element) }.map {
      (SortKey(first: Int64($0.offset)), $0.element)
    }
    let (items, token) = page.page(of: rows)
    let resources = items.map { JSONValue.object($0.resource) }
    return .resource([
      "kind": "calendar#acl", "etag": resources.collectionETag(), "items": .array(resources), token.name: token.value,
    ])
  }

  func rule(_ call: CalendarCall) throws(APIFault) -> CallOutcome {
    .resource(try storedRule(call).rule.resource)
  }

  mutating func insertRule(_ call: CalendarCall) throws(APIFault) -> CallOutcome {
    let slot = try access(call, least: .owner).slot
    guard let scope = call.body["scope"]?.object else { throw .required("Missing scope.") }
    let grantee = try AccessRule.Grantee(scope)
    return .resource(try store(grantee, call, in: slot))
  }

  mutating func changeRule(_ call: CalendarCall, replacing: Bool) throws(APIFault) -> CallOutcome {
    let (slot, rule) = try storedRule(call)
    try call.requireMatch(rule.etag)
    if let scope = call.body["scope"]?.object {
      guard try AccessRule.Grantee(scope) == rule.grantee else { throw .invalid("The scope cannot be changed.") }
    } else if replacing {
      throw .required("Missing scope.")
    }
    guard replacing || call.body["role"] != nil else { return .resource(rule.resource) }
    return .resource(try store(rule.grantee, call, in: slot))
  }

  mutating func deleteRule(_ call: CalendarCall) throws(APIFault) -> CallOutcome {
    let (slot, rule) = try storedRule(call)
    try call.requireMatch(rule.etag)
    try change(rule.grantee, to: .none, call, in: slot)
    return .nothing
  }

  private mutating func store(
    _ grantee: AccessRule.Grantee, _ call: CalendarCall, in slot: Int
  ) throws(APIFault) -> [String: JSONValue] {
    guard let role = call.body["role"]?.string.flatMap(AccessRole.init) else { throw .required("Missing role.") }
    if grantee == .everyone, role > .reader { throw .invalid("This role cannot be granted to everyone.") }
    return try change(grantee, to: role, call, in: slot).resource
  }

  @discardableResult
  private mutating func change(
    _ grantee: AccessRule.Grantee, to role: AccessRole, _ call: CalendarCall, in slot: Int
  ) throws(APIFault) -> AccessRule {
    let calendar = calendars[slot]
    if grantee == .user(calendar.dataOwner), role != .owner {
      throw .forbidden(
        "Cannot remove the last owner of the calendar.", reason: "cannotRemoveLastCalendarOwnerFromAcl")
    }
    if grantee == .user(call.user), role != .owner {
      throw .forbidden("Cannot change your own access level.", reason: "cannotChangeOwnAcl")
    }
    return put(AccessRule(grantee: grantee, role: role), in: slot)
  }

  private func storedRule(_ call: CalendarCall) throws(APIFault) -> (slot: Int, rule: AccessRule) {
    let slot = try access(call, least: .owner).slot
    let id = call.path("ruleId")
    guard let rule = calendars[slot].rules.first(where: { $0.grantee.id == id }), rule.role > .none else {
      throw .notFound
    }
    return (slot, rule)
  }
}
