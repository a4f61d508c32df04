// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import Recurrence
import Timekeeping

extension Command {
  static let free = Command(
    name: "free",
    leastScope: .calendarEventsFreeBusy,
    summary: "Show when calendars are busy, or with --slots, when all of them are free.",
    discussion: """
      With --json, the output is the server's response, or with --slots, an array of objects with start and end. A calendar
      that cannot be read is an error, because its times may not be free.
      """,
    options: Session.serverOptions + [
      Option("calendar", "ID", "a calendar (default: primary)", isRepeatable: true)
    ] + Option.span + [
      Option("zone", "NAME", "the IANA time zone (default: the first calendar's)"),
      Option("slots", nil, "show the times at which all calendars are free"),
      Option("at-least", "TIME", "the minimum length of a slot: \(WrittenDuration.forms)"),
      Option("hours", "FROM-TO", "only within these hours of each day, such as 9:00-17:00"),
    ]
  ) { context in
    let isSlots = context.arguments.has("slots")
    guard isSlots || !(context.arguments.has("at-least") || context.arguments.has("hours")) else {
      throw UsageError("--at-least and --hours need --slots.", command: context.command)
    }
    let minimum = try context.duration("at-least")?.seconds ?? 1
    let named = context.arguments.all("calendar")
    let calendars = named.isEmpty ? ["primary"] : named
    let client = try await Session(context).calendar
    let reader = try await context.timeReader(client, for: calendars[0])
    let span = try context.span(reader)
    let hours = try context.arguments["hours"].map { try context.hours($0) }
    let response = try await client.freebusy.query(
      splitting: FreeBusyRequest(
        calendars: calendars, from: span.lowerBound, to: span.upperBound, timeZone: reader.zone.identifier))
    try response.checkErrors()
    if isSlots {
      let busy = (response.calendars ?? [:]).values.flatMap { $0.busy ?? [] }
      let windows = hours.map { reader.windows(of: $0, in: span) } ?? [span]
      let slots = FreeSlots(in: windows, busy: busy, minimum: minimum).slots
      if context.isJSON { return context.writeJSON(objects: slots.map { reader.period($0).json() }) }
      slots.forEach { context.terminal.line("\(reader.text(of: $0))  \(FreeSlots.length(of: $0))") }
      return context.terminal.note(reader.zone.notice)
    }
    if context.isJSON { return context.writeJSON(object: response.json()) }
    for (id, calendar) in (response.calendars ?? [:]).sorted(by: { $0.key < $1.key }) {
      context.terminal.line(context.terminal.bold(id))
      for period in calendar.busy ?? [] {
        guard let start = period.start, let end = period.end else { continue }
        context.terminal.line("  \(reader.text(of: start.timestamp..<max(start.timestamp, end.timestamp)))")
      }
      if calendar.busy?.isEmpty != false { context.terminal.line("  free") }
    }
    context.terminal.note(reader.zone.notice)
  }
}

extension FreeBusyResponse {
  /// - Throws: `CalendarError` if a calendar could not be read.
  fileprivate func checkErrors() throws {
    let failed = (calendars ?? [:]).filter { $0.value.errors?.isEmpty == false }.sorted { $0.key < $1.key }
    guard let (id, calendar) = failed.first else { return }
    let reason = calendar.errors?.first?.reason?.rawValue ?? "unknown"
    throw CalendarError(
      reason == "notFound" ? .notFound : .unexplained,
      "Calendar \"\(id.terminalSafe)\" could not be read: \(reason). Check its identifier, and whether it is shared with you.",
      status: nil)
  }
}

extension Context {
  /// Reads a range such as `9:00-17:00` as seconds of the day.
  fileprivate func hours(_ text: String) throws -> Range<Int> {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { part -> Int? in
      if part == "24:00" { return 86_400 }
      guard case .time(let time)? = TimeReader(now: .unixEpoch, zone: .utc).read(String(part)) else { return nil }
      return time.hour * 3600 + time.minute * 60
    }
    guard parts.count == 2, let from = parts[0], let to = parts[1], from < to else {
      throw UsageError("--hours must be two times of a day, such as 9:00-17:00.", command: command)
    }
    return from..<to
  }
}
