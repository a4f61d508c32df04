// SPDX-License-Identifier: Apache-2.0

extension Event {
  /// A kind of event.
  public struct Kind: OpenEnumeration {
    /// The value as it is sent.
    public let rawValue: String

    /// Creates a value from its text as it is sent.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A birthday or another day of a user, every year.
    public static let birthday: Kind = "birthday"
    /// An ordinary event.
    public static let `default`: Kind = "default"
    /// Time for concentrated work.
    public static let focusTime: Kind = "focusTime"
    /// Made from an e-mail.
    ///
    /// Cannot be created.
    public static let fromGmail: Kind = "fromGmail"
    /// An absence.
    public static let outOfOffice: Kind = "outOfOffice"
    /// Where the user works.
    public static let workingLocation: Kind = "workingLocation"
  }

  /// Whether an event takes place.
  public struct Status: OpenEnumeration {
    /// The value as it is sent.
    public let rawValue: String

    /// Creates a value from its text as it is sent.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// It does.
    public static let confirmed: Status = "confirmed"
    /// Perhaps.
    public static let tentative: Status = "tentative"
    /// It does not, or is deleted.
    public static let cancelled: Status = "cancelled"
  }

  /// Whether an event makes the user busy.
  public struct Transparency: OpenEnumeration {
    /// The value as it is sent.
    public let rawValue: String

    /// Creates a value from its text as it is sent.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// It does.
    public static let opaque: Transparency = "opaque"
    /// It does not.
    public static let transparent: Transparency = "transparent"
  }

  /// Who can see an event.
  public struct Visibility: OpenEnumeration {
    /// The value as it is sent.
    public let rawValue: String

    /// Creates a value from its text as it is sent.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Whoever the calendar lets see its events.
    public static let `default`: Visibility = "default"
    /// Every reader of the calendar.
    public static let `public`: Visibility = "public"
    /// Attendees.
    public static let `private`: Visibility = "private"
    /// Attendees.
    ///
    /// An older name of ``private``.
    public static let confidential: Visibility = "confidential"
  }
}
