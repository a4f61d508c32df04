// SPDX-License-Identifier: Apache-2.0

import Recurrence
import Timekeeping

/// A sample calendar as it is written down: its days are counted from the day on which the sandbox starts.
struct CalendarPlan {
  let key: String
  let summary: String
  var description: String?
  var location: String?
  let zone: String
  let colorID: String
  var role = AccessRole.owner
  var isSelected = true
  var isHidden = false
  var isDeleted = false
  var entries: [EventPlan] = []

  /// Lays the calendar around a day.
  func calendar(id: String, now: Timestamp, zone: Zone? = nil, isPrimary: Bool = false) -> SampleCalendar {
    let zone = zone ?? Zone.named(self.zone) ?? .utc
    let today = zone.date(at: now)
    var calendar = SampleCalendar(
      id: id, summary: isPrimary ? id : summary, description: description, location: location, zone: zone,
      colorID: colorID, role: role, isPrimary: isPrimary, isSelected: isSelected, isHidden: isHidden,
      isDeleted: isDeleted, updated: now - .seconds(86_400))
    calendar.events = entries.flatMap { $0.events(key: key, today: today, zone: zone, now: now) }
    return calendar
  }
}

/// An event as it is written down.
struct EventPlan {
  enum When {
    /// A whole day or several, counted from today.
    case day(Int, length: Int = 1)
    /// A day counted from today, a time of day and minutes; defaults to the calendar's zone.
    case time(Int, Int, Int, minutes: Int, zone: String? = nil)
  }

  let summary: String
  let when: When
  var rule: String?
  /// Of a series: the last day, counted from today, on which it may take place.
  var lastDay: Int?
  var details = SampleEvent.Details()
  var isCancelled = false
  /// Of a series: the instance, counted from today's or the next, that does not take place.
  var cancelledInstance: Int?
  /// Of a series: the instance, counted from today's or the next, that takes place later and is called otherwise.
  var movedInstance: (index: Int, minutes: Int, summary: String)?

  init(
    _ summary: String, _ when: When, rule: String? = nil, lastDay: Int? = nil, location: String? = nil,
    description: String? = nil,
    attendees: [SampleEvent.Attendee] = [], colorID: String? = nil, status: String = "confirmed",
    isTransparent: Bool = false, isCancelled: Bool = false, cancelledInstance: Int? = nil,
    movedInstance: (index: Int, minutes: Int, summary: String)? = nil
  ) {
    self.summary = summary
    self.when = when
    self.rule = rule
    self.lastDay = lastDay
    details = SampleEvent.Details(
      description: description, location: location, attendees: attendees, colorID: colorID, status: status,
      isTransparent: isTransparent)
    self.isCancelled = isCancelled
    self.cancelledInstance = cancelledInstance
    self.movedInstance = movedInstance
  }

  func events(key: String, today: CivilDate, zone: Zone, now: Timestamp) -> [SampleEvent] {
    var (start, end) = moments(today: today, zone: zone)
    let ruleText = rule.map { $0 + (lastDay.map { ";UNTIL=\(until(day: $0, start, today))" } ?? "") }
    if let ruleText, let first = start.dates(ruleText, through: start.date.adding(days: 366))?.first {
      // A series starts on a day that its rule names.
      let days = first.daysSince1970 - start.date.daysSince1970
      (start, end) = (start.adding(days: days), end.adding(days: days))
    }
    let id = StoredEvent.id(for: "\(key)/\(summary)")
    let age = Int64(id.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF })
    let event = SampleEvent(
      id: id, summary: summary, start: start, end: end, rule: ruleText, details: details, isCancelled: isCancelled,
      created: now - .seconds(30 * 86_400 + age), updated: now - .seconds(3600 + age))
    guard let coming = event.dates(from: today, through: today.adding(days: 366)) else { return [event] }
    return [event] + exceptions(of: event, coming)
  }

  private func exceptions(of series: SampleEvent, _ coming: [CivilDate]) -> [SampleEvent] {
    var events: [SampleEvent] = []
    if let index = cancelledInstance, coming.indices.contains(index) {
      var instance = series.instance(on: coming[index])
      instance.isCancelled = true
      events.append(instance)
    }
    if let (index, minutes, summary) = movedInstance, coming.indices.contains(index) {
      var instance = series.instance(on: coming[index])
      instance.summary = summary
      instance.start = instance.start.adding(minutes: minutes)
      instance.end = instance.end.adding(minutes: minutes)
      events.append(instance)
    }
    return events
  }

  /// RFC 5545 § 3.3.10: a day for a series of days, and an instant in UTC for one of times.
  private func until(day: Int, _ start: Moment, _ today: CivilDate) -> String {
    start.adding(days: today.daysSince1970 + day - start.date.daysSince1970).instanceSuffix
  }

  private func moments(today: CivilDate, zone: Zone) -> (Moment, Moment) {
    switch when {
    case .day(let day, let length):
      return (.day(today.adding(days: day)), .day(today.adding(days: day + length)))
    case .time(let day, let hour, let minute, let minutes, let name):
      let zone = name.flatMap(Zone.named) ?? zone
      let start = Moment.time(today.adding(days: day), minuteOfDay: hour * 60 + minute, zone)
      return (start, start.adding(minutes: minutes))
    }
  }
}
