// SPDX-License-Identifier: Apache-2.0

package import CalendarAPI
import Recurrence
package import Timekeeping

/// The free times within windows.
package struct FreeSlots: Sendable {
  package let slots: [Range<Timestamp>]

  /// - Parameters:
  ///   - windows: The windows, in order and without overlaps.
  ///   - busy: The busy periods, in any order.
  ///   - minimum: The minimum length of a slot in seconds.
  package init(in windows: [Range<Timestamp>], busy: [TimePeriod], minimum: Int = 1) {
    let periods = busy.compactMap { period -> Range<Timestamp>? in
      guard let start = period.start?.timestamp, let end = period.end?.timestamp, start < end else { return nil }
      return start..<end
    }.sorted { $0.lowerBound < $1.lowerBound }
    var slots: [Range<Timestamp>] = []
    for window in windows {
      var free = window.lowerBound
      for period in periods where period.upperBound > free && period.lowerBound < window.upperBound {
        if period.lowerBound > free { slots.append(free..<period.lowerBound) }
        free = period.upperBound
      }
      if free < window.upperBound { slots.append(free..<window.upperBound) }
    }
    self.slots = slots.filter { $0.upperBound - $0.lowerBound >= .seconds(minimum) }
  }

  /// Returns the length of a slot as text, such as `1 h 30 min`.
  static func length(of slot: Range<Timestamp>) -> String {
    let minutes = (slot.upperBound - slot.lowerBound).components.seconds / 60
    let (hours, rest) = (minutes / 60, minutes % 60)
    return hours == 0 ? "\(rest) min" : rest == 0 ? "\(hours) h" : "\(hours) h \(rest) min"
  }
}

extension TimeReader {
  /// Returns the same hours of every day in a span.
  ///
  /// - Parameters:
  ///   - hours: The hours, as seconds of the day in the zone's local time.
  ///   - span: The span.
  package func windows(of hours: Range<Int>, in span: Range<Timestamp>) -> [Range<Timestamp>] {
    var day = zone.local(at: span.lowerBound).date
    var windows: [Range<Timestamp>] = []
    while start(of: day) < span.upperBound {
      let from = max(instant(hours.lowerBound, of: day), span.lowerBound)
      let to = min(instant(hours.upperBound, of: day), span.upperBound)
      if from < to { windows.append(from..<to) }
      let next = day.adding(days: 1)
      guard next > day else { break }
      day = next
    }
    return windows
  }

  private func instant(_ second: Int, of day: CivilDate) -> Timestamp {
    guard second < 86_400 else { return start(of: day.adding(days: 1)) }
    return LocalDateTime(day, hour: second / 3600, minute: second / 60 % 60).map(zone.timestamp) ?? start(of: day)
  }

  /// Returns a span in the zone as text.
  func text(of span: Range<Timestamp>) -> String {
    guard let start = written(span.lowerBound), let end = written(span.upperBound) else { return "?" }
    return OffsetDateTime.text(from: start, to: end)
  }

  /// Returns a span in the zone in the API's form.
  func period(_ span: Range<Timestamp>) -> TimePeriod {
    TimePeriod {
      $0.start = written(span.lowerBound)
      $0.end = written(span.upperBound)
    }
  }
}
