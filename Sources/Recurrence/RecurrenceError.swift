// SPDX-License-Identifier: Apache-2.0

public import PlatformFoundation

/// An error in a recurrence rule or in a line of a recurrence set, or a rule unsuitable for its series.
public struct RecurrenceError: Error, Sendable, Hashable {
  /// The reason for the error.
  public let reason: Reason
  /// The invalid part or property, such as `BYDAY` or `EXDATE`, or `nil` if the error concerns none in particular.
  public private(set) var part: String?
  /// The place of the error in UTF-8 bytes from the start of the text, or `nil` for a value not read from a text.
  public private(set) var offset: Int?
  /// The index of the line in a recurrence set, from 0, or `nil` outside of a set.
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
  /// The reason for an error.
  public enum Reason: Sendable, Hashable {
    /// `FREQ` is missing.
    case missingFrequency
    /// A part does not have the form `NAME=VALUE`, or a line the form `NAME:VALUE`.
    case malformed
    /// RFC 5545 does not define the part.
    case unknownPart
    /// The part is repeated.
    case repeatedPart
    /// The part does not allow this value, or other characters follow the value.
    case unknownValue
    /// A number is missing.
    case notANumber
    /// A number is outside the range of the part. If the part is signed, the range also includes the negated numbers.
    case outOfRange(ClosedRange<Int>, isSigned: Bool)
    /// `COUNT` and `UNTIL` exclude each other.
    case countAndUntil
    /// The part is not allowed in rules of this frequency.
    case frequency(RecurrenceRule.Frequency)
    /// A numbered weekday is not allowed in rules of this frequency.
    case ordinal(RecurrenceRule.Frequency)
    /// A numbered weekday is not allowed together with `BYWEEKNO`.
    case ordinalWithWeekNumber
    /// `BYSETPOS` without another `BY` part.
    case positionAlone
    /// The value is not a date or time, or names a nonexistent one, such as 30 February.
    case invalidTime
    /// The line's property is not part of a recurrence set.
    case unknownProperty
    /// The line's `VALUE` is neither `DATE` nor `DATE-TIME`, or does not match its values.
    case valueType
    /// The line's time zone cannot be read.
    case zone(ZoneError)
    /// A series of whole days cannot recur within a day.
    case frequencyOfDays(RecurrenceRule.Frequency)
    /// `UNTIL` is a local time, but the start is a day, or a time in UTC or in a zone.
    case localUntil(isAllDay: Bool)
    /// A recurrence set has more than 100 rules.
    case tooManyRules
    /// The search for occurrences exceeds its work limit.
    case tooMuchWork
  }
}

extension RecurrenceError: CustomStringConvertible {
  /// A message that states the error, its place if it is known, and its remedy.
  public var description: String {
    var place = part.map { " in \($0)" } ?? ""
    if let line { place += " of line \(line)" }
    if let offset { place += " at offset \(offset)" }
    return "The recurrence is not valid\(place): \(reason)."
  }
}

extension RecurrenceError.Reason: CustomStringConvertible {
  /// The error and its remedy, without the final period.
  public var description: String {
    switch self {
    case .missingFrequency: "there is no FREQ. Begin the rule with one, such as FREQ=WEEKLY"
    case .malformed: "write each part as NAME=VALUE with a semicolon between parts, and each line as NAME:VALUE"
    case .unknownPart: "RFC 5545 has no such part. Remove it"
    case .repeatedPart: "the part is repeated. Write it once, with a list of values if it allows one"
    case .unknownValue: "the part has no such value. Write one that RFC 5545 § 3.3.10 lists"
    case .notANumber: "write a whole number here"
    case .outOfRange(let bounds, let isSigned):
      "write a number from \(bounds.lowerBound) to \(bounds.upperBound)"
        + (isSigned ? ", or its negative to count from the end" : "")
    case .countAndUntil: "COUNT and UNTIL cannot be combined. Remove one"
    case .frequency(let frequency): "a \(frequency.rawValue) rule cannot have this part. Remove it, or change FREQ"
    case .ordinal(let frequency):
      "the days of a \(frequency.rawValue) rule cannot have numbers. Write MO instead of 1MO, or change FREQ to MONTHLY or YEARLY"
    case .ordinalWithWeekNumber: "days cannot have numbers together with BYWEEKNO. Write MO instead of 1MO"
    case .positionAlone: "BYSETPOS selects from another BY part. Add one, or remove it"
    case .invalidTime: "write a date that exists as 20260228, a time as 20260228T093000, or in UTC as 20260228T083000Z"
    case .unknownProperty: "write RRULE, EXRULE, RDATE or EXDATE"
    case .valueType: "VALUE must be DATE or DATE-TIME and match the values. Periods are not supported"
    case .zone(let error): error.problem
    case .frequencyOfDays(let frequency):
      "whole days cannot recur \(frequency.rawValue). Give the series a time of day, or change FREQ to DAILY or longer"
    case .localUntil(true): "the series has whole days. Write UNTIL as a date, such as 20260228"
    case .localUntil(false):
      "the start has a time zone. Write UNTIL in UTC, such as 20260228T083000Z, or as a date, such as 20260228"
    case .tooMuchWork:
      "finding the occurrences takes too much work. Remove parts of the rule, or begin the series later"
    case .tooManyRules: "a series has at most 100 rules. Write the dates as RDATE"
    }
  }
}

extension RecurrenceError: LocalizedError {
  /// The ``description``.
  public var errorDescription: String? { description }
}
