// SPDX-License-Identifier: Apache-2.0

import Almanac

/// The granted and the missing scopes of a sign-in, in words.
struct GrantedAccess {
  let granted: [String]
  let missing: [String]

  init(requested: [Scope], granted scopes: [Scope]) {
    let isGranted = { (scope: Scope) in ScopeRule.google.isCovered(scope, by: scopes) }
    granted = requested.filter(isGranted).map(Self.words)
    missing = requested.filter { !isGranted($0) }.map(Self.words)
  }

  private static func words(_ scope: Scope) -> String {
    switch scope {
    case .openID: "know which account you use"
    case .email: "see your e-mail address"
    case .profile: "see your name and picture"
    case .calendarReadOnly: "see your calendars and their events"
    case .calendarEvents: "add and change events"
    default: scope.rawValue
    }
  }
}
