// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import JSONCoding
import Recurrence
import Timekeeping

extension Option {
  static let calendar = Option("calendar", "ID", "the calendar (default: primary)")
  static let zone = Option("zone", "NAME", "the IANA time zone of all times (default: the calendar's)")
  static let data = Option("data", "FILE", "a file with JSON to send; - for standard input")
  static let sendUpdates = Option(
    "send-updates", "WHOM", "the guests to notify: all, external or none (default: none)",
    choices: ["all", "external", "none"])
  /// The options for the time span of a list.
  static let span: [Option] = [
    Option("from", "TIME", "the start: \(TimeReader.forms) (default: today)"),
    Option("to", "TIME", "the end, inclusive if it is a day"),
    Option("days", "N", "the number of days, instead of --to (default: 7)"),
  ]
}

// The helpers of the commands for the Calendar API.
extension Context {
  /// The identifier of the calendar.
  var calendarID: String { arguments["calendar"] ?? "primary" }

  /// The guests to notify.
  ///
  /// - Throws: ``UsageError``.
  var sendUpdates: SendUpdates {
    get throws {
      switch arguments["send-updates"] ?? "none" {
      case "all": return .all
      case "external", "externalOnly": return .externalOnly
      case "none": return .none
      default: throw UsageError("--send-updates must be all, external or none.", command: command)
      }
    }
  }

  /// Returns a reader of times in the zone of --zone, or else the calendar's.
  ///
  /// - Throws: ``UsageError`` or `CalendarError`.
  func timeReader(_ client: CalendarClient, for calendar: String) async throws -> TimeReader {
    var name = arguments["zone"]
    if name == nil {
      // Every scope that allows reading events allows this request.
      var request = EventsResource.list(in: calendar, .init(maxResults: 1))
      request.fieldMask = FieldMask(\.timeZone)
      name = try await client.send(request).timeZone
    }
    guard let zone = try? SystemZoneDatabase.shared.zone(name ?? "UTC") else {
      throw UsageError(
        arguments.has("zone")
          ? "The time zone in --zone is unknown on this computer. Use a name such as Europe/Berlin."
          : "The calendar's time zone is unknown on this computer. Name another with --zone.", command: command)
    }
    return TimeReader(now: clock.now, zone: zone)
  }

  /// Returns an option's time, or `nil` without the option.
  ///
  /// - Throws: ``UsageError``.
  func time(_ option: String, _ reader: TimeReader, on day: CivilDate? = nil) throws -> WrittenTime? {
    guard let text = arguments[option] else { return nil }
    guard let time = reader.read(text, on: day) else {
      throw UsageError("--\(option) must be a day or a time: \(TimeReader.forms).", command: command)
    }
    return time
  }

  /// Returns an option's duration, or `nil` without the option.
  ///
  /// - Throws: ``UsageError``.
  func duration(_ option: String) throws -> WrittenDuration? {
    guard let text = arguments[option] else { return nil }
    guard let duration = WrittenDuration(text) else {
      throw UsageError("--\(option) must be a duration: \(WrittenDuration.forms).", command: command)
    }
    return duration
  }

  /// Returns an option's number, or `nil` without the option.
  ///
  /// - Throws: ``UsageError``.
  func number(_ option: String, in range: ClosedRange<Int>) throws -> Int? {
    guard let text = arguments[option] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw UsageError(
        "--\(option) must be a number from \(range.lowerBound) to \(range.upperBound).", command: command)
    }
    return number
  }

  /// Returns the span of --from, --to and --days.
  ///
  /// - Throws: ``UsageError``.
  func span(_ reader: TimeReader) throws -> Range<Timestamp> {
    let days = try number("days", in: 1...3660)
    guard days == nil || !arguments.has("to") else {
      throw UsageError("--to and --days cannot be combined. Omit one.", command: command)
    }
    let from = try time("from", reader) ?? .day(reader.today)
    let (start, firstDay) =
      switch from {
      case .day(let day): (reader.start(of: day), day)
      case .time(let time): (time.timestamp, time.date)
      }
    let end =
      switch try time("to", reader, on: firstDay) {
      case .day(let day)?: reader.start(of: day.adding(days: 1))
      case .time(let time)?: time.timestamp
      case nil:
        switch from {
        case .day: reader.start(of: firstDay.adding(days: days ?? 7))
        case .time: start + .seconds((days ?? 7) * 86_400)
        }
      }
    guard start < end else { throw UsageError("The end must be after the start.", command: command) }
    return start..<end
  }

  /// Returns the JSON object of --data, or `nil` without the option.
  ///
  /// - Throws: ``UsageError``, or `CancellationError`.
  func dataObject() async throws -> JSONValue? {
    guard let file = arguments["data"] else { return nil }
    let content = try await content(of: file, option: "data")
    guard let value = try? JSONValue(json: content, requiringUniqueNames: true), value.object != nil else {
      throw UsageError("The file for --data must contain a JSON object.", command: command)
    }
    return value
  }

  /// Writes a resource as JSON, or a sentence naming it.
  func write(_ resource: some CalendarSchema, _ sentence: String) {
    if isJSON { return writeJSON(object: resource.json()) }
    terminal.line(TerminalText(sentence))
  }

  /// Writes a deletion as JSON, or as a sentence.
  func writeDeletion(of id: String, _ sentence: String) throws {
    if isJSON { return try writeJSON(Deletion(deleted: id)) }
    terminal.line(TerminalText(sentence))
  }

  /// Writes an object of the Calendar API as JSON.
  func writeJSON(object: [UInt8]) { terminal.raw(object.terminalSafeJSON + [UInt8(ascii: "\n")]) }
}

private struct Deletion: Encodable {
  let deleted: String
}
