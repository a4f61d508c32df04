// SPDX-License-Identifier: Apache-2.0

import Recurrence
import Timekeeping

/// A template of a sample calendar, with days relative to the sandbox's first day.
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

  /// Creates the calendar relative to a day.
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

/// A template of a sample event.
struct EventPlan {
  enum When {
    /// All-day, with the first day relative to today.
    case day(Int, length: Int = 1)
    /// A day relative to today, a start time, and a length. The zone defaults to the calendar's.
    case time(Int, Int, Int, minutes: Int, zone: String? = nil)
  }

  let summary: String
  let when: When
  var rule: String?
  /// The last day of a series, relative to today.
  var lastDay: Int?
  var details = SampleEvent.Details()
  var isCancelled = false
  /// The index of the cancelled instance of a series, counted from today.
  var cancelledInstance: Int?
  /// The rescheduled and renamed instance of a series, counted from today.
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
    if let ruleText, let first = start.dates(ruleText, through: start.date.adding(days: 366), limit: 1)?.first {
      // A series starts on a day that matches its rule.
      let days = first.daysSince1970 - start.date.daysSince1970
      (start, end) = (start.adding(days: days), end.adding(days: days))
    }
    let id = StoredEvent.id(for: "\(key)/\(summary)")
    let age = Int64(id.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF })
    let event = SampleEvent(
      id: id, summary: summary, start: start, end: end, rule: ruleText, details: details, isCancelled: isCancelled,
      created: now - .seconds(30 * 86_400 + age), updated: now - .seconds(3600 + age))
    // Every sandbox creates all series, and most series have no exceptions: skip the rest for these.
    guard let last = [cancelledInstance, movedInstance?.index].compactMap(\.self).max(),
      let coming = event.dates(from: today, through: today.adding(days: 366), limit: last + 1)
    else { return [event] }
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

  /// RFC 5545 § 3.3.10: a date for an all-day series, otherwise an instant in UTC.
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
