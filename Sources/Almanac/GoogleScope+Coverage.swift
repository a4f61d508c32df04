// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
public import OAuthCore

extension GoogleScope {
  /// Returns whether a token with these scopes has this one: under its own name, under Google's other name for it, or as a part
  /// of a wider one.
  ///
  /// Google's token responses name ``email`` and ``profile`` by URLs,
  /// `https://www.googleapis.com/auth/userinfo.email` and `…profile`.
  /// A scope of the Calendar API is a part of another one if every method that accepts the first accepts the second too.
  public func isGranted(by scopes: [String]) -> Bool {
    let names = [rawValue] + (Self.otherNames[rawValue].map { [$0] } ?? [])
    return scopes.contains { names.contains($0) || Self.parts[$0]?.contains(rawValue) == true }
  }

  private static let otherNames: [String: String] = {
    let pairs = [
      (email.rawValue, GoogleScope(shortName: "userinfo.email").rawValue),
      (profile.rawValue, GoogleScope(shortName: "userinfo.profile").rawValue),
    ]
    return Dictionary(uniqueKeysWithValues: pairs + pairs.map { ($1, $0) })
  }()

  /// The scopes that a scope includes.
  private static let parts: [String: Set<String>] = {
    let parts: [CalendarScope: [CalendarScope]] = [
      .full: CalendarScope.knownValues.filter { $0 != .full },
      .readOnly: [
        .calendarListReadOnly, .calendarsReadOnly, .eventsReadOnly, .eventsOwnedReadOnly, .eventsPublicReadOnly,
        .eventsFreeBusy, .freeBusy, .settingsReadOnly,
      ],
      .acls: [.aclsReadOnly],
      .calendarList: [.calendarListReadOnly],
      .calendars: [.calendarsReadOnly],
      .events: [.eventsReadOnly],
      .eventsOwned: [.eventsOwnedReadOnly],
      .eventsFreeBusy: [.freeBusy],
      .settings: [.settingsReadOnly],
    ]
    return parts.reduce(into: [:]) { $0[$1.key.rawValue] = Set($1.value.map(\.rawValue)) }
  }()
}

extension ScopeRule {
  /// Google's scopes, as ``GoogleScope/isGranted(by:)`` compares them.
  public static let google = ScopeRule { GoogleScope(rawValue: $0).isGranted(by: $1) }
}
