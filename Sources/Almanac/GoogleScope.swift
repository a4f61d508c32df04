// SPDX-License-Identifier: Apache-2.0

public import CalendarAPI

/// What an account may be asked to allow ([Google's list](https://developers.google.com/identity/protocols/oauth2/scopes)).
public struct GoogleScope: Sendable, Hashable, RawRepresentable, ExpressibleByStringLiteral {
  /// The scope as it is sent.
  public let rawValue: String

  /// Creates a scope from its text as it is sent.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Creates a scope from a literal.
  public init(stringLiteral value: String) { self.init(rawValue: value) }

  /// Creates a scope from its whole text, or from the last part of Google's URL, such as `calendar.readonly`.
  public init(shortName: String) {
    let isWhole = shortName.contains(":") || ["openid", "email", "profile", "offline_access"].contains(shortName)
    self.init(rawValue: isWhole ? shortName : "https://www.googleapis.com/auth/\(shortName)")
  }

  /// Creates a scope from one of the Calendar API's.
  public init(_ scope: CalendarScope) { self.init(rawValue: scope.rawValue) }

  /// Who the user is, as an ID token.
  public static let openID: GoogleScope = "openid"
  /// The user's e-mail address.
  public static let email: GoogleScope = "email"
  /// The user's name and picture.
  public static let profile: GoogleScope = "profile"
  /// Seeing, changing, sharing and deleting every calendar.
  public static let calendar = GoogleScope(.full)
  /// Seeing every calendar.
  public static let calendarReadOnly = GoogleScope(.readOnly)
  /// Seeing and changing the events of every calendar.
  public static let calendarEvents = GoogleScope(.events)

  /// Profile and calendars, read only: what the `almanac` command requests.
  public static let `default`: [GoogleScope] = [.openID, .email, .profile, .calendarReadOnly]
}
