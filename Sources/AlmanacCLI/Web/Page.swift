import CalendarAPI
import HTTPTransport
import HexColor
import OpenIDConnect
import Timekeeping
import TokenStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The page as a value: what is shown, and its markup. No token is within its reach.
struct Page {
  struct Notice {
    let text: String
    let isError: Bool
  }

  struct Content {
    let list: PaintedCalendars
    let agenda: Agenda
    let profile: UserProfile
  }

  let notice: Notice
  let isSignedIn: Bool
  /// What was read; `nil` if nobody is signed in, or it could not be read this time.
  let content: Content?
  let formKey: Secret
  /// The newest first.
  let happened: [String]

  /// The whole document.
  ///
  /// - Parameter nonce: Allows the one style element, which holds the calendars' colours.
  func html(nonce: String) -> HTML {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Almanac</title>
    <link rel="stylesheet" href="/style.css">
    <style nonce="\(nonce)">\(paint)</style>
    </head>
    <body>
    <a class="skip" href="#content">Skip to the content</a>
    <header>
    <div><h1>Almanac</h1><p>\(subtitle)</p></div>
    <div>\(buttons)</div>
    </header>
    <main id="content">
    <section class="status\(HTML(stringLiteral: notice.isError ? " error" : ""))" role="status"><p>\(notice.text)</p></section>
    \(content.map(sections) ?? log)
    </main>
    </body>
    </html>
    """
  }

  private var subtitle: String {
    isSignedIn
      ? "\(content?.profile.name ?? "Somebody") is signed in." : "OAuth 2.0 and Google Calendar, on this computer."
  }

  private var buttons: HTML {
    if !isSignedIn { return button("grant", "Grant", isPrimary: true) }
    return HTML([
      button("hour", "Let an hour pass"), button("forget", "Reject the token"),
      button("revoke", "Revoke", isPrimary: true),
    ])
  }

  private func button(_ action: String, _ label: String, isPrimary: Bool = false) -> HTML {
    """
    <form method="post" action="/\(action)"><input type="hidden" name="key" value="\(formKey.reveal())">\
    <button id="\(action)"\(HTML(stringLiteral: isPrimary ? " class=\"primary\"" : ""))>\(label)</button></form>
    """
  }

  // The roles say again what the elements are, since a table that is laid out as cards on a narrow screen loses them.
  private func sections(_ content: Content) -> HTML {
    """
    <section aria-labelledby="calendars"><h2 id="calendars">Calendars</h2>
    <table role="table"><caption>\(content.list.entries.count) calendars, painted in their own colours</caption>
    <thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">Calendar</th>\
    <th role="columnheader" scope="col">Colour</th><th role="columnheader" scope="col">Access</th>\
    <th role="columnheader" scope="col">Time zone</th></tr></thead>
    <tbody role="rowgroup">\(HTML(content.list.entries.enumerated().map { row($0.offset, $0.element, content.list) }))</tbody></table>
    </section>
    <div class="columns">
    <section aria-labelledby="agenda"><h2 id="agenda">The coming week</h2>
    <ol class="agenda">\(HTML(content.agenda.days.map(day)))</ol></section>
    <div>
    <section aria-labelledby="profile"><h2 id="profile">Profile</h2>
    <dl>\(HTML(content.profile.rows.map { "<dt>\($0.0)</dt><dd>\($0.1)</dd>" as HTML }))</dl></section>
    \(log)
    </div>
    </div>
    """
  }

  private func row(_ number: Int, _ entry: CalendarListEntry, _ list: PaintedCalendars) -> HTML {
    """
    <tr role="row"><th role="rowheader" scope="row" class="c\(number)" dir="auto">\(entry.title)</th>\
    <td role="cell" class="mono">\(list.colors.appearance(of: entry).background.hex)</td>\
    <td role="cell">\(entry.accessRole?.rawValue ?? "")\(entry.primary == true ? ", primary" : "")</td>\
    <td role="cell">\(entry.timeZone ?? "")</td></tr>
    """
  }

  private func day(_ day: (date: CivilDate, items: [Agenda.Item])) -> HTML {
    """
    <li><h3><time datetime="\(day.date.description)">\(day.date.description)</time></h3>
    <ul>\(HTML(day.items.map(item)))</ul></li>
    """
  }

  private func item(_ item: Agenda.Item) -> HTML {
    let number = content?.list.entries.firstIndex { $0.id == item.calendar.id } ?? 0
    return """
      <li><span class="dot c\(number)" role="img" aria-label="\(item.calendar.title)"></span>\
      <span class="time">\(item.time)</span> <span dir="auto">\(item.title)</span></li>
      """
  }

  private var log: HTML {
    """
    <section aria-labelledby="log"><h2 id="log">What just happened</h2>
    <ol class="log">\(HTML(happened.map { "<li>\($0)</li>" as HTML }))</ol></section>
    """
  }

  /// One class a calendar. Colours are written by ``RGBColor``, so that nothing else can get in.
  private var paint: HTML {
    guard let list = content?.list else { return "" }
    return HTML(
      list.entries.enumerated().map { number, entry in
        let paint = list.colors.appearance(of: entry)
        return ".c\(number){background:\(paint.background.hex);color:\(paint.foreground.hex)}"
      })
  }

  /// A document with one sentence.
  static func message(_ text: String) -> HTML {
    """
    <!doctype html>
    <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Almanac</title></head><body><main><p>\(text)</p></main></body></html>
    """
  }
}

extension HTTPResponse {
  /// A page under strict rules: it loads nothing but its stylesheet, is framed by nobody, kept nowhere, and tells nobody
  /// where it is.
  ///
  /// - Parameters:
  ///   - nonce: Allows a style element.
  ///   - formTarget: Where a form may lead beyond the page itself: the authorization server.
  static func page(_ status: Int, _ html: HTML, nonce: String? = nil, formTarget: URL? = nil) -> HTTPResponse {
    let style = nonce.map { "'self' 'nonce-\($0)'" } ?? "'self'"
    let target = formTarget.flatMap { Origin($0) }.map { "'self' \($0)" } ?? "'self'"
    return HTTPResponse(
      status: status,
      fields: [
        "Content-Type": "text/html; charset=utf-8",
        "Content-Security-Policy":
          "default-src 'none'; style-src \(style); form-action \(target); base-uri 'none'; frame-ancestors 'none'",
        "Cache-Control": "no-store",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
      ], body: Array(html.description.utf8))
  }

  static var stylesheet: HTTPResponse {
    HTTPResponse(
      status: 200,
      fields: [
        "Content-Type": "text/css; charset=utf-8", "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store",
      ],
      body: Array(Stylesheet.text.utf8))
  }

  /// 303: look there with GET.
  static func redirect(to address: String) -> HTTPResponse {
    HTTPResponse(
      status: 303, fields: ["Location": address, "Cache-Control": "no-store", "Referrer-Policy": "no-referrer"])
  }
}
