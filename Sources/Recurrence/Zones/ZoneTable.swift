// SPDX-License-Identifier: Apache-2.0

import Timekeeping

/// The offsets of a zone: a list of changes, and a rule for the time after the last change.
final class ZoneTable: Sendable, Equatable {
  /// A period between two changes of the offset, with an exclusive end.
  struct Segment: Equatable {
    var start: Int64
    var end: Int64
    let offset: Int64

    /// The local time at the start.
    ///
    /// ``localEnd`` is the local time at the end.
    var localStart: Int64 { start + offset }
    var localEnd: Int64 { end + offset }
  }

  /// An instant before all changes.
  ///
  /// Like ``distantFuture``, it leaves space in `Int64` to add offsets.
  static let distantPast = Int64.min / 4
  static let distantFuture = Int64.max / 4

  /// The instants of the changes, ascending.
  private let changes: [Int64]
  /// The offsets, one more than the changes.
  ///
  /// The first one applies before the first change.
  private let offsets: [Int32]
  /// The rule from the last change on.
  private let rule: POSIXZoneRule?

  /// Creates a table.
  ///
  /// - Parameters:
  ///   - changes: The instants of the changes, ascending.
  ///   - offsets: The offsets, one more than the changes.
  ///   - rule: The rule from the last change on.
  init(changes: [Int64], offsets: [Int32], rule: POSIXZoneRule?) {
    var (changes, offsets) = (changes, offsets)
    // The rule's changes are listed for the most frequently requested years: searching a list is faster.
    if let rule, var last = changes.last {
      while case let segment = rule.segment(at: last), segment.end < Self.endOfList {
        last = segment.end
        changes.append(last)
        offsets.append(Int32(clamping: rule.segment(at: last).offset))
      }
    }
    self.changes = changes
    self.offsets = offsets
    self.rule = rule
  }

  /// 2100-01-01.
  private static let endOfList: Int64 = 4_102_444_800

  convenience init(fixed offset: Int32) { self.init(changes: [], offsets: [offset], rule: nil) }

  convenience init(rule: POSIXZoneRule) { self.init(changes: [], offsets: [0], rule: rule) }

  static func == (left: ZoneTable, right: ZoneTable) -> Bool {
    left.changes == right.changes && left.offsets == right.offsets && left.rule == right.rule
  }

  /// Returns the segment containing an instant.
  func segment(at instant: Int64) -> Segment {
    var (low, high) = (0, changes.count)
    while low < high {
      let middle = (low + high) / 2
      if changes[middle] <= instant { low = middle + 1 } else { high = middle }
    }
    if low == changes.count, let rule {
      var segment = rule.segment(at: instant)
      if let last = changes.last { segment.start = max(segment.start, last) }
      return segment
    }
    return Segment(
      start: low == 0 ? Self.distantPast : changes[low - 1],
      end: low == changes.count ? Self.distantFuture : changes[low], offset: Int64(offsets[low]))
  }

  /// A range of local times skipped by the clocks, with an exclusive end.
  struct Gap {
    let start: Int64
    let end: Int64

    var length: Int64 { end - start }
  }

  /// Calls a closure for each gap between two local times, in order, until it returns `false`.
  ///
  /// It may also be called for gaps just outside of the range.
  func forEachGap(from first: Int64, to last: Int64, _ body: (Gap) -> Bool) {
    var segment = segment(at: first - 2 * Seconds.largestOffset)
    while segment.end <= last + 2 * Seconds.largestOffset {
      let next = self.segment(at: segment.end)
      if next.localStart > segment.localEnd, !body(Gap(start: segment.localEnd, end: next.localStart)) { return }
      segment = next
    }
  }
}
