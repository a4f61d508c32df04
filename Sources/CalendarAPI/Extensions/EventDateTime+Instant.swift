// SPDX-License-Identifier: Apache-2.0

public import Timekeeping

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension EventDateTime {
  /// Returns the instant of the start or end; `nil` if it has neither a date nor a time.
  ///
  /// An all-day event begins and ends with the day where the user is. Where clocks are set forward over midnight, the day begins
  /// after the gap; where they are set back over it, the first of its beginnings counts.
  ///
  /// - Parameter timeZone: The time zone of an all-day date, such as that of the user's calendar. A time has an offset of its own.
  ///   On Linux a named zone comes with the whole of Foundation.
  public func instant(in timeZone: TimeZone) -> Timestamp? {
    if let dateTime { return dateTime.timestamp }
    return date.map { $0.start(in: timeZone) }
  }
}

extension CivilDate {
  /// The first instant of the day in a time zone.
  fileprivate func start(in timeZone: TimeZone) -> Timestamp {
    func offset(at instant: Timestamp) -> Int { timeZone.secondsFromGMT(for: Date(instant)) }
    let (before, after) = (offset(at: startOfDay - .seconds(86_400)), offset(at: startOfDay + .seconds(86_400)))
    for offsetSeconds in [before, after] {
      let instant = startOfDay - .seconds(offsetSeconds)
      if offset(at: instant) == offsetSeconds { return instant }
    }
    // Midnight is skipped: the day begins where the offset changes.
    var (low, high) = (-Swift.max(before, after), -Swift.min(before, after))
    while high - low > 1 {
      let middle = (low + high) / 2
      if offset(at: startOfDay + .seconds(middle)) == after { high = middle } else { low = middle }
    }
    return startOfDay + .seconds(high)
  }
}
