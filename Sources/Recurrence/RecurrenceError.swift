// SPDX-License-Identifier: Apache-2.0

/// Why a recurrence rule, or a line of a recurrence set, cannot be read or does not fit its series.
public struct RecurrenceError: Error, Sendable, Hashable {
  /// What is wrong.
  public let reason: Reason
  /// The part or property that is at fault, such as `BYDAY` or `EXDATE`; `nil` if it is none in particular.
  public private(set) var part: String?
  /// Where: UTF-8 bytes from the start of the text; `nil` for what was not read from a text.
  public private(set) var offset: Int?
  /// In which of the lines of a recurrence set, from 0; `nil` outside of one.
  public private(set) var line: Int?

  init(_ reason: Reason, name: String? = nil, at offset: Int? = nil) {
    self.reason = reason
    part = name.flatMap { $0.isEmpty ? nil : String($0.prefix(32)) }
    self.offset = offset
  }

  init(_ reason: Reason, part: RecurrenceRule.Part, at offset: Int? = nil) {
    self.init(reason, name: part.rawValue, at: offset)
  }

  func within(_ part: RecurrenceRule.Part) -> RecurrenceError {
    RecurrenceError(reason, part: part, at: offset)
  }

  func at(_ offset: Int?) -> RecurrenceError {
    var error = self
    error.offset = offset
    return error
  }

  func on(line: Int, property: String) -> RecurrenceError {
    var error = self
    error.line = line
    error.part = error.part ?? (property.isEmpty ? nil : String(property.prefix(32)))
    return error
  }
}

extension RecurrenceError {
  /// What is wrong.
  public enum Reason: Sendable, Hashable {
    /// There is no `FREQ`.
    case missingFrequency
    /// A part is not written as `NAME=VALUE`, or a line not as `NAME:VALUE`.
    case malformed
    /// A rule has no such part.
    case unknownPart
    /// The part comes twice.
    case repeatedPart
    /// The part has no such value, or something follows its value.
    case unknownValue
    /// A number is missing.
    case notANumber
    /// A number is not among those that the part may have; also the same numbers negated if it is signed.
    case outOfRange(ClosedRange<Int>, isSigned: Bool)
    /// `COUNT` and `UNTIL` exclude each other.
    case countAndUntil
    /// The part is not for rules of this frequency.
    case frequency(RecurrenceRule.Frequency)
    /// A numbered day of the week is not for rules of this frequency.
    case ordinal(RecurrenceRule.Frequency)
    /// A numbered day of the week stands beside `BYWEEKNO`.
    case ordinalWithWeekNumber
    /// `BYSETPOS` without another `BY` part.
    case positionAlone
    /// Not a date or time, or one that does not exist.
    case invalidTime
    /// A recurrence set has no such line.
    case unknownProperty
    /// The line's `VALUE` is neither `DATE` nor `DATE-TIME`, or its values are of the other type.
    case valueType
    /// The time zone that the line names cannot be read.
    case zone(ZoneError)
    /// A series of whole days cannot recur within a day.
    case frequencyOfDays(RecurrenceRule.Frequency)
    /// A recurrence set has more than 100 rules.
    case tooManyRules
    /// The rules name too few occurrences for the work that finding them takes.
    case tooMuchWork
  }
}

extension RecurrenceError: CustomStringConvertible {
  /// What is wrong, where, and what to do, in a sentence.
  public var description: String {
    var place = part.map { " in \($0)" } ?? ""
    if let line { place += " of line \(line)" }
    if let offset { place += " at offset \(offset)" }
    return "The recurrence is not valid\(place): \(reason)."
  }
}

extension RecurrenceError.Reason: CustomStringConvertible {
  /// What is wrong, and what to do.
  public var description: String {
    switch self {
    case .missingFrequency: "there is no FREQ; begin the rule with one, such as FREQ=WEEKLY"
    case .malformed: "write each part as NAME=VALUE with a semicolon between parts, and each line as NAME:VALUE"
    case .unknownPart: "RFC 5545 has no such part; remove it"
    case .repeatedPart: "the part comes twice; write one, with a list of values if it may have one"
    case .unknownValue: "the part has no such value; write one that RFC 5545 § 3.3.10 lists"
    case .notANumber: "write a whole number here"
    case .outOfRange(let bounds, let isSigned):
      "write a number from \(bounds.lowerBound) to \(bounds.upperBound)"
        + (isSigned ? ", or its negative to count from the end" : "")
    case .countAndUntil: "COUNT and UNTIL exclude each other; remove one"
    case .frequency(let frequency): "a \(frequency.rawValue) rule cannot have this part; remove it, or change FREQ"
    case .ordinal(let frequency):
      "the days of a \(frequency.rawValue) rule have no numbers; write MO instead of 1MO, or change FREQ to MONTHLY or YEARLY"
    case .ordinalWithWeekNumber: "days have no numbers beside BYWEEKNO; write MO instead of 1MO"
    case .positionAlone: "BYSETPOS selects from another BY part; add one, or remove it"
    case .invalidTime: "write a date that exists as 20260228, a time as 20260228T093000, or in UTC as 20260228T083000Z"
    case .unknownProperty: "write RRULE, EXRULE, RDATE or EXDATE"
    case .valueType: "VALUE is DATE or DATE-TIME, and the values are as it says; periods are not supported"
    case .zone(let error): "\(error)"
    case .frequencyOfDays(let frequency):
      "whole days cannot recur \(frequency.rawValue); give the series a time of day, or change FREQ to DAILY or longer"
    case .tooMuchWork:
      "finding the occurrences takes too much work; remove parts of the rule, or begin the series later"
    case .tooManyRules: "a series has at most 100 rules; write the dates as RDATE"
    }
  }
}
