// SPDX-License-Identifier: Apache-2.0

/// Finds the instants of times on a zone's clocks, fastest when they ascend.
struct ZoneClock {
  private let table: ZoneTable
  /// The local times that have this offset, and none before it.
  private var start: Int64 = 0
  private var end: Int64 = 0
  private var offset: Int64 = 0

  init(_ table: ZoneTable) { self.table = table }

  /// The instant at which the clocks show a time.
  ///
  /// - Parameter local: A time within the years 0 to 9999.
  /// - Returns: The instant, and by how much the clocks skip the time; 0 if they show it.
  @inline(__always)
  mutating func instant(of local: Int64) -> (instant: Int64, skipped: Int64) {
    if local >= start, local < end { return (local - offset, 0) }
    return search(local)
  }

  private mutating func search(_ local: Int64) -> (instant: Int64, skipped: Int64) {
    var segment = table.segment(at: local - Seconds.largestOffset)
    // An earlier segment shows these times too, and the first counts.
    var bound = ZoneTable.distantFuture
    while true {
      if segment.localStart <= local, local < segment.localEnd {
        (start, end, offset) = (local, min(segment.localEnd, bound), segment.offset)
        return (local - offset, 0)
      }
      if segment.localStart > local { bound = min(bound, segment.localStart) }
      guard segment.end <= local + Seconds.largestOffset else { return (local - segment.offset, 0) }
      let next = table.segment(at: segment.end)
      if segment.localEnd <= local, local < next.localStart {
        // RFC 5545 § 3.3.5: a time in a gap is meant by the offset before it.
        return (local - segment.offset, next.localStart - segment.localEnd)
      }
      segment = next
    }
  }
}
