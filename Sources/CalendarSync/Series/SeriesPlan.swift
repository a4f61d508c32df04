// SPDX-License-Identifier: Apache-2.0

public import CalendarAPI
public import Recurrence
public import Timekeeping

/// The planned changes of an edit of a recurring event.
///
/// The description contains the number of changes and never a value.
public struct SeriesPlan: Sendable, Hashable {
  /// The identifier of the calendar.
  public let calendarID: String
  /// The changes in their order, empty if the edit changes nothing.
  ///
  /// The new event of a split is inserted with its exceptions before the original event ends, so no instance is missing at any time.
  public let changes: [EventChange]
  /// The recurring event and its exceptions before the edit.
  public let before: [Event]
  /// The recurring events and their exceptions after the edit.
  public let after: [Event]
  /// The original start of the instance at which the event is split, or `nil` if it is not split.
  public let split: Timestamp?

  init(_ series: StoredSeries, changes: [EventChange], after: [Event], split: Timestamp? = nil) {
    calendarID = series.calendarID
    self.changes = changes
    before = series.events
    self.after = after
    self.split = split
  }

  /// Returns the instances in a range before and after the edit.
  ///
  /// - Parameters:
  ///   - start: The exclusive lower bound for the end of an instance.
  ///   - end: The exclusive upper bound for the start.
  ///   - zone: The zone in which all-day instances take place.
  public func preview(from start: Timestamp, to end: Timestamp, zone: Zone) -> SeriesPreview {
    func occurrences(_ events: [Event]) -> [EventOccurrence] {
      events.map { StoredEvent($0, in: calendarID, start: 0) }.occurrences(from: start, to: end, zone: zone).inOrder
    }
    return SeriesPreview(before: occurrences(before), after: occurrences(after))
  }
}

extension SeriesPlan: CustomStringConvertible, CustomReflectable {
  /// The number of changes.
  public var description: String { "\(changes.count) changes" }

  /// A mirror without values.
  public var customMirror: Mirror { Mirror(self, children: ["plan": description]) }
}

/// The instances of a recurring event in a range, before and after an edit.
public struct SeriesPreview: Sendable, Hashable {
  /// The instances before the edit, in order.
  public let before: [EventOccurrence]
  /// The instances after the edit, in order.
  public let after: [EventOccurrence]
}
