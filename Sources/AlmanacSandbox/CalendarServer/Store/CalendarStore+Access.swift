// SPDX-License-Identifier: Apache-2.0

extension CalendarStore {
  /// A calendar, and the call's role in it.
  struct Access {
    /// The index of the calendar in ``CalendarStore/calendars``.
    let slot: Int
    let role: AccessRole
  }

  /// Returns the calendar of a call, if the user's role and the call's scopes give access to it.
  ///
  /// - Parameters:
  ///   - id: The identifier, or `primary` for the user's own calendar.
  ///   - least: The required role.
  func access(
    _ call: CalendarCall, _ id: String? = nil, least: AccessRole = .freeBusyReader
  ) throws(APIFault) -> Access {
    let id = id ?? call.path("calendarId")
    guard let slot = slot(id == "primary" ? call.user : id), !calendars[slot].isDeleted else { throw .notFound }
    let calendar = calendars[slot]
    let role = role(of: call.user, in: calendar)
    guard role > .none else { throw .notFound }
    let granted = call.scopes.map { Self.role($0, in: calendar, of: role, clientID: call.clientID) }.max() ?? .none
    guard granted > .none else {
      throw APIFault(
        status: 403, reason: "insufficientPermissions",
        message: "Request had insufficient authentication scopes for this calendar.")
    }
    guard min(granted, role) >= least else { throw .requiredAccessLevel(least) }
    return Access(slot: slot, role: min(granted, role))
  }

  /// Returns the highest role that a scope allows a user in a calendar.
  private static func role(
    _ scope: String, in calendar: StoredCalendar, of role: AccessRole, clientID: String
  ) -> AccessRole {
    switch scope {
    case "calendar.app.created": calendar.createdBy == clientID ? .owner : .none
    case "calendar.events.owned", "calendar.events.owned.readonly": role == .owner ? .owner : .none
    case "calendar.events.public.readonly": calendar.isPublic ? .reader : .none
    case "calendar.events.freebusy", "calendar.freebusy": .freeBusyReader
    default: .owner
    }
  }
}

/// The groups and their members.
///
/// E-mail addresses are in lower case.
struct GroupDirectory: Sendable {
  private var groups: [String: [String]] = [:]

  init(_ groups: [Sandbox.Group] = []) {
    for group in groups { self.groups[group.email.lowercased()] = group.members.map { $0.lowercased() } }
  }

  /// Returns the members of a group and of nested groups without duplicates, or `nil` if there is no such group.
  func members(of group: String) -> [String]? {
    guard let direct = groups[group] else { return nil }
    var seen: Set<String> = [group]
    var members: [String] = []
    var rest = direct[...]
    while let address = rest.popFirst() {
      guard seen.insert(address).inserted else { continue }
      if let inner = groups[address] { rest = inner + rest } else { members.append(address) }
    }
    return members
  }

  /// Returns whether a user is a member of a group or of a nested group.
  func contains(_ user: String, in group: String) -> Bool { members(of: group)?.contains(user) == true }
}
