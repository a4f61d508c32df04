// SPDX-License-Identifier: Apache-2.0

import Timekeeping

extension RecurrenceRule {
  /// Reads a rule without the name of its property: `FREQ=WEEKLY;BYDAY=MO`.
  ///
  /// Names and values are case-insensitive. Unknown, repeated and empty parts are rejected, and so are combinations
  /// forbidden by [RFC 5545 § 3.3.10](https://www.rfc-editor.org/rfc/rfc5545.html#section-3.3.10).
  ///
  /// - Throws: ``RecurrenceError``, which names the part, its position and the remedy.
  public init(_ text: String) throws(RecurrenceError) {
    var reader = TextReader(text)
    self = try RecurrenceRule(&reader)
  }

  /// Reads up to the end of the text.
  init(_ reader: inout TextReader) throws(RecurrenceError) {
    let position = reader.position
    var parts = PartReader()
    repeat { try parts.read(&reader) } while reader.skip(";")
    try reader.end(.malformed)
    self = try parts.rule(at: position)
  }
}

extension RecurrenceRule: CustomStringConvertible {
  /// The rule without the name of its property and without parts with their default value.
  public var description: String {
    var parts = [(Part.frequency, frequency.rawValue)]
    switch end {
    case .never: break
    case .count(let count): parts.append((.count, "\(count)"))
    case .until(let time): parts.append((.until, time.description))
    }
    if interval != 1 { parts.append((.interval, "\(interval)")) }
    func list(_ values: [some CustomStringConvertible]) -> String { values.map(\.description).joined(separator: ",") }
    parts += [
      (.bySecond, list(bySecond)), (.byMinute, list(byMinute)), (.byHour, list(byHour)), (.byDay, list(byDay)),
      (.byMonthDay, list(byMonthDay)), (.byYearDay, list(byYearDay)), (.byWeekNo, list(byWeekNo)),
      (.byMonth, list(byMonth)), (.bySetPos, list(bySetPos)),
    ].filter { !$0.1.isEmpty }
    if weekStart != .monday { parts.append((.weekStart, weekStart.code)) }
    return parts.map { "\($0.0.rawValue)=\($0.1)" }.joined(separator: ";")
  }
}
