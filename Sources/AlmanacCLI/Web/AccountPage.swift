// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import HexColor
import OpenIDConnect
import PlatformFoundation
import Recurrence
import Timekeeping
import TokenStore

/// The main page: the account's state, its calendars and its history.
///
/// It has no access to tokens.
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

  /// The data read with the token.
  struct Content {
    /// The calendars, or `nil` if access to them was not granted.
    var calendars: (list: PaintedCalendars, agenda: Agenda)?
    /// The profile, or `nil` if access to it was not granted.
    var profile: UserProfile?
  }

  var notice: Notice?
  let isSignedIn: Bool
  /// The data, or `nil` without a sign-in or if it could not be read.
  let content: Content?
  let access: GrantedAccess
  /// Whether the granted access includes adding events.
  var canAddEvents = false
  let formKey: Secret
  let history: History

  var document: Document {
    Document(
      title: notice?.text ?? state, subtitle: isSignedIn ? state : "OAuth 2.0 and Google Calendar, on this computer.",
      buttons: isSignedIn ? button("revoke", "Revoke access") : "", style: paint,
      main: """
        \(notice.map(section) ?? "")
        \(access.missing.isEmpty || !isSignedIn ? "" : partialGrant)
        \(isSignedIn ? account : start)
        """)
  }

  private var state: String {
    isSignedIn ? "\(content?.profile?.name ?? content?.profile?.email ?? "You") · signed in" : "Signed out"
  }

  func button(_ action: String, _ label: String, isPrimary: Bool = false) -> HTML {
    """
    <form method="post" action="/\(action)"><input type="hidden" name="key" value="\(formKey.reveal())">\
    <button id="\(action)"\(HTML(stringLiteral: isPrimary ? " class=\"primary\"" : ""))>\(label)</button></form>
    """
  }

  /// Returns the notice.
  ///
  /// The notice takes the focus. A screen reader therefore reads it first.
  private func section(_ notice: Notice) -> HTML {
    notice.isError
      ? """
      <section class="status error" role="alert" tabindex="-1" autofocus><p><strong>Error:</strong> \(notice.text)</p></section>
      """
      : """
      <section class="status" role="status" tabindex="-1" autofocus><p>\(notice.text)</p></section>
      """
  }

  private var start: HTML {
    """
    \(StartSection(grant: button("grant", "Grant", isPrimary: true)).html)
    \(history.events.isEmpty ? "" : logSection)
    """
  }

  private var logSection: HTML { "<section aria-labelledby=\"log\">\(log)</section>" }

  private var partialGrant: HTML {
    """
    <section class="status partial" aria-labelledby="access"><h2 id="access">Only a part of the access was granted</h2>
    <dl><dt>Granted</dt><dd>\(access.granted.joined(separator: "; "))</dd>\
    <dt>Not granted</dt><dd>\(access.missing.joined(separator: "; "))</dd></dl>
    \(button("grant", "Grant the rest", isPrimary: true))</section>
    """
  }

  /// The account's data and buttons, without the buttons of the demonstration.
  private var account: HTML {
    """
    <div class="account">
    <aside aria-labelledby="demonstration"><section><h2 id="demonstration">Demonstration</h2>
    <p class="faint">Cause an event, and watch the account recover.</p>
    \(levers)
    \(log)
    \(code)</section></aside>
    <div>\(content.map(sections) ?? "")</div>
    </div>
    """
  }

  /// The buttons for simulating external events, such as a revocation at the server.
  ///
  /// A program that uses the library has no such buttons.
  private var levers: HTML {
    HTML([
      button("hour", "Let an hour pass"), button("forget", "Reject the token"),
      button("revoke-at-server", "Revoke at the server"), button("relaunch", "Relaunch"),
    ])
  }

  /// The calls of the library behind the buttons.
  private var code: HTML {
    let rows: [(HTML, HTML)] = [
      (
        "Grant",
        "try await account.beginSignIn(redirectURI: callback)<br>try await account.completeSignIn(pending, callback: url)"
      ),
      ("Revoke access", "try await google.revoke()"),
      ("Add an event", "try await google.calendar.events.insert(event, in: &quot;primary&quot;)"),
      ("Let an hour pass, Reject the token", "for try await entry in google.calendar.calendarList.all() { … }"),
      ("Revoke at the server", "catch let error as OAuthError where error.code == .signInRequired"),
      ("Relaunch", "GoogleAccount(clientID: id, scopes: scopes, account: &quot;demo&quot;)"),
    ]
    return """
      <details><summary>The Swift behind the buttons</summary>
      <dl class="code">\(HTML(rows.map { "<dt>\($0)</dt><dd><code>\($1)</code></dd>" as HTML }))</dl>
      <p class="faint">An expired or rejected token is refreshed within the call.</p></details>
      """
  }

  private var log: HTML {
    """
    <h2 id="log">What just happened</h2>
    \(history.isEmpty ? "<p>Nothing yet.</p>" : history.html)
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
    </div>
    </div>
    """
  }

  // The explicit roles remain when a narrow screen lays out the table as cards.
  private func table(_ list: PaintedCalendars) -> HTML {
    """
    <section aria-labelledby="calendars"><h2 id="calendars">Calendars</h2>
    <div class="box" role="region" aria-labelledby="calendars" tabindex="0"><table role="table"><caption>\(list.entries.count) calendars, each in its own colours</caption>
    <thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">Calendar</th>\
    <th role="columnheader" scope="col">Colour</th><th role="columnheader" scope="col">Access</th>\
    <th role="columnheader" scope="col">Time zone</th></tr></thead>
    <tbody role="rowgroup">\(HTML(list.entries.enumerated().map { row($0.offset, $0.element, list) }))</tbody></table></div>
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
    <p class="faint">Times are in the zone \(agenda.zone.identifier).</p>
    \(canAddEvents ? button("event", "Add an event") : "")
    <div class="box" role="region" aria-labelledby="agenda" tabindex="0">\
    <ol class="agenda">\(HTML(agenda.days.map { day($0, list) }))</ol></div></section>
    """
  }

  private func day(_ day: (date: CivilDate, items: [(time: String, item: Agenda.Item)]), _ list: PaintedCalendars)
    -> HTML
  {
    """
    <li><h3><time datetime="\(day.date.description)">\(day.date.inWords)</time></h3>
    <ul>\(HTML(day.items.map { item($0.item, at: $0.time, list) }))</ul></li>
    """
  }

  // The calendar's name is shown too, because not everyone can distinguish colours.
  private func item(_ item: Agenda.Item, at time: String, _ list: PaintedCalendars) -> HTML {
    let number = list.entries.firstIndex { $0.id == item.calendar.id } ?? 0
    return """
      <li><span class="dot painted c\(number)" aria-hidden="true"></span>\
      <span class="time">\(time)</span> <span><span dir="auto">\(item.title)</span> \
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

  // The alternative text is empty because the name is shown beside the picture.
  private func avatar(_ url: URL) -> HTML {
    """
    <img class="avatar" src="\(url.absoluteString)" alt="" width="64" height="64" referrerpolicy="no-referrer">
    """
  }

  /// The style rules, one class per calendar.
  ///
  /// Colours are written by ``RGBColor``, so a server's text cannot add other rules.
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
  /// The role in words.
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
