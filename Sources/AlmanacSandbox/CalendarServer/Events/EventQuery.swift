// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Recurrence
import Timekeeping

/// A filter and sort order for listing events.
struct EventQuery: Sendable {
  typealias Row = (key: SortKey, item: StoredEvent)

  enum Order {
    case asStored, startTime, updated
  }

  let timeMin: Timestamp?
  let timeMax: Timestamp?
  let updatedMin: Timestamp?
  let words: [String]
  let iCalUID: String?
  let eventTypes: [String]
  let properties: [(scope: String, text: String)]
  let isExpanded: Bool
  let showsDeleted: Bool
  let order: Order
  /// The revision of the sync token, or `nil` for a full listing.
  let since: Int?
  /// The end of the range in which series without an end are expanded.
  ///
  /// Defaults to a year after the lower bound or now, at most ten years from now.
  let last: Timestamp

  /// - Parameter role: The reader's role. A free/busy reader always sees instances.
  init(_ call: CalendarCall, role: AccessRole, since: Int?) throws(APIFault) {
    let parameters = call.parameters
    timeMin = parameters.instant("timeMin")
    timeMax = parameters.instant("timeMax")
    updatedMin = parameters.instant("updatedMin")
    if let timeMin, let timeMax, timeMin >= timeMax {
      throw .invalidParameter("timeMax", APIFault.timeRangeEmpty.message, reason: "timeRangeEmpty")
    }
    // Google keeps deletions for about 28 days.
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
      throw .invalidParameter("\(property.scope)ExtendedProperty", "Invalid value. The form is name=value.")
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
    // Not measured: how far Google expands a series without an end.
    let furthest = call.now + .seconds(3660 * 86_400)
    let year = max(timeMin ?? call.now, call.now) + .seconds(367 * 86_400)
    last = min(timeMax ?? year, furthest)
  }
}

extension EventQuery {
  /// Returns the event or its instances, if requested.
  func found(_ event: StoredEvent, in calendar: StoredCalendar) -> [StoredEvent] {
    let former = isExpanded ? formerInstances(of: event, in: calendar) : []
    guard let series = event.series else {
      return isRequested(event, in: calendar) ? [event] + former : former
    }
    guard !event.isCancelled || showsDeleted, matches(event) else { return former }
    if isExpanded { return InstanceStream(of: event, series, self, in: calendar) + former }
    return event.isCancelled || hasInstance(event, series, in: calendar) ? [event] : []
  }

  /// Returns the instances that changes of the series removed since the sync token's revision.
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
      !exceptions.contains(start.slot) && isWithinBounds(start, series.end(of: start), calendar.zone)
    }
  }

  /// Whether an event that does not recur is listed.
  func isRequested(_ event: StoredEvent, in calendar: StoredCalendar) -> Bool {
    isShown(event, in: calendar) && isWithinBounds(event.start, event.end, calendar.zone) && matches(event)
  }

  /// Returns whether a cancelled event is listed.
  ///
  /// An exception is listed with its series, any other event only on request.
  private func isShown(_ event: StoredEvent, in calendar: StoredCalendar) -> Bool {
    guard event.isCancelled, !showsDeleted, updatedMin == nil else { return true }
    guard let exception = event.exception, !isExpanded else { return false }
    return calendar.events[exception.seriesID]?.isCancelled == false
  }

  /// Whether an event ends after `timeMin` and starts before `timeMax`.
  func isWithinBounds(_ start: EventTime, _ end: EventTime, _ zone: Zone) -> Bool {
    if let timeMin, end.instant(in: zone) <= timeMin { return false }
    if let timeMax, start.instant(in: zone) >= timeMax { return false }
    return true
  }

  /// The place of an event in the listing.
  func key(_ slot: Int, _ event: StoredEvent, _ zone: Zone) -> SortKey {
    switch order {
    case .asStored:
      let start = event.start.instant(in: zone).secondsSince1970
      return SortKey(first: Int64(since == nil ? slot : event.revision), second: start, id: event.id)
    case .startTime: return event.startKey(in: zone)
    case .updated: return event.updateKey
    }
  }

  func matches(_ event: StoredEvent) -> Bool {
    if let updatedMin, event.updated < updatedMin { return false }
    if let iCalUID, event.iCalUID != iCalUID { return false }
    if !eventTypes.isEmpty, !eventTypes.contains(event.eventType) { return false }
    // Not measured: by Google's reference, all properties must match; by its guide, one must.
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
  /// The text that `q` searches.
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

/// A filter for listing the instances of a series.
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

  /// Whether an instance ends at or after `timeMin`, starts before `timeMax`, and has the requested original start.
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
