// SPDX-License-Identifier: Apache-2.0

package import CalendarAPI
import HexColor
package import Recurrence
package import Timekeeping

/// The events of several calendars, day by day.
package struct Agenda: Sendable {
  package struct Item: Sendable {
    let event: Event
    let calendar: CalendarListEntry
    let paint: Colors.Appearance

    package var title: String { event.summary ?? "(no title)" }

    /// Returns the server's event with an additional member `calendar`: the calendar's id and title.
    package func json() -> [UInt8] {
      var event = event
      event.additionalFields["calendar"] = ["id": .string(calendar.id ?? ""), "title": .string(calendar.title)]
      return event.json()
    }

    fileprivate var order: (Int64, String) {
      (event.start?.dateTime?.timestamp.secondsSince1970 ?? .min, title)
    }
  }

  /// The days with their events.
  ///
  /// An event is listed under each of its days, with its times on that day.
  package let days: [(date: CivilDate, items: [(time: String, item: Item)])]
  /// The events, each once, in the order of their first day.
  package let items: [Item]
  /// The zone of all days and times.
  package let zone: Zone

  /// Reads the events of the calendars neither hidden nor deleted, up to six calendars at a time.
  ///
  /// The first day is the day of `start`. Timed events that ended before `start` are omitted. Days and times are in the
  /// primary calendar's time zone, or in UTC without a primary calendar.
  ///
  /// - Parameters:
  ///   - client: The client.
  ///   - list: The calendars.
  ///   - start: The first instant.
  ///   - days: The number of days to read, including the first.
  ///   - progress: Called with the progress.
  package init(
    _ client: CalendarClient, _ list: PaintedCalendars, from start: Timestamp, days: Int,
    progress: (String) -> Void = { _ in }
  ) async throws {
    let shown = list.entries.filter { $0.hidden != true && $0.deleted != true && $0.id != nil }
    // All events use one zone. Each is therefore listed under the day of its displayed time.
    let name = list.entries.first { $0.primary == true }?.timeZone
    let zone = name.flatMap { try? SystemZoneDatabase.shared.zone($0) } ?? .utc
    let last = zone.start(of: zone.local(at: start).date.adding(days: days))
    let span = DaySpan(start..<max(start + .seconds(1), last), in: zone)
    let query = EventsResource.ListQuery(
      timeMin: span.requested.lowerBound, timeMax: span.requested.upperBound, singleEvents: true, orderBy: .startTime,
      timeZone: zone.identifier)
    self.zone = zone
    var found: [(item: Item, days: [CivilDate])] = []
    var done = 0
    try await withThrowingTaskGroup(of: [(item: Item, days: [CivilDate])].self) { group in
      var waiting = shown[...]
      func addNext() {
        guard let calendar = waiting.popFirst(), let id = calendar.id else { return }
        group.addTask {
          var items: [(item: Item, days: [CivilDate])] = []
          for try await event in client.events.all(in: id, query) where event.status != .cancelled {
            let days = span.days(of: event)
            guard !days.isEmpty else { continue }
            let paint = list.colors.appearance(of: event, in: calendar)
            items.append((Item(event: event, calendar: calendar, paint: paint), days))
          }
          return items
        }
      }
      for _ in 0..<6 { addNext() }
      while let items = try await group.next() {
        addNext()
        done += 1
        progress("Reading the agenda … \(done) of \(shown.count) calendars")
        found += items
      }
    }
    found.sort { ($0.days[0], $0.item.order.0, $0.item.order.1) < ($1.days[0], $1.item.order.0, $1.item.order.1) }
    items = found.map(\.item)
    var byDay: [CivilDate: [Item]] = [:]
    for (item, days) in found { for day in days { byDay[day, default: []].append(item) } }
    self.days = byDay.sorted { $0.key < $1.key }.map { day, items in
      (day, items.sorted { $0.order < $1.order }.map { (span.time(of: $0.event, on: day), $0) })
    }
  }

  /// Writes the agenda with a heading per day.
  ///
  /// - Parameters:
  ///   - terminal: The terminal.
  ///   - limit: The maximum number of events to write.
  func write(to terminal: Terminal, limit: Int = .max) {
    var left = limit
    let isNarrow = (terminal.outputWidth ?? .max) < 64
    for day in days where left > 0 {
      terminal.line(terminal.bold("\(day.date) \(day.date.weekday.englishName)"))
      for (time, item) in day.items.prefix(left) {
        let calendar = " \(item.calendar.title.terminalSafe) ".fitted(to: isNarrow ? 16 : 24)
        let badge = terminal.painted(calendar, item.paint.foreground, on: item.paint.background)
        if isNarrow {
          terminal.line("  \(time.fitted(to: 12)) \(badge)")
          terminal.line("    \(item.title)")
        } else {
          terminal.line("  \(time.fitted(to: 12)) \(badge) \(item.title)")
        }
      }
      left -= day.items.count
    }
    terminal.line(zone.notice)
  }

  /// The number of events.
  var count: Int { items.count }
}

extension CivilDate {
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]

  /// The date in words, such as `Monday, 23 November 2026`.
  package var inWords: String { "\(weekday.englishName), \(day) \(Self.months[month - 1]) \(year)" }
}
