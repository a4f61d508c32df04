// SPDX-License-Identifier: Apache-2.0

/// An instant together with the offset from UTC it was written with: `2026-02-28T09:30:00+01:00`.
///
/// Two values are equal if both the instants and the offsets are equal. To compare only instants, compare ``timestamp``.
public struct OffsetDateTime: Sendable, Hashable {
  /// The instant.
  public let timestamp: Timestamp
  /// Seconds to add to UTC to get the local time: whole minutes, -23:59 to +23:59.
  public let offsetSeconds: Int

  /// Creates the time of an instant in UTC.
  public init(_ timestamp: Timestamp) { self.init(unchecked: timestamp, 0) }

  /// Creates a local time from an instant and an offset, or returns `nil` if the offset is not a whole number of
  /// minutes within ±23:59, the range of RFC 3339.
  ///
  /// - Parameter offsetSeconds: Seconds to add to UTC, positive east of Greenwich.
  public init?(_ timestamp: Timestamp, offsetSeconds: Int) {
    guard offsetSeconds % 60 == 0, (-86_340...86_340).contains(offsetSeconds) else { return nil }
    self.init(unchecked: timestamp, offsetSeconds)
  }

  init(unchecked timestamp: Timestamp, _ offsetSeconds: Int) {
    self.timestamp = timestamp
    self.offsetSeconds = offsetSeconds
  }
}

extension OffsetDateTime {
  /// The local date, or the nearest representable one.
  public var date: CivilDate { CivilDate(daysSince1970: RFC3339.local(self).days) }
  /// The local hour, 0 to 23.
  public var hour: Int { RFC3339.local(self).seconds / 3600 }
  /// The minute, 0 to 59.
  public var minute: Int { RFC3339.local(self).seconds / 60 % 60 }
  /// The second, 0 to 59: a leap second is the first second of the next day.
  public var second: Int { RFC3339.local(self).seconds % 60 }
}

extension OffsetDateTime {
  /// Parses a date and time of RFC 3339, and keeps its offset.
  ///
  /// `-00:00`, the unknown offset, is read as UTC.
  ///
  /// ``Timestamp/init(rfc3339:allowingSpace:)-(String,_)`` documents the accepted forms.
  ///
  /// - Parameter allowingSpace: Whether a space may replace the `T`.
  /// - Throws: ``RFC3339ParseError``, with the fault and its UTF-8 offset.
  public init(rfc3339 text: borrowing String, allowingSpace: Bool = false) throws(RFC3339ParseError) {
    self = try RFC3339.reading(text) { RFC3339.dateTime($0, allowingSpace) }
  }

  /// Parses a date and time from a part of a string.
  ///
  /// Offsets in errors count from the start of the part.
  public init(rfc3339 text: borrowing Substring, allowingSpace: Bool = false) throws(RFC3339ParseError) {
    self = try RFC3339.reading(text) { RFC3339.dateTime($0, allowingSpace) }
  }

  /// Parses a date and time from ASCII bytes.
  public init(rfc3339 text: Span<UInt8>, allowingSpace: Bool = false) throws(RFC3339ParseError) {
    self = try RFC3339.dateTime(text, allowingSpace).get()
  }
}

extension OffsetDateTime: CustomStringConvertible {
  /// The same as ``rfc3339(fractionDigits:)`` without an argument.
  public var description: String { rfc3339() }

  /// Returns the local time and its offset in the form of RFC 3339.
  ///
  /// An offset of zero is `Z`.
  ///
  /// - Parameter fractionDigits: The number of digits of the second's fraction, 0 to 9. Further digits are truncated.
  ///   Defaults to the smallest lossless number of 0, 3, 6 and 9.
  public func rfc3339(fractionDigits: Int? = nil) -> String {
    RFC3339.string(self, fractionDigits)
  }

  /// Appends the result of ``rfc3339(fractionDigits:)``, without an intermediate string.
  public func appendRFC3339(to buffer: inout [UInt8], fractionDigits: Int? = nil) {
    RFC3339.append(self, fractionDigits, to: &buffer)
  }
}

extension OffsetDateTime: Codable {
  /// Decodes the time from a single string of RFC 3339.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeRFC3339 { try OffsetDateTime(rfc3339: $0) }
  }

  /// Encodes the time as a single string of RFC 3339.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
