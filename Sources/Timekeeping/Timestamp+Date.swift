// SPDX-License-Identifier: Apache-2.0

public import PlatformFoundation

extension Timestamp {
  /// Creates the instant of `date`, to the nearest nanosecond.
  ///
  /// Converting back gives the same date, unless it is within half a year of 2001 and has digits below a nanosecond. A date
  /// beyond the range of `Timestamp` becomes its first or last instant. A date that is not a number becomes ``unixEpoch``.
  public init(_ date: Date) {
    // The seconds that a date stores: those since 1970 would be rounded again.
    let seconds = date.timeIntervalSinceReferenceDate
    guard !seconds.isNaN else {
      self = .unixEpoch
      return
    }
    let whole = seconds.rounded(.down)
    guard let since2001 = Int64(exactly: whole) else {
      self.init(secondsSince1970: seconds < 0 ? .min : .max)
      return
    }
    let (sum, overflow) = since2001.addingReportingOverflow(Self.referenceDate)
    // A fraction that rounds up to a second carries over.
    self.init(
      secondsSince1970: overflow ? .max : sum, nanoseconds: Int32(((seconds - whole) * 1e9).rounded()))
  }

  /// The seconds from 1970 to 2001-01-01T00:00:00Z, where dates count from.
  fileprivate static let referenceDate: Int64 = 978_307_200
}

extension Date {
  /// Creates the date nearest to `timestamp`.
  ///
  /// A `Date` of the present has a resolution of 120 nanoseconds, and a `Timestamp` of one nanosecond.
  public init(_ timestamp: Timestamp) {
    let (since2001, overflow) = timestamp.secondsSince1970.subtractingReportingOverflow(Timestamp.referenceDate)
    self.init(
      timeIntervalSinceReferenceDate: Double(overflow ? .min : since2001) + Double(timestamp.nanoseconds) / 1e9)
  }
}

extension OffsetDateTime {
  /// Creates the local time of an instant in a time zone.
  ///
  /// RFC 3339 only has offsets of whole minutes. Seconds of an offset, which some zones had before 1972, are dropped.
  ///
  /// - Parameter timeZone: The time zone. On Linux, a named zone and `current` require full Foundation.
  public init(_ timestamp: Timestamp, in timeZone: TimeZone) {
    let offset = timeZone.secondsFromGMT(for: Date(timestamp)) / 60 * 60
    self = OffsetDateTime(timestamp, offsetSeconds: offset) ?? OffsetDateTime(timestamp)
  }

  /// Creates the local time of a date in a time zone.
  ///
  /// See ``init(_:in:)-(Timestamp,_)``.
  public init(_ date: Date, in timeZone: TimeZone) { self.init(Timestamp(date), in: timeZone) }
}

extension CivilDate {
  /// Creates the day of a date in a time zone.
  ///
  /// ```swift
  /// let today = CivilDate(.now, in: .current)
  /// ```
  ///
  /// - Parameter timeZone: The time zone. On Linux, a named zone and `current` require full Foundation.
  public init(_ date: Date, in timeZone: TimeZone) { self = OffsetDateTime(date, in: timeZone).date }
}
