// SPDX-License-Identifier: Apache-2.0

import CalendarAPI
import CalendarSync
import Foundation
import TestSupport
import Timekeeping

/// A random edit of a random series, and the instances that it must leave.
struct RandomEdit {
  typealias Local = ReferenceSeries.Local
  typealias Instance = ReferenceSeries.Instance

  enum Kind: CaseIterable {
    case title, time, days, zone, length, kindOfTime, deletion
  }

  let id: String
  let series: ReferenceSeries
  /// The instances before the edit; cancelled ones have a mark.
  let before: [Instance]
  /// The exceptions, as the server has them.
  let exceptions: [Event]
  let kind: Kind
  let scope: SeriesScope
  let keepsExceptions: Bool
  /// The position of the edited instance.
  let position: Int
  /// The new local start of the edited instance, and the new form of its series.
  let target: Local
  let edited: ReferenceSeries

  init(seed: UInt64) {
    var numbers = SeededNumbers(seed: seed)
    func pick<Element>(_ elements: [Element]) -> Element { elements[Int.random(in: elements.indices, using: &numbers)] }
    id = "series\(seed)"
    let series = ReferenceSeries(&numbers)
    self.series = series
    var instances = series.instances
    let reachable = instances.indices.prefix(60).filter { index in
      let local = instances[index].local
      return series.isAllDay || series.times.count == 1
        || ReferenceSeries.local(instances[index].start, series.zone) == local
    }
    let position = pick(Array(reachable))
    self.position = position
    for _ in 0..<Int.random(in: 0...3, using: &numbers) {
      let index = pick(Array(instances.indices.prefix(60)))
      switch Int.random(in: 0..<3, using: &numbers) {
      case 0 where index != position: instances[index].isCancelled = true
      case 1:
        instances[index].summary = "Own \(index)"
        instances[index].hasOwnSummary = true
      default:
        // Not the difference of an edit, which would change nothing.
        let seconds = series.isAllDay ? 86_400 * pick([-4, 4, 5]) : 1800 * pick([-3, 1, 5])
        instances[index].start = series.instances[index].start + Int64(seconds)
        instances[index].end = instances[index].start + Int64(series.length)
        instances[index].hasOwnTime = true
      }
    }
    before = instances
    let id = id
    exceptions = instances.filter { $0.isCancelled || $0.hasOwnSummary || $0.hasOwnTime }
      .map { Self.event($0, of: series, id) }
    kind = pick(Kind.allCases)
    scope = pick(SeriesScope.allCases)
    keepsExceptions = Int.random(in: 0..<4, using: &numbers) > 0
    var edited = series
    var target = instances[position].local
    switch kind {
    case .title, .deletion: break
    case .time where !series.isAllDay:
      target = target.adding(days: 0, seconds: pick([-7200, -1800, 900, 3600, 10_800]))
    case .days, .time: target = target.adding(days: pick([-2, -1, 1, 3]), seconds: 0)
    case .zone where !series.isAllDay: edited.zone = pick(ReferenceSeries.zones)
    case .length, .zone: edited.length = series.isAllDay ? 172_800 : 2700
    case .kindOfTime:
      edited.isAllDay.toggle()
      edited.length = edited.isAllDay ? 86_400 : 3600
      target.second = edited.isAllDay ? 0 : 3600 * pick([0, 9, 15])
    }
    // An instance cannot start at a skipped time.
    if !edited.isAllDay, kind != .title, kind != .deletion {
      target = ReferenceSeries.local(ReferenceSeries.instant(target, edited.zone), edited.zone)
    }
    self.target = target
    self.edited = edited
  }

  var changesTimes: Bool { kind != .title && kind != .deletion }

  /// Whether the edit may have no rule.
  var canBeRefused: Bool {
    guard changesTimes, scope != .this else { return false }
    let old = before[position].local
    // Two times of a day can be one instance when the clocks change.
    if series.times.count > 1 { return target != old || edited.isAllDay || edited.zone != series.zone }
    switch series.days {
    case .daily, .weekly: return false
    case .monthDays, .nthWeekday, .yearly: return target.day != old.day
    }
  }

  /// Returns the event of an instance.
  static func event(_ instance: Instance, of series: ReferenceSeries, _ id: String) -> Event {
    let original = series.instant(instance.local)
    let time = OffsetDateTime(Timestamp(secondsSince1970: original)).description.filter { $0 != "-" && $0 != ":" }
    return Event {
      $0.id = "\(id)_\(series.isAllDay ? String(time.prefix(8)) : time)"
      $0.recurringEventID = id
      $0.status = instance.isCancelled ? .cancelled : .confirmed
      ($0.originalStartTime, _) = ReferenceSeries.times(original, 0, series.zone, isAllDay: series.isAllDay)
      if instance.isCancelled { return }
      $0.summary = instance.summary
      ($0.start, $0.end) = ReferenceSeries.times(
        instance.start, instance.end - instance.start, series.zone, isAllDay: series.isAllDay)
    }
  }

  var stored: StoredSeries {
    var event = series.event
    event.id = id
    return StoredSeries(event, exceptions: exceptions, in: "calendar")
  }

  var instance: Event { Self.event(before[position], of: series, id) }

  /// Changes the instance as a person does.
  func apply(to event: inout Event) {
    event.summary = "Edited"
    if changesTimes {
      (event.start, event.end) = ReferenceSeries.times(
        edited.instant(target), Int64(edited.length), edited.zone, isAllDay: edited.isAllDay)
    }
  }

  func plan(of stored: StoredSeries, _ instance: Event) throws -> SeriesPlan {
    if kind == .deletion { return try stored.planDeletion(scope, of: instance) }
    return try stored.planEdit(scope, of: instance, keepsExceptions: keepsExceptions) { apply(to: &$0) }
  }

  /// The instances after the edit.
  var after: [Instance] {
    let chosen = before[position]
    return before.indices.compactMap { index in
      let old = before[index]
      let isAffected =
        switch scope {
        case .this: index == position
        case .thisAndFollowing: index >= position
        case .all: true
        }
      guard isAffected else { return old.isCancelled ? nil : old }
      if kind == .deletion { return nil }
      let isKept = keepsExceptions || scope == .this
      if old.isCancelled, isKept { return nil }
      var new = old
      new.isCancelled = false
      let keepsOwn = isKept && index != position
      new.summary = keepsOwn && old.hasOwnSummary ? old.summary : "Edited"
      let keepsTime = old.hasOwnTime && isKept && !(index == position && changesTimes)
      if !keepsTime {
        var local = old.local
        if changesTimes {
          local = local.adding(days: target.day - chosen.local.day, seconds: target.second - chosen.local.second)
          if edited.isAllDay { local = Local(day: old.local.day + target.day - chosen.local.day, second: 0) }
        }
        new.start = edited.instant(local)
        new.end = new.start + Int64(edited.length)
        new.isAllDay = edited.isAllDay
      }
      return new
    }
  }
}

extension RandomEdit: CustomStringConvertible {
  var description: String {
    "\(kind) of \(scope), instance \(position) of \(series.lines) in \(series.zone)\(keepsExceptions ? "" : ", dropping") with \(exceptions.count) exceptions"
  }
}
