// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import HexColor
import OpenIDConnect
import Timekeeping

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

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
