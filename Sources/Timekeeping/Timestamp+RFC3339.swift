// SPDX-License-Identifier: Apache-2.0

extension Timestamp {
  /// Parses a date and time of RFC 3339, such as `2026-02-28T09:30:00.25+01:00`
  /// ([RFC 3339 § 5.6](https://www.rfc-editor.org/rfc/rfc3339.html#section-5.6), date-time).
  ///
  /// The zone is required. `t` and `z` may have either case. The fraction may have any number of digits. Digits beyond
  /// nanoseconds are truncated. A second of 60 is accepted only at a possible leap second, 23:59:60 UTC on the last day
  /// of a month. It becomes the first second of the next day, as in POSIX time.
  ///
  /// - Parameter allowingSpace: Whether a space may replace the `T`.
  /// - Throws: ``RFC3339ParseError``, with the fault and its UTF-8 offset.
  public init(rfc3339 text: borrowing String, allowingSpace: Bool = false) throws(RFC3339ParseError) {
    self = try RFC3339.reading(text) { RFC3339.dateTime($0, allowingSpace) }.timestamp
  }

  /// Parses a date and time from a part of a string.
  ///
  /// Offsets in errors count from the start of the part.
  public init(rfc3339 text: borrowing Substring, allowingSpace: Bool = false) throws(RFC3339ParseError) {
    self = try RFC3339.reading(text) { RFC3339.dateTime($0, allowingSpace) }.timestamp
  }

  /// Parses a date and time from ASCII bytes.
  public init(rfc3339 text: Span<UInt8>, allowingSpace: Bool = false) throws(RFC3339ParseError) {
    self = try RFC3339.dateTime(text, allowingSpace).get().timestamp
  }
}

extension Timestamp: CustomStringConvertible {
  /// The same as ``rfc3339(fractionDigits:)`` without an argument.
  public var description: String { rfc3339() }

  /// Returns the instant in UTC in the form of RFC 3339: `2026-02-28T08:30:00.250Z`.
  ///
  /// RFC 3339 has the years 0000 to 9999. An instant outside them is written as the nearest one within.
  ///
  /// - Parameter fractionDigits: The number of digits of the second's fraction, 0 to 9. Further digits are truncated.
  ///   Defaults to the smallest lossless number of 0, 3, 6 and 9.
  public func rfc3339(fractionDigits: Int? = nil) -> String {
    OffsetDateTime(unchecked: self, 0).rfc3339(fractionDigits: fractionDigits)
  }

  /// Appends the result of ``rfc3339(fractionDigits:)``, without an intermediate string.
  public func appendRFC3339(to buffer: inout [UInt8], fractionDigits: Int? = nil) {
    OffsetDateTime(unchecked: self, 0).appendRFC3339(to: &buffer, fractionDigits: fractionDigits)
  }
}

extension Timestamp: Codable {
  /// Decodes the instant from a single string of RFC 3339.
  public init(from decoder: any Decoder) throws {
    self = try decoder.decodeRFC3339 { try Timestamp(rfc3339: $0) }
  }

  /// Encodes the instant as a single string of RFC 3339, in UTC.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rfc3339())
  }
}

extension Decoder {
  /// Decodes a single string, and turns its fault into a `DecodingError` with the coding path.
  func decodeRFC3339<Value>(_ read: (String) throws -> Value) throws -> Value {
    let container = try singleValueContainer()
    let text = try container.decode(String.self)
    do {
      return try read(text)
    } catch {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(error)")
    }
  }
}
