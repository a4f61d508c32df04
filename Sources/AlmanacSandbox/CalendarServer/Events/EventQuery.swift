// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Recurrence
import Timekeeping

/// Which events of a calendar are requested, and in which order.
struct EventQuery: Sendable {
  typealias Row = (key: SortKey, item: StoredEvent)

  private enum Order {
    case asStored, startTime, updated
  }

  private let timeMin: Timestamp?
  private let timeMax: Timestamp?
  private let updatedMin: Timestamp?
  private let words: [String]
  private let iCalUID: String?
  private let eventTypes: [String]
  private let properties: [(scope: String, text: String)]
  private let isExpanded: Bool
  private let showsDeleted: Bool
  private let order: Order
  /// The revision since which events have changed, where only such are requested.
  private let since: Int?
  /// How far series without an end are followed: for a year from the lower bound or today, and never for more than ten.
  private let last: Timestamp

  /// - Parameter role: The reader's; who sees only free/busy information sees instances.
  init(_ call: CalendarCall, role: AccessRole, since: Int?) throws(APIFault) {
    let parameters = call.parameters
    timeMin = parameters.instant("timeMin")
    timeMax = parameters.instant("timeMax")
    updatedMin = parameters.instant("updatedMin")
    if let timeMin, let timeMax, timeMin >= timeMax {
      throw .invalidParameter("timeMax", APIFault.timeRangeEmpty.message, reason: "timeRangeEmpty")
    }
    // Google remembers deletions for about that long.
    if let updatedMin, updatedMin < call.now - .seconds(28 * 86_400) {
      throw APIFault(
        status: 410, reason: "updatedMinTooLongAgo",
        message: "The requested minimum modification time lies too far in the past.", domain: "calendar",
        location: ("parameter", "updatedMin"))
    }
    words = (parameters["q"] ?? "").lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
    iCalUID = parameters["iCalUID"]
    eventTypes = parameters.all("eventTypes")
    properties =
      parameters.all("privateExtendedProperty").map { ("private", $0) }
      + parameters.all("sharedExtendedProperty").map { ("shared", $0) }
    for property in properties where !property.text.contains("=") {
      throw .invalidParameter("\(property.scope)ExtendedProperty", "Invalid value: the form is name=value.")
    }
    isExpanded = parameters.flag("singleEvents") || role == .freeBusyReader
    self.since = since
    showsDeleted = parameters.flag("showDeleted") || since != nil
    switch parameters["orderBy"] {
    case "startTime":
      guard isExpanded else {
        throw .invalidParameter(
          "orderBy", "The requested ordering is not available for the particular query.", reason: "badRequest")
      }
      order = .startTime
    case "updated": order = .updated
    default: order = .asStored
    }
    let furthest = call.now + .seconds(3660 * 86_400)
    let year = max(timeMin ?? call.now, call.now) + .seconds(367 * 86_400)
    last = min(timeMax ?? year, furthest)
  }
}

extension EventQuery {
  /// Returns the events requested, each with its place in the listing.
  func rows(of calendar: StoredCalendar) -> [Row] {
    var rows: [Row] = []
    for (slot, event) in calendar.events.events.enumerated() where since.map({ event.revision > $0 }) ?? true {
      for found in found(event, in: calendar) { rows.append((key(slot, found, calendar.zone), found)) }
    }
    return rows
  }

  /// What is listed of an event: it, or its instances.
  private func found(_ event: StoredEvent, in calendar: StoredCalendar) -> [StoredEvent] {
    let former = isExpanded ? formerInstances(of: event, in: calendar) : []
    guard let series = event.series else {
      let isRequested = isShown(event, in: calendar) && isWithinBounds(event, calendar.zone) && matches(event)
      return isRequested ? [event] + former : former
    }
    guard !event.isCancelled || showsDeleted, matches(event) else { return former }
    if isExpanded { return instances(of: event, series, in: calendar) + former }
    return event.isCancelled || hasInstance(event, series, in: calendar) ? [event] : []
  }

  /// The instances of a series that are within the bounds and neither changed nor cancelled on their own.
  private func instances(of event: StoredEvent, _ series: EventSeries, in calendar: StoredCalendar) -> [StoredEvent] {
    let exceptions = calendar.events.exceptionSlots(of: event.id)
    var found: [StoredEvent] = []
    for start in series.starts(from: timeMin, to: last) where !exceptions.contains(start.slot) {
      let instance = event.instance(at: start)
      if isWithinBounds(instance, calendar.zone), instance.start.instant(in: calendar.zone) < last {
        found.append(instance)
      }
    }
    return found
  }

  /// The instances that a change of the series took away since an earlier listing.
  private func formerInstances(of event: StoredEvent, in calendar: StoredCalendar) -> [StoredEvent] {
    guard let since else { return [] }
    var found: [Int64: StoredEvent] = [:]
    let exceptions = calendar.events.exceptionSlots(of: event.id)
    for former in event.formerSeries where former.revision > since {
      for start in former.series.starts(from: nil, to: last) where !exceptions.contains(start.slot) {
        guard event.series?.contains(start) != true else { continue }
        var instance = event.instance(at: start)
        instance.isCancelled = true
        found[start.slot] = instance
      }
    }
    return Array(found.values)
  }

  private func hasInstance(_ event: StoredEvent, _ series: EventSeries, in calendar: StoredCalendar) -> Bool {
    if timeMin == nil, timeMax == nil { return true }
    let exceptions = calendar.events.exceptionSlots(of: event.id)
    return series.starts(from: timeMin, to: timeMax).contains { start in
      !exceptions.contains(start.slot) && isWithinBounds(event.instance(at: start), calendar.zone)
    }
  }

  /// Cancelled instances are shown beside their series; other cancelled events only on demand.
  private func isShown(_ event: StoredEvent, in calendar: StoredCalendar) -> Bool {
    guard event.isCancelled, !showsDeleted, updatedMin == nil else { return true }
    guard let exception = event.exception, !isExpanded else { return false }
    return calendar.events[exception.seriesID]?.isCancelled == false
  }

  /// `timeMin` bounds the end, `timeMax` the start; neither bound is within.
  private func isWithinBounds(_ event: StoredEvent, _ zone: Zone) -> Bool {
    if let timeMin, event.end.instant(in: zone) <= timeMin { return false }
    if let timeMax, event.start.instant(in: zone) >= timeMax { return false }
    return true
  }

  private func key(_ slot: Int, _ event: StoredEvent, _ zone: Zone) -> SortKey {
    let start = event.start.instant(in: zone).secondsSince1970
    switch order {
    case .asStored where since != nil: return SortKey(first: Int64(event.revision), second: start, id: event.id)
    case .asStored: return SortKey(first: Int64(slot), second: start, id: event.id)
    case .startTime: return SortKey(first: start, id: event.id)
    case .updated:
      let updated = event.updated
      return SortKey(first: updated.secondsSince1970, second: Int64(updated.nanoseconds), id: event.id)
    }
  }

  private func matches(_ event: StoredEvent) -> Bool {
    if let updatedMin, event.updated < updatedMin { return false }
    if let iCalUID, event.iCalUID != iCalUID { return false }
    if !eventTypes.isEmpty, !eventTypes.contains(event.eventType) { return false }
    let hasProperties = properties.allSatisfy { property in
      let parts = property.text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return event.fields["extendedProperties"]?[property.scope]?[String(parts[0])]?.string == String(parts[1])
    }
    guard hasProperties else { return false }
    guard !words.isEmpty else { return true }
    let text = event.searchText
    return !event.isCancelled && words.allSatisfy { text.contains($0) }
  }
}

extension StoredEvent {
  /// What `q` searches in.
  fileprivate var searchText: String {
    var texts = ["summary", "description", "location"].compactMap { fields[$0]?.string }
    for person in (fields["attendees"]?.array ?? []) + [fields["organizer"]].compactMap(\.self) {
      texts += [person["displayName"]?.string, person["email"]?.string].compactMap(\.self)
    }
    texts.append(fields["workingLocationProperties"]?["officeLocation"]?["label"]?.string ?? "")
    texts.append(fields["workingLocationProperties"]?["customLocation"]?["label"]?.string ?? "")
    return texts.joined(separator: "\n").lowercased()
  }
}

/// Which instances of a series are requested.
struct InstanceQuery: Sendable {
  private let timeMin: Timestamp?
  private let timeMax: Timestamp?
  private let originalStart: String?
  private let showsDeleted: Bool
  private let last: Timestamp

  init(_ call: CalendarCall) throws(APIFault) {
    timeMin = call.parameters.instant("timeMin")
    timeMax = call.parameters.instant("timeMax")
    if let timeMin, let timeMax, timeMin >= timeMax { throw .timeRangeEmpty }
    originalStart = call.parameters["originalStart"]
    showsDeleted = call.parameters.flag("showDeleted")
    let furthest = call.now + .seconds(3660 * 86_400)
    last = min(timeMax ?? max(timeMin ?? call.now, call.now) + .seconds(2 * 366 * 86_400), furthest)
  }

  func rows(of event: StoredEvent, _ series: EventSeries, in calendar: StoredCalendar) -> [EventQuery.Row] {
    var exceptions: [Int64: StoredEvent] = [:]
    for exception in calendar.events.exceptions(of: event.id) {
      if let start = exception.exception?.originalStart { exceptions[start.slot] = exception }
    }
    var found = Array(exceptions.values.filter { showsDeleted || !$0.isCancelled })
    for start in series.starts(from: timeMin, to: last) where exceptions[start.slot] == nil {
      found.append(event.instance(at: start))
    }
    return found.filter { isRequested($0, calendar) }.map { instance in
      (SortKey(first: instance.start.instant(in: calendar.zone).secondsSince1970, id: instance.id), instance)
    }
  }

  /// `timeMin` bounds the end and is within; `timeMax` bounds the start and is not.
  private func isRequested(_ instance: StoredEvent, _ calendar: StoredCalendar) -> Bool {
    let (start, end) = (instance.start.instant(in: calendar.zone), instance.end.instant(in: calendar.zone))
    if let timeMin, end < timeMin { return false }
    if start >= last { return false }
    guard let originalStart, let original = instance.exception?.originalStart else { return true }
    if let time = try? Timestamp(rfc3339: originalStart) {
      return !original.isDay && original.instant(in: calendar.zone) == time
    }
    return original.isDay && original == (try? CivilDate(rfc3339: originalStart)).map(EventTime.day)
  }
}
