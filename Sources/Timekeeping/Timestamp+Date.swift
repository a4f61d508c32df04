// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Timestamp {
  /// Creates the instant of `date`, to the nearest nanosecond.
  ///
  /// Converting back gives the same date, unless it is so close to 2001 (within half a year) that it has digits below a
  /// nanosecond. A date beyond the range of `Timestamp` becomes its first or last instant; one that is not a number,
  /// ``unixEpoch``.
  public init(_ date: Date) {
    // The seconds that a date holds; those since 1970 would be rounded once more.
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

  /// Seconds from 1970 to 2001-01-01T00:00:00Z, which dates are counted from.
  fileprivate static let referenceDate: Int64 = 978_307_200
}

extension Date {
  /// Creates the date nearest to `timestamp`: a `Date` today tells instants apart that are 120 nanoseconds apart, where a
  /// `Timestamp` has every nanosecond.
  public init(_ timestamp: Timestamp) {
    let (since2001, overflow) = timestamp.secondsSince1970.subtractingReportingOverflow(Timestamp.referenceDate)
    self.init(
      timeIntervalSinceReferenceDate: Double(overflow ? .min : since2001) + Double(timestamp.nanoseconds) / 1e9)
  }
}
