// SPDX-License-Identifier: Apache-2.0

/// Converts local times of a zone to instants, fastest in ascending order.
struct ZoneClock {
  let table: ZoneTable
  /// The start of a cached range of local times whose earliest offset is ``offset``.
  private var start: Int64 = 0
  private var end: Int64 = 0
  private var offset: Int64 = 0

  init(_ table: ZoneTable) { self.table = table }

  /// Returns the instant of a local time.
  ///
  /// - Parameter local: A local time within the years 0 to 9999.
  /// - Returns: The instant, and the length of the gap skipping the time, or 0 if the time exists.
  @inline(__always)
  mutating func instant(of local: Int64) -> (instant: Int64, skipped: Int64) {
    if local >= start, local < end { return (local - offset, 0) }
    return search(local)
  }

  private mutating func search(_ local: Int64) -> (instant: Int64, skipped: Int64) {
    var segment = table.segment(at: local - Seconds.largestOffset)
    // Times from this bound on also exist in an earlier segment, which has precedence.
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
        // RFC 5545 § 3.3.5: a time in a gap uses the offset before the gap.
        return (local - segment.offset, next.localStart - segment.localEnd)
      }
      segment = next
    }
  }
}
