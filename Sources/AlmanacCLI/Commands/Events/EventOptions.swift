// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import CalendarSync
import JSONCoding
import Recurrence
import Timekeeping

/// The options for an event, in `events add` and `events edit`.
struct EventOptions {
  static let all: [Option] =
    [
      Option("title", "TEXT", "the title"),
      Option("start", "TIME", "the start, all-day if it is a day: \(TimeReader.forms)"),
      Option("end", "TIME", "the end, or the last day of an all-day event"),
      Option("duration", "TIME", "\(WrittenDuration.forms), instead of --end (default: 1h, or one day)"),
      Option("location", "TEXT", "the place"), Option("description", "TEXT", "the description"),
      Option("color-id", "ID", "an event colour's identifier (see `almanac colors`)"),
      Option(
        "repeat", "RULE", "daily, weekly, monthly, yearly, weekdays, never, or a rule of RFC 5545",
        choices: ["daily", "weekly", "monthly", "yearly", "weekdays", "never"]),
      Option("guest", "EMAIL", "a guest to invite", isRepeatable: true),
      Option(
        "remind", "TIME", "a reminder before the start (10m or email:1h), none or default", isRepeatable: true),
      Option("show-as", "WHAT", "busy or free", choices: ["busy", "free"]),
      Option(
        "visibility", "WHAT", "default, public, private or confidential",
        choices: ["default", "public", "private", "confidential"]),
    ] + [.zone, .data]

  /// The additional options of `events edit`.
  static let editing: [Option] = [
    Option("remove-guest", "EMAIL", "a guest to remove", isRepeatable: true),
    Option("clear", "FIELD", "a field to clear, by its name in the API", isRepeatable: true),
  ]

  let context: Context
  let reader: TimeReader

  private var arguments: Arguments { context.arguments }

  /// Sets the fields named by the options.
  ///
  /// - Throws: ``UsageError``.
  func apply(to event: inout Event) throws {
    if let title = arguments["title"] { event.summary = title }
    if let location = arguments["location"] { event.location = location }
    if let description = arguments["description"] { event.description = description }
    if let color = arguments["color-id"] { event.colorID = color }
    if let visibility = arguments["visibility"] { event.visibility = Event.Visibility(rawValue: visibility) }
    switch arguments["show-as"] {
    case nil: break
    case "busy": event.transparency = .opaque
    case "free": event.transparency = .transparent
    default: throw usage("--show-as must be busy or free.")
    }
    try applyPeriod(to: &event)
    try applyRecurrence(to: &event)
    try checkRules(of: event)
    try applyReminders(to: &event)
    for email in arguments.all("guest") {
      guard email.contains("@") else { throw usage("--guest must be an e-mail address.") }
      if event.attendees?.contains(where: { $0.email?.lowercased() == email.lowercased() }) != true {
        event.addAttendee(EventAttendee(email: email))
      }
    }
    for email in arguments.all("remove-guest") { event.removeAttendee(email: email) }
  }

  private func usage(_ message: String) -> UsageError { UsageError(message, command: context.command) }

  // MARK: When

  private func applyPeriod(to event: inout Event) throws {
    let duration = try context.duration("duration")
    guard duration == nil || !arguments.has("end") else {
      throw usage("--end and --duration cannot be combined. Omit one.")
    }
    let written = try context.time("start", reader)
    guard written != nil || duration != nil || arguments.has("end") else { return }
    let old = event.period
    guard let start = written ?? old?.start.written else { throw usage("Missing: --start.") }
    let end = try context.time("end", reader, on: start.day)
    switch (start, end) {
    case (.day(let first), nil):
      event.period = .allDay(first..<first.adding(days: try days(duration, old)))
    case (.day(let first), .day(let last)?):
      guard first <= last else { throw usage("The end must be after the start.") }
      event.period = .allDay(first..<last.adding(days: 1))
    case (.time(let time), nil):
      let zone = timed(time, time, old).start.zone ?? reader.zone
      let end = duration?.end(after: time.timestamp, in: zone) ?? time.timestamp + .seconds(old?.seconds ?? 3600)
      guard let end = reader.written(end) else { throw usage("The end is too late.") }
      event.period = timed(time, end, old)
    case (.time(let time), .time(let end)?):
      guard time.timestamp < end.timestamp else { throw usage("The end must be after the start.") }
      event.period = timed(time, end, old)
    case (.day, .time), (.time, .day):
      throw usage("--start and --end must both be days, or both be times.")
    }
  }

  /// Returns the length of an all-day event in days: the given length, else the event's length, else one day.
  private func days(_ duration: WrittenDuration?, _ old: EventPeriod?) throws -> Int {
    guard let duration else { return old?.days ?? 1 }
    guard let days = duration.days else { throw usage("--duration of an all-day event must be in days, such as 2d.") }
    return days
  }

  /// Returns a timed period in the zone of --zone, else in the event's zones, else in the calendar's.
  private func timed(_ start: OffsetDateTime, _ end: OffsetDateTime, _ old: EventPeriod?) -> EventPeriod {
    let zone = reader.zone.identifier
    guard !arguments.has("zone"), case .timed(_, _, let oldZone, let oldEndZone) = old else {
      return .timed(start: start, end: end, timeZone: zone)
    }
    return .timed(start: start, end: end, timeZone: oldZone ?? zone, endTimeZone: oldEndZone)
  }

  // MARK: Recurrence and reminders

  private func applyRecurrence(to event: inout Event) throws {
    guard let text = arguments["repeat"] else { return }
    switch text.lowercased() {
    case "never": event.recurrence = nil
    case "daily", "weekly", "monthly", "yearly": event.recurrence = ["RRULE:FREQ=\(text.uppercased())"]
    case "weekdays": event.recurrence = ["RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"]
    default:
      let rule = text.uppercased().hasPrefix("RRULE:") ? String(text.dropFirst(6)) : text
      do {
        event.recurrence = ["RRULE:\(try RecurrenceRule(rule).ending(at: event.start?.time))"]
      } catch {
        throw usage("--repeat must be daily, weekly, monthly, yearly, weekdays, never, or a rule: \(error.description)")
      }
    }
  }

  /// Checks that the rules fit the start, if the options or --data name either.
  private func checkRules(of event: Event) throws {
    guard ["repeat", "data", "start"].contains(where: arguments.has), let start = event.start?.time else { return }
    // Only recurrence rules are checked. The server accepts more forms of dates than this package.
    let rules = event.recurrence?.filter { $0.uppercased().hasPrefix("RRULE") || $0.uppercased().hasPrefix("EXRULE") }
    do { _ = try RecurrenceSet(start: start.seriesTime, lines: rules ?? []) } catch { throw usage("\(error)") }
  }

  private func applyReminders(to event: inout Event) throws {
    let texts = arguments.all("remind")
    guard !texts.isEmpty else { return }
    var reminders = Event.Reminders()
    reminders.useDefault = texts == ["default"]
    if texts != ["default"] {
      reminders.overrides = texts == ["none"] ? [] : try texts.map(reminder)
    }
    event.reminders = reminders
  }

  private func reminder(_ text: String) throws -> EventReminder {
    let isEmail = text.hasPrefix("email:")
    guard let duration = WrittenDuration(isEmail ? String(text.dropFirst(6)) : text) else {
      throw usage("--remind must be a duration before the start (\(WrittenDuration.forms)), email:1h, none or default.")
    }
    return EventReminder(isEmail ? .email : .popup, minutes: duration.seconds / 60)
  }
}

extension WrittenTime {
  fileprivate var day: CivilDate {
    switch self {
    case .day(let day): day
    case .time(let time): time.date
    }
  }
}

extension RecurrenceRule {
  /// Returns the rule with `UNTIL` in the form required by the start: a time in UTC for a timed event, a date for an
  /// all-day event.
  fileprivate func ending(at start: EventTime?) throws(RecurrenceError) -> RecurrenceRule {
    guard case .until(.local(let local)) = end, let start else { return self }
    guard let zone = start.zone else { return try ending(.until(.date(local.date))) }
    return try ending(.until(.utc(LocalDateTime(utc: zone.timestamp(of: local)))))
  }
}

extension EventTime {
  /// The time zone of a time, or `nil` for a day.
  fileprivate var zone: Zone? { seriesTime.isAllDay ? nil : seriesTime.zone }

  fileprivate var written: WrittenTime {
    switch self {
    case .allDay(let day): .day(day)
    case .timed(let time, _): .time(time)
    }
  }
}

extension EventPeriod {
  fileprivate var days: Int? {
    guard case .allDay(let days) = self else { return nil }
    return Swift.max(1, days.upperBound.daysSince1970 - days.lowerBound.daysSince1970)
  }

  fileprivate var seconds: Int? {
    guard case .timed(let start, let end, _, _) = self else { return nil }
    return Int((end.timestamp - start.timestamp).components.seconds)
  }
}

// The texts and parameters of the commands that change events.
extension Event {
  /// The title in quotation marks, or the identifier.
  var named: String { summary.map { "\"\($0)\"" } ?? id ?? "(no title)" }

  /// Returns the consequences of a change or deletion of the event.
  func warnings(_ updates: SendUpdates) -> [String] {
    var warnings: [String] = []
    if recurrence?.isEmpty == false { warnings.append("The event is a series: all of its events are affected.") }
    if recurringEventID != nil { warnings.append("The event is one of a series: the others do not change.") }
    return warnings + guestWarnings(updates)
  }

  /// Returns a sentence about the guests who are notified, if there are guests.
  func guestWarnings(_ updates: SendUpdates) -> [String] {
    let guests = attendees?.count { $0.isSelf != true && $0.resource != true } ?? 0
    return guests > 0 || attendeesOmitted == true
      ? ["Guests who are notified: \(updates.inWords(of: guests))."] : []
  }
}

extension SendUpdates {
  fileprivate func inWords(of guests: Int) -> String {
    switch self {
    case .all: "all \(guests)"
    case .externalOnly: "those of \(guests) who do not use Google Calendar"
    default: "none of \(guests) (see --send-updates)"
    }
  }
}

extension JSONValue {
  /// The parameter the server needs to accept the colours of a calendar list entry's JSON.
  var colorRgbFormat: Bool? { self["backgroundColor"] == nil && self["foregroundColor"] == nil ? nil : true }
}

extension Context {
  /// Returns the event named by the argument.
  ///
  /// - Throws: `CalendarError`, with code `deleted` if the event is deleted.
  func event(_ client: CalendarClient) async throws -> Event {
    let event = try await client.events.get(arguments.positional[0], in: calendarID)
    if event.status == .cancelled {
      throw CalendarError(.deleted, "The event is already deleted.")
    }
    return event
  }
}
