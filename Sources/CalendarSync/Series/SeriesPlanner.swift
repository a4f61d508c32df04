// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import Recurrence
import Timekeeping

/// A planner of edits of a recurring event.
struct SeriesPlanner {
  let stored: StoredSeries
  let series: EventSeries
  let eventID: String
  /// The instance before the edit.
  ///
  /// ``changed`` is the instance after it, or `nil` for a deletion.
  let instance: Event
  let changed: Event?
  /// The start of the instance in the series.
  let original: Timestamp
  let keepsExceptions: Bool
  let sendUpdates: SendUpdates?

  init(
    _ stored: StoredSeries, _ instance: Event, changed: Event?, keepsExceptions: Bool, sendUpdates: SendUpdates?
  ) throws(CalendarEditError) {
    guard let id = stored.event.id, stored.event.recurrence?.isEmpty == false else { throw .notRecurring }
    guard let series = EventSeries(stored.event), series.hasKnownZone else { throw .unreadableRecurrence }
    guard instance.id == id || instance.recurringEventID == id else { throw .notAnInstance }
    let start = instance.id == id ? stored.event.start : instance.originalStartTime
    guard let seconds = start?.secondsInUTC else { throw .notAnInstance }
    self.stored = stored
    self.series = series
    eventID = id
    self.instance = instance
    self.changed = changed
    original = Timestamp(secondsSince1970: seconds)
    self.keepsExceptions = keepsExceptions
    self.sendUpdates = sendUpdates
  }

  func plan(_ scope: SeriesScope) throws(CalendarEditError) -> SeriesPlan {
    switch scope {
    case .this: return try planThis()
    case .thisAndFollowing where try isFirst(): return try planAll()
    case .thisAndFollowing: return try planFollowing()
    case .all: return try planAll()
    }
  }

  /// Whether the instance is the first one of the series.
  private func isFirst() throws(CalendarEditError) -> Bool {
    guard series.instance(at: original) != nil else { throw .notAnInstance }
    return series.set.occurrences.first { _ in true }?.timestamp == original
  }

  /// The changed or cancelled instances, by their start in the series.
  var exceptions: [Timestamp: Event] {
    stored.exceptions.reduce(into: [:]) { exceptions, event in
      guard let seconds = event.originalStartTime?.secondsInUTC else { return }
      exceptions[Timestamp(secondsSince1970: seconds)] = event
    }
  }
}

// This instance.
extension SeriesPlanner {
  private func planThis() throws(CalendarEditError) -> SeriesPlan {
    let exception = exceptions[original]
    guard var plain = series.instance(at: original) ?? exception, let id = plain.id else { throw .notAnInstance }
    // The version of the recurring event is not that of an instance.
    plain.etag = exception?.etag
    guard let changed else {
      let isGone = exception?.status == .cancelled
      let change = EventChange.deleting(id, base: exception ?? plain, sendUpdates: sendUpdates)
      let changes = isGone ? [] : [change]
      return SeriesPlan(stored, changes: changes, after: stored.replacing(.cancelled(plain)).events)
    }
    guard changed.recurrence == instance.recurrence else { throw .recurrenceOfInstance }
    // The recurring event stands for its first instance.
    var base = instance.id == eventID ? exception ?? plain : instance
    base.etag = exception?.etag
    let edit = InstanceEdit(from: instance, to: changed)
    let desired = edit.applied(to: base)
    let patch = Event.Patch(from: base, to: desired)
    if patch.isEmpty { return SeriesPlan(stored, changes: [], after: stored.events) }
    let change = EventChange.editing(id, patch, base: base, sendUpdates: sendUpdates)
    return SeriesPlan(stored, changes: [change], after: stored.replacing(desired).events)
  }
}

// All instances.
extension SeriesPlanner {
  private func planAll() throws(CalendarEditError) -> SeriesPlan {
    guard let changed else {
      let change = EventChange.deleting(eventID, base: stored.event, sendUpdates: sendUpdates)
      return SeriesPlan(stored, changes: [change], after: [])
    }
    let edit = InstanceEdit(from: instance, to: changed)
    if edit.changesAttendees, stored.event.attendeesOmitted == true { throw .attendeesOmitted }
    let new = try edited(edit, stored.event, from: nil)
    let patch = Event.Patch(from: stored.event, to: new.event)
    let moved = new.exceptions(of: self, edit, from: nil)
    var changes: [EventChange]
    if new.series?.set.start.isAllDay == series.set.start.isAllDay {
      changes = new.changes(from: exceptions, to: moved, sendUpdates)
    } else {
      // Instance identifiers with a date differ from those with a time, even for the same instant.
      changes = deletions(of: exceptions) + new.changes(from: [:], to: moved, sendUpdates)
    }
    if !patch.isEmpty {
      var change = EventChange.editing(eventID, patch, base: stored.event, sendUpdates: sendUpdates)
      // The changes of exceptions were planned for this version.
      if !changes.isEmpty { change.condition = condition(change.condition) }
      changes.insert(change, at: 0)
    }
    return SeriesPlan(stored, changes: changes, after: [new.event] + moved.values)
  }

  /// Returns the condition of a change of the recurring event: its version, or `other` if the version is unknown.
  func condition(_ other: EventChange.Condition) -> EventChange.Condition {
    stored.event.etag.map { .version($0) } ?? other
  }
}

// This and the following instances.
extension SeriesPlanner {
  private func planFollowing() throws(CalendarEditError) -> SeriesPlan {
    guard stored.event.organizer?.isSelf != false else { throw .notOrganizer }
    var head = stored.event
    head.recurrence = try SeriesSplit(set: series.set).before(original).lines
    var end = EventChange.editing(
      eventID, Event.Patch { $0.recurrence = .set(head.recurrence ?? []) }, base: stored.event, sendUpdates: sendUpdates
    )
    let kept = exceptions.filter { $0.key < original }
    let orphans = deletions(of: exceptions.filter { $0.key >= original })
    guard let changed else {
      return SeriesPlan(stored, changes: [end] + orphans, after: [head] + kept.values, split: original)
    }
    guard stored.event.attendeesOmitted != true else { throw .attendeesOmitted }
    // The new event has the content of this version.
    end.condition = condition(end.condition)
    let edit = InstanceEdit(from: instance, to: changed)
    let new = try edited(edit, stored.event.copy, from: original)
    guard let id = new.event.id else { throw .notAnInstance }
    let moved = new.exceptions(of: self, edit, from: original)
    let insertion = EventChange(id, .insert(new.event), sendUpdates: sendUpdates)
    return SeriesPlan(
      stored, changes: [insertion] + new.changes(from: [:], to: moved, sendUpdates) + [end] + orphans,
      after: [head] + kept.values + [new.event] + moved.values, split: original)
  }
}

extension SeriesPlanner {
  /// Returns the deletions of changed instances no longer in the series.
  private func deletions(of exceptions: [Timestamp: Event]) -> [EventChange] {
    exceptions.filter { $0.value.status != .cancelled }.sorted { $0.key < $1.key }.compactMap { _, orphan in
      orphan.id.map { EventChange($0, .delete, base: orphan, sendUpdates: SendUpdates.none) }
    }
  }
}

// The edited recurring event.
extension SeriesPlanner {
  /// Returns the recurring event, or its part from an instance on, after an edit.
  private func edited(_ edit: InstanceEdit, _ base: Event, from split: Timestamp?) throws(CalendarEditError)
    -> EditedSeries
  {
    var move = SeriesMove(of: series.set)
    if let start = edit.start { move = try SeriesMove(original, of: series.set, to: start) }
    var event = edit.fields.applied(to: base)
    if split != nil || edit.changesTimes {
      let start = move.start(of: split ?? series.set.start.timestamp)
      (event.start, event.end) = try times(from: start, edit)
    }
    switch edit.recurrence {
    case .some(let lines): event.recurrence = lines.isEmpty ? nil : lines
    case nil:
      let set = try SeriesSplit(set: series.set).from(split, move)
      if set != series.set { event.recurrence = set.lines }
    }
    let new = EventSeries(event)
    if new == nil, event.recurrence != nil { throw .unreadableRecurrence }
    return EditedSeries(event: event, series: new, move: move)
  }

  /// Returns the start and the end of the edited recurring event.
  private func times(
    from start: SeriesTime, _ edit: InstanceEdit
  ) throws(CalendarEditError) -> (EventDateTime, EventDateTime) {
    guard let length = edit.changesTimes ? edit.length : series.length else { throw .cannotMove }
    switch start {
    case .date(let date):
      return (EventDateTime(date: date), EventDateTime(date: date.adding(days: Int(length / 86_400))))
    case .local, .utc:
      let (zone, instant) = (start.zone, start.timestamp)
      let (old, oldEnd) = edit.changesTimes ? (edit.start, edit.end) : (stored.event.start, stored.event.end)
      let name = old?.timeZone ?? stored.event.start?.timeZone
      return (
        EventDateTime(instant, in: zone, named: name),
        EventDateTime(instant + .seconds(length), in: zone, named: oldEnd?.timeZone ?? name)
      )
    }
  }
}
