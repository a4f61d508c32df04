// SPDX-License-Identifier: Apache-2.0

extension Sandbox {
  /// Something that an application may ask for.
  public struct Scope: Sendable, Hashable {
    /// The scope as it is sent.
    public var name: String
    /// What it allows, as the consent page puts it.
    public var explanation: String

    /// Creates a scope.
    public init(_ name: String, _ explanation: String) {
      self.name = name
      self.explanation = explanation
    }

    /// OpenID Connect's and Google Calendar's scopes.
    public static let all =
      [
        Scope("openid", "Know which account you use"),
        Scope("email", "See your e-mail address"),
        Scope("profile", "See your name and picture"),
      ]
      + [
        ("userinfo.email", "See your e-mail address"),
        ("userinfo.profile", "See your name and picture"),
        ("calendar", "See, change, share and delete all your calendars"),
        ("calendar.readonly", "See all your calendars and their events"),
        ("calendar.calendarlist", "See, add and remove calendars you are subscribed to"),
        ("calendar.calendarlist.readonly", "See the list of calendars you are subscribed to"),
        ("calendar.calendars", "See and change the properties of your calendars"),
        ("calendar.calendars.readonly", "See the properties of your calendars"),
        ("calendar.events", "See and change events on all your calendars"),
        ("calendar.events.readonly", "See events on all your calendars"),
        ("calendar.events.owned", "See and change events on calendars you own"),
        ("calendar.events.owned.readonly", "See events on calendars you own"),
        ("calendar.events.public.readonly", "See events on public calendars"),
        ("calendar.events.freebusy", "See when you are free or busy, on all your calendars"),
        ("calendar.freebusy", "See when you are free or busy"),
        ("calendar.acls", "See and change who your calendars are shared with"),
        ("calendar.acls.readonly", "See who your calendars are shared with"),
        ("calendar.app.created", "Make calendars of its own, and see and change their events"),
        ("calendar.settings", "See and change your calendar settings"),
        ("calendar.settings.readonly", "See your calendar settings"),
      ].map { Scope(google + $0, $1) }

    /// What the Meetup-like provider knows.
    static let meetup = [Scope("basic", "See your city, country, photo and topics")]

    static let google = "https://www.googleapis.com/auth/"

    /// Google's own names of two scopes of OpenID Connect.
    static let longNames = ["email": google + "userinfo.email", "profile": google + "userinfo.profile"]
  }
}
