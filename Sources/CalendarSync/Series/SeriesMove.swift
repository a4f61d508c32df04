// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import Recurrence
import Timekeeping

/// A change of the local time of all instances of a series, possibly to another time zone, or from days to times or back.
struct SeriesMove {
  let old: RecurrenceSet
  /// The zone of the new times, or `nil` for days.
  let zone: Zone?
  /// The difference between new and old local times, in seconds.
  ///
  /// Days count from midnight.
  let delta: Int64

  /// Creates the move that changes no instance.
  init(of old: RecurrenceSet) {
    self.old = old
    zone = old.start.isAllDay ? nil : old.start.zone
    delta = 0
  }

  /// Creates the move of an instance to another time.
  ///
  /// - Parameters:
  ///   - original: The start of the instance.
  ///   - old: The series before the move.
  ///   - start: The new start. If it names no zone, the series keeps its zone.
  init(_ original: Timestamp, of old: RecurrenceSet, to start: EventDateTime) throws(CalendarEditError) {
    self.old = old
    let from = old.ruleTime(of: original)
    switch start.time {
    case .allDay(let date):
      zone = nil
      delta = Int64(date.daysSince1970 - from.date.daysSince1970) * 86_400
    case .timed(let time, let name):
      let zone = try Zone(named: name, or: old.start)
      self.zone = zone
      delta = (zone.local(at: time.timestamp).timestampInUTC - from.timestampInUTC).components.seconds
    case nil: throw .cannotMove
    }
  }

  /// Whether the move changes no instance.
  var isIdentity: Bool { delta == 0 && zone == (old.start.isAllDay ? nil : old.start.zone) }

  private var movesTimes: Bool { delta % 86_400 != 0 || (zone == nil) != old.start.isAllDay }

  /// The number of days by which the start moves.
  private var days: Int { local(old.start.local).date.daysSince1970 - old.start.local.date.daysSince1970 }

  /// Returns the new local time.
  func local(_ time: LocalDateTime) -> LocalDateTime {
    let moved = LocalDateTime(utc: time.timestampInUTC + .seconds(delta))
    return zone == nil ? LocalDateTime(moved.date) ?? moved : moved
  }

  /// Returns the new start of an instance.
  func instant(_ original: Timestamp) -> Timestamp {
    (zone ?? .utc).timestamp(of: local(old.ruleTime(of: original)))
  }

  /// Returns a time with the new local time of an instance.
  ///
  /// Its local time exists in the zone, as required for an event.
  func start(of original: Timestamp) -> SeriesTime {
    guard let zone else { return .date(local(old.ruleTime(of: original)).date) }
    return .local(zone.local(at: instant(original)), zone)
  }

  /// Returns an additional or excluded date at its new time.
  func time(_ time: SeriesTime) -> SeriesTime {
    if isIdentity { return time }
    if case .date(let date) = time, !old.start.isAllDay { return .date(date.adding(days: days)) }
    let moved = local(time.isAllDay ? time.local : old.ruleTime(of: time.timestamp))
    return zone.map { .local($0.local(at: $0.timestamp(of: moved)), $0) } ?? .date(moved.date)
  }

  /// Returns a rule for the new times, with the same end.
  ///
  /// - Parameter start: The start of the new series.
  func rule(_ rule: RecurrenceRule, at start: SeriesTime) throws(CalendarEditError) -> RecurrenceRule {
    guard var moved = rule.moved(days: days, from: old.start.local.date) else { throw .cannotMove }
    do {
      if old.start.isAllDay {
        moved = try moved.with { ($0.bySecond, $0.byMinute, $0.byHour) = ([], [], []) }
      } else if movesTimes, rule.hasOwnTimes {
        throw CalendarEditError.cannotMove
      }
      return try moved.explicit(local(old.start.local), at: start.local)
    } catch { throw .cannotMove }
  }
}

extension RecurrenceSet {
  /// Returns the rule's local time of an occurrence, which the zone may skip.
  func ruleTime(of instant: Timestamp) -> LocalDateTime {
    let (zone, start) = (start.zone, start.local)
    let local = zone.local(at: instant)
    for days in [0, -1] {
      let time = LocalDateTime(
        local.date.adding(days: days), hour: start.hour, minute: start.minute, second: start.second)
      if let time, zone.timestamp(of: time) == instant { return time }
    }
    return local
  }
}

extension Zone {
  /// Returns the zone of a name, or the zone of a series if there is no name.
  init(named name: String?, or start: SeriesTime) throws(CalendarEditError) {
    guard let name else {
      self = start.zone
      return
    }
    do { self = try SystemZoneDatabase.shared.zone(name) } catch { throw .unreadableRecurrence }
  }
}
