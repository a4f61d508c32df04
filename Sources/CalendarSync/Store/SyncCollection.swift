// SPDX-License-Identifier: Apache-2.0

/// A list of a store, which changes as a whole.
///
/// All but ``edits`` are lists of the Calendar API, each synchronized with its own sync token. The description names the kind of list, and
/// no calendar.
public enum SyncCollection: Sendable, Hashable {
  /// The user's calendar list.
  case calendarList
  /// The user's settings.
  case settings
  /// The events of a calendar, with recurring events as one resource each.
  case events(calendarID: String)
  /// The access rules of a calendar.
  case accessRules(calendarID: String)
  /// The edits that are not completely made on the server.
  case edits

  /// The calendar of the list, or `nil` for the user's own lists.
  public var calendarID: String? {
    switch self {
    case .calendarList, .settings, .edits: nil
    case .events(let id), .accessRules(let id): id
    }
  }
}

extension SyncCollection: CustomStringConvertible, CustomReflectable {
  /// The kind of list, such as `events`.
  public var description: String {
    switch self {
    case .calendarList: "calendarList"
    case .settings: "settings"
    case .events: "events"
    case .accessRules: "accessRules"
    case .edits: "edits"
    }
  }

  /// A mirror without the calendar, whose identifier is often an e-mail address.
  public var customMirror: Mirror { Mirror(self, children: ["kind": description]) }
}

extension SyncCollection {
  /// The number by which a database stores the kind.
  package var kind: Int64 {
    switch self {
    case .calendarList: 0
    case .settings: 1
    case .events: 2
    case .accessRules: 3
    case .edits: 4
    }
  }

  /// Creates a collection from its stored kind, or `nil` for a kind of a newer release.
  package init?(kind: Int64, calendarID: String) {
    switch kind {
    case 0: self = .calendarList
    case 1: self = .settings
    case 2: self = .events(calendarID: calendarID)
    case 3: self = .accessRules(calendarID: calendarID)
    case 4: self = .edits
    default: return nil
    }
  }
}
