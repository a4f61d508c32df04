// SPDX-License-Identifier: Apache-2.0

import Recurrence
import Timekeeping

/// Which events of a calendar are requested, and how.
struct EventQuery {
  enum Order {
    case asStored, startTime, updated
  }

  let timeMin: Timestamp?
  let timeMax: Timestamp?
  let updatedMin: Timestamp?
  let words: String?
  let iCalUID: String?
  let eventTypes: [String]
  let isExpanded: Bool
  let showsDeleted: Bool
  let order: Order
  /// The zone that times are shown in; `nil` for the calendar's own.
  let shownZone: Zone?

  /// The parameters that must not come with a sync token.
  static let fullOnly = [
    "iCalUID", "orderBy", "privateExtendedProperty", "q", "sharedExtendedProperty", "timeMin", "timeMax", "updatedMin",
  ]

  init(_ parameters: Parameters) throws(APIFault) {
    timeMin = try parameters.instant("timeMin")
    timeMax = try parameters.instant("timeMax")
    updatedMin = try parameters.instant("updatedMin")
    if let timeMin, let timeMax, timeMin >= timeMax {
      throw .invalidParameter("timeMax", "The specified time range is empty.", reason: "timeRangeEmpty")
    }
    words = parameters["q"]
    iCalUID = parameters["iCalUID"]
    eventTypes = parameters.values(for: "eventTypes")
    isExpanded = try parameters.boolean("singleEvents") ?? false
    showsDeleted = try parameters.boolean("showDeleted") ?? false
    switch try parameters.choice("orderBy", of: ["startTime", "updated"]) {
    case "startTime":
      guard isExpanded else {
        throw .invalidParameter(
          "orderBy", "The requested ordering is not available for the particular query.", reason: "badRequest")
      }
      order = .startTime
    case "updated": order = .updated
    default: order = .asStored
    }
    shownZone = try Self.zone(parameters)
  }

  static func zone(_ parameters: Parameters) throws(APIFault) -> Zone? {
    guard let name = parameters["timeZone"] else { return nil }
    guard let zone = Zone.named(name) else {
      throw .invalidParameter("timeZone", "The sandbox does not know this time zone.", reason: "invalid")
    }
    return zone
  }
}

extension EventQuery {
  /// Returns the events requested, in the order requested.
  ///
  /// - Parameter today: Where series without an end are looked at from, as far as no `timeMax` bounds them: for a year, and
  ///   never for more than ten.
  func events(of calendar: SampleCalendar, today: CivilDate) -> [SampleEvent] {
    let exceptions = Set(
      calendar.events.compactMap { event in event.exception.map { Slot(series: $0.seriesID, start: $0.originalStart) } }
    )
    var found: [SampleEvent] = []
    for event in calendar.events {
      // One that began a day before the bound may still end after it.
      let first = timeMin.map { max(calendar.zone.date(at: $0).adding(days: -1 - event.days), event.start.date) }
      guard let dates = event.dates(from: first, through: lastDay(today, calendar.zone)) else {
        if isShown(event), isWithinBounds(event, calendar.zone) { found.append(event) }
        continue
      }
      let instances = dates.lazy.map { event.instance(on: $0) }
        .filter { !exceptions.contains(Slot(series: event.id, start: $0.start)) && isWithinBounds($0, calendar.zone) }
      if isExpanded { found += instances } else if instances.first != nil { found.append(event) }
    }
    found = found.filter(isAskedFor)
    switch order {
    case .asStored: return found
    case .startTime: return sorted(found) { $0.start.instant(in: calendar.zone) }
    case .updated: return sorted(found) { $0.updated }
    }
  }

  private struct Slot: Hashable {
    let series: String
    let start: Moment
  }

  /// Cancelled instances are shown beside their series; other cancelled events only on demand.
  private func isShown(_ event: SampleEvent) -> Bool {
    !event.isCancelled || showsDeleted || (event.exception != nil && !isExpanded)
  }

  /// `timeMin` bounds the end, `timeMax` the start; neither bound is within.
  private func isWithinBounds(_ event: SampleEvent, _ zone: Zone) -> Bool {
    if let timeMin, event.end.instant(in: zone) <= timeMin { return false }
    if let timeMax, event.start.instant(in: zone) >= timeMax { return false }
    return true
  }

  private func isAskedFor(_ event: SampleEvent) -> Bool {
    if let updatedMin, event.updated < updatedMin { return false }
    if let iCalUID, "\(event.exception?.seriesID ?? event.id)@calendar.example" != iCalUID { return false }
    if !eventTypes.isEmpty, !eventTypes.contains("default") { return false }
    if let words, !event.matches(words) { return false }
    return true
  }

  private func lastDay(_ today: CivilDate, _ zone: Zone) -> CivilDate {
    let furthest = today.adding(days: 3660)
    if let timeMax { return min(zone.date(at: timeMax), furthest) }
    return min(max(timeMin.map(zone.date) ?? today, today).adding(days: 366), furthest)
  }

  private func sorted(_ events: [SampleEvent], by key: (SampleEvent) -> Timestamp) -> [SampleEvent] {
    events.map { ($0, key($0)) }.sorted { ($0.1, $0.0.id) < ($1.1, $1.0.id) }.map(\.0)
  }
}
