// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
public import OAuthCore
public import OAuthScope

extension ScopeRule {
  /// The rule for [Google's scopes](https://developers.google.com/identity/protocols/oauth2/scopes): a scope is covered by its own name,
  /// by Google's alias for it, or as a part of a broader scope.
  ///
  /// Google's token responses name `.email` and `.profile` by URLs, `https://www.googleapis.com/auth/userinfo.email`
  /// and `…profile`. A Calendar API scope is a part of another one if every method that accepts the first also accepts
  /// the second, and the second reveals and changes at least as much.
  ///
  /// ```swift
  /// ScopeRule.google.isCovered(.calendarEvents, by: token.scopes)     // also true if `.calendar` was granted
  /// ```
  public static let google = ScopeRule { scope, granted in
    granted.contains { $0 == scope || aliases[$0] == scope || parts[$0]?.contains(scope) == true }
  }

  /// The other name of each scope that has two names at Google.
  private static let aliases: [Scope: Scope] = [
    .email: Scope(googleName: "userinfo.email"), Scope(googleName: "userinfo.email"): .email,
    .profile: Scope(googleName: "userinfo.profile"), Scope(googleName: "userinfo.profile"): .profile,
  ]

  /// The scopes included in a scope.
  private static let parts: [Scope: Set<Scope>] = [
    .calendar: Set(Scope.ofCalendarAPI.filter { $0 != .calendar }),
    .calendarReadOnly: [
      .calendarListReadOnly, .calendarPropertiesReadOnly, .calendarEventsReadOnly, .calendarEventsOwnedReadOnly,
      .calendarEventsPublicReadOnly, .calendarEventsFreeBusy, .calendarFreeBusy, .calendarSettingsReadOnly,
    ],
    .calendarACLs: [.calendarACLsReadOnly],
    .calendarList: [.calendarListReadOnly],
    .calendarProperties: [.calendarPropertiesReadOnly],
    .calendarEvents: [.calendarEventsReadOnly],
    .calendarEventsOwned: [.calendarEventsOwnedReadOnly],
    .calendarEventsFreeBusy: [.calendarFreeBusy],
    .calendarSettings: [.calendarSettingsReadOnly],
  ]
}

extension Scope {
  private static let googlePrefix = "https://www.googleapis.com/auth/"

  /// Creates a scope from its complete text or from the last part of Google's URL, such as `calendar.readonly`.
  public init(googleName name: String) {
    let isWhole = name.contains(":") || [.openID, .email, .profile, .offlineAccess].contains(Scope(name))
    self.init(isWhole ? name : Self.googlePrefix + name)
  }

  /// The last part of Google's URL, such as `calendar.readonly`, or the complete text of any other scope.
  package var googleName: String {
    rawValue.hasPrefix(Self.googlePrefix) ? String(rawValue.dropFirst(Self.googlePrefix.count)) : rawValue
  }
}
