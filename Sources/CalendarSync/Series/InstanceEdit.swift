// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import Timekeeping

/// The difference between an instance before and after an edit.
struct InstanceEdit {
  /// The changed fields, without times and recurrence.
  let fields: Event.Patch
  /// The new start and end, or `nil` if neither was changed.
  let start: EventDateTime?
  let end: EventDateTime?
  /// The new recurrence, or `nil` if it was not changed, and empty if the event no longer recurs.
  let recurrence: [String]?

  init(from old: Event, to new: Event) {
    fields = Event.Patch(from: old, to: new).removing(Event.namesOfPlace)
    let isMoved = old.start?.time != new.start?.time || old.end?.time != new.end?.time
    start = isMoved ? new.start : nil
    end = isMoved ? new.end : nil
    recurrence = old.recurrence == new.recurrence ? nil : new.recurrence ?? []
  }

  var changesTimes: Bool { start != nil || end != nil }

  var changesAttendees: Bool { fields.changes["attendees"] != nil }

  /// The time from the new start to the new end, in seconds, or `nil` if they do not match.
  var length: Int64? {
    guard let start, let end, (start.date == nil) == (end.date == nil), let first = start.secondsInUTC,
      let last = end.secondsInUTC, first <= last
    else { return nil }
    return last - first
  }

  /// Returns another version of the instance with the edit.
  func applied(to event: Event) -> Event {
    var event = fields.applied(to: event)
    if changesTimes { (event.start, event.end) = (start, end) }
    return event
  }
}

/// A recurring event after an edit, or the resulting single event.
struct EditedSeries {
  let event: Event
  /// The instances, or `nil` for a single event.
  let series: EventSeries?
  let move: SeriesMove

  /// Returns the exceptions at their new places, by their start in the new series.
  ///
  /// An exception keeps the values in which it differed from its series, and its own time.
  ///
  /// - Parameter split: The first instance whose exception is moved, or `nil` to move all exceptions.
  func exceptions(of planner: SeriesPlanner, _ edit: InstanceEdit, from split: Timestamp?) -> [Timestamp: Event] {
    guard planner.keepsExceptions, let series else { return [:] }
    return planner.exceptions.reduce(into: [:]) { moved, exception in
      let (original, old) = exception
      if let split, original < split { return }
      let start = move.instant(original)
      guard let plain = series.instance(at: start), let oldPlain = planner.series.instance(at: original) else { return }
      if old.status == .cancelled {
        moved[start] = .cancelled(plain)
      } else {
        let own = original == planner.original ? edit : nil
        let desired = old.moved(from: oldPlain, to: plain, after: own)
        if !Event.Patch(from: plain, to: desired).isEmpty { moved[start] = desired }
      }
    }
  }

  /// Returns the changes for replacing the exceptions on the server.
  ///
  /// - Parameters:
  ///   - old: The server's exceptions, by their start in the new series.
  ///   - new: The server's exceptions after the changes.
  func changes(
    from old: [Timestamp: Event], to new: [Timestamp: Event], _ sendUpdates: SendUpdates?
  ) -> [EventChange] {
    Set(old.keys).union(new.keys).sorted().compactMap { start in
      let (old, plain) = (old[start], series?.instance(at: start))
      guard let desired = new[start] ?? plain else {
        // The instance no longer exists.
        guard let old, old.status != .cancelled, let id = old.id else { return nil }
        return EventChange(id, .delete, base: old, sendUpdates: SendUpdates.none)
      }
      guard let base = old ?? plain, let id = base.id else { return nil }
      if desired.status == .cancelled {
        return base.status == .cancelled ? nil : EventChange(id, .delete, base: base, sendUpdates: sendUpdates)
      }
      let patch = Event.Patch(from: base, to: desired).removing(Event.namesOfIdentity.union(["recurrence"]))
      return patch.isEmpty ? nil : EventChange(id, .patch(patch), base: base, sendUpdates: sendUpdates)
    }
  }
}

extension Event {
  /// The fields of an event's place: its identity, times and recurrence.
  static let namesOfPlace = namesOfIdentity.union(["end", "recurrence", "start"])

  /// A new event with the same content and another identifier, without times and recurrence.
  var copy: Event {
    var copy = Event.Patch(from: Event(), to: self).removing(Self.namesOfPlace).applied(to: Event())
    copy.id = Event.makeIdentifier()
    return copy
  }

  /// The cancelled form of an instance.
  static func cancelled(_ instance: Event) -> Event {
    Event {
      $0.id = instance.id
      $0.status = .cancelled
      $0.recurringEventID = instance.recurringEventID
      $0.originalStartTime = instance.originalStartTime
    }
  }

  /// Returns a changed instance at another place.
  ///
  /// - Parameters:
  ///   - oldPlain: The instance before its change.
  ///   - plain: The instance of the edited series.
  ///   - edit: The edit of this instance itself, whose values take precedence, or `nil` for another instance.
  fileprivate func moved(from oldPlain: Event, to plain: Event, after edit: InstanceEdit?) -> Event {
    var names = Self.namesOfPlace.union(edit?.fields.changes.object?.keys.map(\.self) ?? [])
    if attendeesOmitted == true { names.insert("attendees") }
    var moved = Event.Patch(from: oldPlain, to: self).removing(names).applied(to: plain)
    if edit?.changesTimes == true { return moved }
    if start?.secondsInUTC != oldPlain.start?.secondsInUTC || (start?.date == nil) != (oldPlain.start?.date == nil) {
      (moved.start, moved.end) = (start, end)
    } else if let length = length, length != oldPlain.length, (start?.date == nil) == (plain.start?.date == nil) {
      moved.end = plain.start?.adding(length, like: plain.end)
    }
    return moved
  }

  /// The time from start to end, in seconds.
  private var length: Int64? {
    guard let start = start?.secondsInUTC, let end = end?.secondsInUTC else { return nil }
    return end - start
  }
}

extension EventDateTime {
  /// Returns the time a number of seconds later, which are whole days for a date.
  fileprivate func adding(_ seconds: Int64, like end: EventDateTime?) -> EventDateTime? {
    switch time {
    case .allDay(let date): EventDateTime(date: date.adding(days: Int(seconds / 86_400)))
    case .timed(let time, let name):
      OffsetDateTime(time.timestamp + .seconds(seconds), offsetSeconds: time.offsetSeconds)
        .map { EventDateTime(dateTime: $0, timeZone: end?.timeZone ?? name) }
    case nil: nil
    }
  }
}

extension Event.Patch {
  /// Returns the patch without the changes of some fields.
  func removing(_ names: Set<String>) -> Event.Patch {
    guard let fields = changes.object else { return self }
    return Event.Patch { $0.changes = .object(fields.filter { !names.contains($0.key) }) }
  }
}
