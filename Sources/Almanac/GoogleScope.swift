// SPDX-License-Identifier: Apache-2.0

public import CalendarAPI
public import OAuthCore

/// A Google OAuth scope ([Google's list](https://developers.google.com/identity/protocols/oauth2/scopes)).
public struct GoogleScope: Sendable, Hashable, RawRepresentable, ExpressibleByStringLiteral {
  /// The scope as sent to Google.
  public let rawValue: String

  /// Creates a scope from its text as sent to Google.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Creates a scope from a literal.
  public init(stringLiteral value: String) { self.init(rawValue: value) }

  /// Creates a scope from its complete text or from the last part of Google's URL, such as `calendar.readonly`.
  public init(shortName: String) {
    let isWhole = shortName.contains(":") || ["openid", "email", "profile", "offline_access"].contains(shortName)
    self.init(rawValue: isWhole ? shortName : "https://www.googleapis.com/auth/\(shortName)")
  }

  /// Creates a scope from a Calendar API scope.
  public init(_ scope: CalendarScope) { self.init(rawValue: scope.rawValue) }

  /// The user's identity, as an ID token.
  public static let openID: GoogleScope = "openid"
  /// The user's e-mail address.
  public static let email: GoogleScope = "email"
  /// The user's name and picture.
  public static let profile: GoogleScope = "profile"
  /// See, edit, share and delete all calendars.
  public static let calendar = GoogleScope(.full)
  /// See all calendars.
  public static let calendarReadOnly = GoogleScope(.readOnly)
  /// See and edit the events of all calendars.
  public static let calendarEvents = GoogleScope(.events)

  /// The profile and the calendars, read-only: the default scopes of the `almanac` command.
  public static let `default`: [GoogleScope] = [.openID, .email, .profile, .calendarReadOnly]
}

extension GoogleScope {
  /// Returns whether these scopes grant this one: by its own name, by Google's alias for it, or as a part of a broader scope.
  ///
  /// Google's token responses name ``email`` and ``profile`` by URLs, `https://www.googleapis.com/auth/userinfo.email` and
  /// `…profile`. A Calendar API scope is a part of another one if every method that accepts the first also accepts the second.
  public func isGranted(by scopes: [String]) -> Bool {
    Self.names(grantedBy: scopes).contains(rawValue)
  }

  /// Returns the names of all scopes that these scopes grant.
  package static func names(grantedBy scopes: [String]) -> Set<String> {
    scopes.reduce(into: Set(scopes)) { names, scope in
      if let other = otherNames[scope] { names.insert(other) }
      names.formUnion(parts[scope] ?? [])
    }
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
  /// The rule for Google's scopes: ``GoogleScope/isGranted(by:)``.
  public static let google = ScopeRule { GoogleScope(rawValue: $0).isGranted(by: $1) }
}
