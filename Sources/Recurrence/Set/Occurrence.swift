// SPDX-License-Identifier: Apache-2.0

public import Timekeeping

/// An occurrence of a series.
public struct Occurrence: Sendable, Hashable {
  /// When it starts: at midnight in UTC in a series of whole days.
  public let timestamp: Timestamp
  /// What the clocks of the series show then, which is not what a rule names if they skip that.
  public let local: LocalDateTime

  init(_ point: Point) {
    timestamp = Timestamp(secondsSince1970: point.instant)
    local = LocalDateTime(unchecked: point.local)
  }
}

extension Occurrence {
  /// The day, on the clocks of the series.
  public var date: CivilDate { local.date }
}

extension Occurrence: Comparable {
  /// Whether the first is earlier than the second.
  public static func < (left: Occurrence, right: Occurrence) -> Bool { left.timestamp < right.timestamp }
}
