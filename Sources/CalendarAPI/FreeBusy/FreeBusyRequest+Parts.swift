// SPDX-License-Identifier: Apache-2.0

import Timekeeping

extension FreeBusyRequest {
  /// The most calendars and groups of one query.
  private static let maximumItems = 50
  /// The longest period of one query.
  private static let maximumPeriod = Duration.seconds(90 * 86_400)

  /// Queries that the server accepts, by period and within it by calendars; at least one.
  var parts: [FreeBusyRequest] {
    let lists = itemLists
    return periods.flatMap { period in
      lists.map { items in
        var part = self
        part.items = items
        part.timeMin = period.start
        part.timeMax = period.end
        return part
      }
    }
  }

  /// The items, each once, in lists that are short enough.
  private var itemLists: [[FreeBusyRequestItem]?] {
    guard let items, !items.isEmpty else { return [items] }
    var seen: Set<FreeBusyRequestItem> = []
    var rest = items.filter { seen.insert($0).inserted }[...]
    let length = min(max(calendarExpansionMax ?? Self.maximumItems, 1), Self.maximumItems)
    var lists: [[FreeBusyRequestItem]?] = []
    while !rest.isEmpty {
      lists.append(Array(rest.prefix(length)))
      rest = rest.dropFirst(length)
    }
    return lists
  }

  /// Periods that are short enough, each of which starts where the one before ends.
  ///
  /// What is no period is left for the server to refuse.
  private var periods: [(start: OffsetDateTime?, end: OffsetDateTime?)] {
    guard let timeMin, let timeMax else { return [(timeMin, timeMax)] }
    var periods: [(start: OffsetDateTime?, end: OffsetDateTime?)] = []
    var start = timeMin
    while timeMax.timestamp - start.timestamp > Self.maximumPeriod,
      let end = OffsetDateTime(start.timestamp + Self.maximumPeriod, offsetSeconds: timeMin.offsetSeconds)
    {
      periods.append((start, end))
      start = end
    }
    periods.append((start, timeMax))
    return periods
  }
}
