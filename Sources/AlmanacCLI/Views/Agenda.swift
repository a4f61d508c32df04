// SPDX-License-Identifier: Apache-2.0

package import CalendarAPI
import HexColor
import Recurrence
package import Timekeeping

/// The events of several calendars, day by day.
package struct Agenda: Sendable {
  package struct Item: Sendable {
    let event: Event
    let calendar: CalendarListEntry
    let paint: Colors.Appearance

    /// The time as text, such as `09:30–10:15` or `all day`.
    var time: String {
      guard let start = event.start?.dateTime else { return "all day" }
      guard let end = event.end?.dateTime else { return start.clock }
      return "\(start.clock)–\(end.clock)"
    }

    package var title: String { event.summary ?? "(no title)" }

    /// Returns the server's event with an additional member `calendar`: the calendar's id and title.
    package func json() -> [UInt8] {
      var event = event
      event.additionalFields["calendar"] = ["id": .string(calendar.id ?? ""), "title": .string(calendar.title)]
      return event.json()
    }

    fileprivate var day: CivilDate? { event.start?.date ?? event.start?.dateTime?.date }
    fileprivate var order: (Int64, String) {
      (event.start?.dateTime?.timestamp.secondsSince1970 ?? .min, title)
    }
  }

  package let days: [(date: CivilDate, items: [Item])]
  /// The IANA name of the time zone of all days and times.
  package let zone: String

  /// Reads the events of the calendars that are neither hidden nor deleted, up to six calendars at a time.
  ///
  /// Days and times are in the primary calendar's time zone, or in UTC without a primary calendar.
  ///
  /// - Parameters:
  ///   - client: The client.
  ///   - list: The calendars.
  ///   - start: The first instant.
  ///   - days: The number of days to read.
  ///   - progress: Called with the progress.
  package init(
    _ client: CalendarClient, _ list: PaintedCalendars, from start: Timestamp, days: Int,
    progress: (String) -> Void = { _ in }
  ) async throws {
    let shown = list.entries.filter { $0.hidden != true && $0.deleted != true && $0.id != nil }
    // All events use one zone, so each is listed under the day of its displayed time.
    let zone = shown.first { $0.primary == true }?.timeZone ?? "UTC"
    let query = EventsResource.ListQuery(
      timeMin: start, timeMax: start + .seconds(days * 86_400), singleEvents: true, orderBy: .startTime, timeZone: zone)
    self.zone = zone
    let today = start.date(in: zone)
    var byDay: [CivilDate: [Item]] = [:]
    var done = 0
    try await withThrowingTaskGroup(of: [Item].self) { group in
      var waiting = shown[...]
      func addNext() {
        guard let calendar = waiting.popFirst(), let id = calendar.id else { return }
        group.addTask {
          var items: [Item] = []
          for try await event in client.events.all(in: id, query) where event.status != .cancelled {
            let paint = list.colors.appearance(of: event, in: calendar)
            items.append(Item(event: event, calendar: calendar, paint: paint))
          }
          return items
        }
      }
      for _ in 0..<6 { addNext() }
      while let items = try await group.next() {
        addNext()
        done += 1
        progress("Reading the agenda … \(done) of \(shown.count) calendars")
        // An event that began before the first day is listed on the first day.
        for item in items { if let day = item.day { byDay[max(day, today), default: []].append(item) } }
      }
    }
    self.days = byDay.sorted { $0.key < $1.key }.map { ($0.key, $0.value.sorted { $0.order < $1.order }) }
  }

  /// Writes the agenda with a heading per day.
  ///
  /// - Parameters:
  ///   - terminal: The terminal.
  ///   - limit: The maximum number of events to write.
  func write(to terminal: Terminal, limit: Int = .max) {
    var left = limit
    for day in days where left > 0 {
      terminal.line(terminal.bold("\(day.date) \(day.date.weekday.englishName)"))
      for item in day.items.prefix(left) {
        let calendar = " \(item.calendar.title.terminalSafe) ".fitted(to: 24)
        let badge = terminal.painted(calendar, item.paint.foreground, on: item.paint.background)
        terminal.line("  \(item.time.fitted(to: 12)) \(badge) \(item.title)")
      }
      left -= day.items.count
    }
  }

  /// The number of events.
  var count: Int { days.reduce(0) { $0 + $1.items.count } }
}

extension Timestamp {
  /// Returns the date in an IANA time zone, or in UTC if the zone is unknown.
  fileprivate func date(in zone: String) -> CivilDate {
    ((try? SystemZoneDatabase.shared.zone(zone)) ?? .utc).local(at: self).date
  }
}

extension CivilDate {
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]

  /// The date in words, such as `Monday, 23 November 2026`.
  package var inWords: String { "\(weekday.englishName), \(day) \(Self.months[month - 1]) \(year)" }
}
