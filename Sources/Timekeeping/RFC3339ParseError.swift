// SPDX-License-Identifier: Apache-2.0

public import PlatformFoundation

/// The error for a text that is not a date or time of RFC 3339.
public struct RFC3339ParseError: Error, Sendable, Hashable {
  /// The kind of fault.
  public enum Reason: Sendable, Hashable {
    /// The text ends before the date or time is complete.
    case truncated
    /// A character is not the expected one: a digit, a hyphen, a colon, `T`, or a zone.
    case unexpectedCharacter
    /// Characters follow the end of the date or time.
    case trailingCharacters
    /// The month is not 01 to 12.
    case month
    /// The month has no such day.
    case day
    /// The hour is not 00 to 23.
    case hour
    /// The minute is not 00 to 59.
    case minute
    /// The second is not 00 to 59, nor 60 at a possible leap second: 23:59:60 UTC on the last day of a month.
    case second
    /// The offset's hours are not 00 to 23, or its minutes are not 00 to 59.
    case offset
  }

  /// The kind of fault.
  public let reason: Reason
  /// The position of the fault, in UTF-8 bytes from the start of the text.
  public let offset: Int

  /// Creates an error.
  public init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }
}

extension RFC3339ParseError: CustomStringConvertible {
  /// A message that states the fault, its position and the right form.
  public var description: String {
    let fault =
      switch reason {
      case .truncated: "ends too early"
      case .unexpectedCharacter: "has an unexpected character"
      case .trailingCharacters: "continues after its end"
      case .month: "has no such month"
      case .day: "has a day that its month does not have"
      case .hour: "has an hour that is not 00 to 23"
      case .minute: "has a minute that is not 00 to 59"
      case .second: "has a second that is not 00 to 59, nor a leap second"
      case .offset: "has an offset that is not -23:59 to +23:59"
      }
    return "The date or time \(fault), at offset \(offset). Write it like 2026-02-28T09:30:00Z (RFC 3339)."
  }
}

extension RFC3339ParseError: LocalizedError {
  /// The ``description``.
  public var errorDescription: String? { description }
}
