// SPDX-License-Identifier: Apache-2.0

import Timekeeping

extension RecurrenceSet {
  /// Reads the lines of an event's `recurrence` in Google Calendar, such as `RRULE:FREQ=DAILY` and
  /// `EXDATE;TZID=Europe/Zurich:20260302T090000`.
  ///
  /// Names are case-insensitive. Parameters other than `TZID` and `VALUE` are ignored. A local time without `TZID` is in the
  /// zone of the start.
  ///
  /// - Parameters:
  ///   - start: `DTSTART`, which is not among the lines.
  ///   - lines: `RRULE`, `EXRULE`, `RDATE` and `EXDATE`, each any number of times.
  ///   - zones: The database for the zones of `TZID`. Defaults to the system's database.
  /// - Throws: ``RecurrenceError``, which names the line, the part, its position and the remedy.
  public init(
    start: SeriesTime, lines: [String], zones: some ZoneDatabase = SystemZoneDatabase.shared
  ) throws(RecurrenceError) {
    var (rules, exclusionRules): ([RecurrenceRule], [RecurrenceRule]) = ([], [])
    var (dates, exclusionDates): ([SeriesTime], [SeriesTime]) = ([], [])
    for (index, text) in lines.enumerated() {
      var line = LineReader(text)
      do throws(RecurrenceError) {
        try line.readName()
        switch line.name {
        case "RRULE": rules.append(try line.rule(with: start))
        case "EXRULE": exclusionRules.append(try line.rule(with: start))
        case "RDATE": dates += try line.times(in: start.zone, zones)
        case "EXDATE": exclusionDates += try line.times(in: start.zone, zones)
        default: throw RecurrenceError(.unknownProperty, name: line.name, at: 0)
        }
        guard rules.count + exclusionRules.count <= Self.mostRules else { throw RecurrenceError(.tooManyRules) }
      } catch {
        throw error.on(line: index, property: line.name)
      }
    }
    try self.init(
      start: start, rules: rules, exclusionRules: exclusionRules, dates: dates, exclusionDates: exclusionDates)
  }

  /// The lines in the form of an event's `recurrence` in Google Calendar.
  public var lines: [String] {
    rules.map { "RRULE:\($0)" } + exclusionRules.map { "EXRULE:\($0)" } + Self.lines("RDATE", dates)
      + Self.lines("EXDATE", exclusionDates)
  }

  /// Returns one line for each run of values with the same parameters.
  private static func lines(_ name: String, _ times: [SeriesTime]) -> [String] {
    var lines: [(head: String, values: [String])] = []
    for time in times {
      let (head, value) =
        switch time {
        case .date(let date): ("\(name);VALUE=DATE:", date.basic)
        case .local(let time, let zone): ("\(name);TZID=\(zone):", time.description)
        case .utc(let time): ("\(name):", "\(time)Z")
        }
      if let last = lines.indices.last, lines[last].head == head {
        lines[last].values.append(value)
      } else {
        lines.append((head, [value]))
      }
    }
    return lines.map { $0.head + $0.values.joined(separator: ",") }
  }
}

/// Reads a line, `NAME;PARAMETER=VALUE:…`.
private struct LineReader {
  private var reader: TextReader
  private(set) var name = ""
  private var zoneName: String?
  private var isDate: Bool?

  init(_ text: String) { reader = TextReader(text) }

  /// Reads up to the colon.
  mutating func readName() throws(RecurrenceError) {
    name = reader.word()
    while reader.skip(";") {
      let position = reader.position
      let parameter = reader.word()
      guard !parameter.isEmpty, reader.skip("=") else {
        throw RecurrenceError(.malformed, name: parameter, at: position)
      }
      let value = try value()
      switch (parameter, value.uppercased()) {
      case ("TZID", _): zoneName = value
      case ("VALUE", "DATE"): isDate = true
      case ("VALUE", "DATE-TIME"): isDate = false
      case ("VALUE", "RECUR"): break
      case ("VALUE", _): throw RecurrenceError(.valueType, name: parameter, at: position)
      default: break
      }
    }
    guard !name.isEmpty, reader.skip(":") else { throw RecurrenceError(.malformed, name: name, at: reader.position) }
  }

  /// Reads the comma-separated values of a parameter, quoted or not, and returns the last.
  private mutating func value() throws(RecurrenceError) -> String {
    var value = ""
    repeat {
      let position = reader.position
      if reader.skip("\"") {
        value = reader.text(upTo: ["\""])
        guard reader.skip("\"") else { throw RecurrenceError(.malformed, at: position) }
      } else {
        value = reader.text(upTo: [";", ":", ","])
      }
    } while reader.skip(",")
    return value
  }

  mutating func rule(with start: SeriesTime) throws(RecurrenceError) -> RecurrenceRule {
    let rule = try RecurrenceRule(&reader)
    try rule.check(with: start)
    return rule
  }

  mutating func times(in zone: Zone, _ zones: some ZoneDatabase) throws(RecurrenceError) -> [SeriesTime] {
    var zone = zone
    if let zoneName, zoneName != zone.identifier {
      do { zone = try zones.zone(zoneName) } catch { throw RecurrenceError(.zone(error), name: "TZID") }
    }
    var times: [SeriesTime] = []
    repeat {
      let position = reader.position
      let time: SeriesTime =
        switch try reader.time() {
        case .date(let date): .date(date)
        case .local(let time): .local(time, zone)
        case .utc(let time): .utc(time)
        }
      guard isDate ?? time.isAllDay == time.isAllDay else { throw RecurrenceError(.valueType, at: position) }
      times.append(time)
    } while reader.skip(",")
    try reader.end(.invalidTime)
    return times
  }
}
