// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import HexColor
import OpenIDConnect
import Timekeeping
import TokenStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The first page as a value: the account's state, its calendars, and what happened.
///
/// No token is within its reach.
struct AccountPage {
  /// The outcome of the last action, shown once.
  struct Notice {
    let text: String
    var isError = false

    init(text: String) { self.text = text }

    /// The message of an error, with its remedy.
    init(_ error: any Error) {
      text = Failure(error, hiding: []).message
      isError = true
    }
  }

  /// What was read with the token.
  struct Content {
    /// `nil` if the calendars were not granted.
    var calendars: (list: PaintedCalendars, agenda: Agenda)?
    /// `nil` if the profile was not granted.
    var profile: UserProfile?
  }

  var notice: Notice?
  let isSignedIn: Bool
  /// `nil` without a sign-in, or if it could not be read this time.
  let content: Content?
  let access: GrantedAccess
  let formKey: Secret
  let history: History

  var document: Document {
    Document(
      title: notice?.text ?? state, subtitle: isSignedIn ? state : "OAuth 2.0 and Google Calendar, on this computer.",
      buttons: buttons, style: paint,
      main: """
        \(notice.map(section) ?? "")
        \(access.missing.isEmpty || !isSignedIn ? "" : partialGrant)
        \(content.map(sections) ?? (isSignedIn ? log : invitation))
        """)
  }

  private var state: String {
    isSignedIn ? "\(content?.profile?.name ?? content?.profile?.email ?? "You") · signed in" : "Signed out"
  }

  private var buttons: HTML {
    guard isSignedIn else { return button("grant", "Grant", isPrimary: true) }
    return HTML([
      button("hour", "Let an hour pass"), button("forget", "Reject the token"), button("relaunch", "Relaunch"),
      button("revoke", "Revoke"),
    ])
  }

  func button(_ action: String, _ label: String, isPrimary: Bool = false) -> HTML {
    """
    <form method="post" action="/\(action)"><input type="hidden" name="key" value="\(formKey.reveal())">\
    <button id="\(action)"\(HTML(stringLiteral: isPrimary ? " class=\"primary\"" : ""))>\(label)</button></form>
    """
  }

  /// It takes the focus, so that a screen reader says it at once.
  private func section(_ notice: Notice) -> HTML {
    notice.isError
      ? """
      <section class="status error" role="alert" tabindex="-1" autofocus><p><strong>Error:</strong> \(notice.text)</p></section>
      """
      : """
      <section class="status" role="status" tabindex="-1" autofocus><p>\(notice.text)</p></section>
      """
  }

  private var invitation: HTML {
    """
    <section aria-labelledby="begin"><h2 id="begin">No account is signed in</h2>
    <p>Grant sends you to the sandbox's consent page and back. It requests your profile and for your calendars, read only.</p>
    </section>
    \(history.isEmpty ? "" : log)
    """
  }

  private var partialGrant: HTML {
    """
    <section class="status partial" aria-labelledby="access"><h2 id="access">Only a part of the access was granted</h2>
    <dl><dt>Granted</dt><dd>\(access.granted.joined(separator: "; "))</dd>\
    <dt>Not granted</dt><dd>\(access.missing.joined(separator: "; "))</dd></dl>
    \(button("grant", "Grant the rest", isPrimary: true))</section>
    """
  }

  var log: HTML {
    """
    <section aria-labelledby="log"><h2 id="log">What just happened</h2>
    \(history.isEmpty ? "<p>Nothing yet.</p>" : history.html)</section>
    """
  }
}

extension AccountPage {
  func sections(_ content: Content) -> HTML {
    """
    \(content.calendars.map { table($0.list) } ?? "")
    <div class="columns">
    \(content.calendars.map { week($0.agenda, $0.list) } ?? "")
    <div>
    \(content.profile.map(section) ?? "")
    \(log)
    </div>
    </div>
    """
  }

  // The roles say again what the elements are, since a table that is laid out as cards on a narrow screen loses them.
  private func table(_ list: PaintedCalendars) -> HTML {
    """
    <section aria-labelledby="calendars"><h2 id="calendars">Calendars</h2>
    <table role="table"><caption>\(list.entries.count) calendars, each in its own colours</caption>
    <thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">Calendar</th>\
    <th role="columnheader" scope="col">Colour</th><th role="columnheader" scope="col">Access</th>\
    <th role="columnheader" scope="col">Time zone</th></tr></thead>
    <tbody role="rowgroup">\(HTML(list.entries.enumerated().map { row($0.offset, $0.element, list) }))</tbody></table>
    </section>
    """
  }

  private func row(_ number: Int, _ entry: CalendarListEntry, _ list: PaintedCalendars) -> HTML {
    """
    <tr role="row" class="painted c\(number)"><th role="rowheader" scope="row"><span dir="auto">\(entry.title)</span>\
    <span class="subtitle" dir="auto">\(entry.subtitle)</span></th>\
    <td role="cell" class="mono">\(list.colors.appearance(of: entry).background.hex)</td>\
    <td role="cell">\(entry.accessRole?.inWords ?? "")\(entry.primary == true ? " (primary)" : "")</td>\
    <td role="cell">\(entry.timeZone ?? "")</td></tr>
    """
  }

  private func week(_ agenda: Agenda, _ list: PaintedCalendars) -> HTML {
    """
    <section aria-labelledby="agenda"><h2 id="agenda">The coming week</h2>
    <p class="faint">Times are in the zone \(agenda.zone).</p>
    <ol class="agenda">\(HTML(agenda.days.map { day($0, list) }))</ol></section>
    """
  }

  private func day(_ day: (date: CivilDate, items: [Agenda.Item]), _ list: PaintedCalendars) -> HTML {
    """
    <li><h3><time datetime="\(day.date.description)">\(day.date.inWords)</time></h3>
    <ul>\(HTML(day.items.map { item($0, list) }))</ul></li>
    """
  }

  // The calendar's name stands beside the event: its colour alone would not tell it to everyone.
  private func item(_ item: Agenda.Item, _ list: PaintedCalendars) -> HTML {
    let number = list.entries.firstIndex { $0.id == item.calendar.id } ?? 0
    return """
      <li><span class="dot painted c\(number)" aria-hidden="true"></span>\
      <span class="time">\(item.time)</span> <span><span dir="auto">\(item.title)</span> \
      <span class="faint" dir="auto">\(item.calendar.title)</span></span></li>
      """
  }

  private func section(_ profile: UserProfile) -> HTML {
    """
    <section aria-labelledby="profile"><h2 id="profile">Profile</h2>
    \(profile.picture.map(avatar) ?? "")
    <dl>\(HTML(profile.rows.map { "<dt>\($0.0)</dt><dd>\($0.1)</dd>" as HTML }))</dl></section>
    """
  }

  // The name stands beside the picture, so that the picture has nothing to add for a screen reader.
  private func avatar(_ url: URL) -> HTML {
    """
    <img class="avatar" src="\(url.absoluteString)" alt="" width="64" height="64" referrerpolicy="no-referrer">
    """
  }

  /// One class a calendar.
  ///
  /// Colours are written by ``RGBColor``, so that nothing else can get in.
  var paint: HTML {
    guard let list = content?.calendars?.list else { return "" }
    return HTML(
      list.entries.enumerated().map { number, entry in
        let paint = list.colors.appearance(of: entry)
        return ".c\(number){background:\(paint.background.hex);color:\(paint.foreground.hex)}"
      })
  }
}

extension AccessRole {
  /// What the user may do with the calendar.
  var inWords: String {
    switch self {
    case .owner: "Owner"
    case .writer: "May change events"
    case .writerWithoutPrivateAccess: "May change events that are not private"
    case .reader: "May see events"
    case .freeBusyReader: "May see free and busy times"
    case .none: "No access"
    default: rawValue
    }
  }
}
