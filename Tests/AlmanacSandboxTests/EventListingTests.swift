// SPDX-License-Identifier: Apache-2.0

import AlmanacSandbox
import AlmanacTesting
import Foundation
import HTTPTransport
import TestSupport
import Testing
import Timekeeping

/// Pages of events after random changes, against the listing that copies, filters and sorts all events.
///
/// `ALMANAC_LISTING_SEEDS` is the number of histories; it defaults to 2.
@Suite struct EventListingTests {
  private static let count = ProcessInfo.processInfo.environment["ALMANAC_LISTING_SEEDS"].flatMap(UInt64.init) ?? 2

  @Test(arguments: 1...count) func pagesAreThoseOfAPlainListing(_ seed: UInt64) async throws {
    var history = try await EventHistory(seed: seed)
    for _ in 0..<24 {
      for _ in 0..<Int.random(in: 1...4, using: &history.numbers) { try await history.change() }
      for _ in 0..<4 { try await history.compareListing() }
    }
  }
}

/// A calendar that is changed at random, and what its events are by `events.get` and `events.instances`.
private struct EventHistory {
  var numbers: SeededNumbers
  private let harness: SandboxHarness
  private let token: String
  /// The events in the order in which they came.
  private var events: [PlainEvent] = []
  private var syncTokens: [(token: String, isExpanded: Bool, revision: Int)] = []
  private var revision = 0
  /// The revision at which the instances of a series last changed.
  private var lastMove = 0
  /// The hours that the calendar's clocks are ahead of UTC.
  private var zone: Int64 = 0

  private static let path = "calendars/primary"
  private static let words = ["Mesa", "silla", "LÁMPARA", "mesa silla", "puerta"]

  init(seed: UInt64) async throws {
    numbers = SeededNumbers(seed: seed)
    harness = try SandboxHarness.withUsers()
    // The primary calendar of a further user is empty.
    token = try await harness.token(of: "ben@example.org")
    #expect(try await harness.call(.patch, Self.path, #"{"timeZone":"UTC"}"#, token: token).status == 200)
  }
}

// MARK: Changes

extension EventHistory {
  mutating func change() async throws {
    if one(of: 3) { harness.clock.advance(by: .milliseconds(Int.random(in: 1...5000, using: &numbers))) }
    guard let known = events.randomElement(using: &numbers), !one(of: 3) else {
      return try await write(.post, "/events", id: "e\(1000 + events.count * 7919 % 1000)", body())
    }
    switch Int.random(in: 0..<12, using: &numbers) {
    case 0: try await write(.delete, "/events/\(known.id)")
    case 1: try await write(.patch, "/events/\(known.id)", #"{"status":"confirmed"}"#)
    case 2, 3: try await write(.patch, "/events/\(known.id)", "{\(times())}")
    case 4: try await write(.put, "/events/\(known.id)", body())
    case 5: try await write(.patch, "/events/\(known.id)", #"{"recurrence":["\#(rule())"]}"#)
    case 6: try await write(.patch, "/events/\(known.id)", #"{"recurrence":null}"#)
    case 7, 8:
      guard let instance = known.instances.randomElement(using: &numbers) else { return }
      if one(of: 2) {
        try await write(.delete, "/events/\(instance.id)")
      } else {
        try await write(.patch, "/events/\(instance.id)", one(of: 2) ? "{\(times())}" : #"{"summary":"silla"}"#)
      }
    case 9: if one(of: 4) { try await write(.post, "/clear") }
    case 10:
      let zones: [(name: String, hours: Int64)] = [("UTC", 0), ("Etc/GMT-9", 9), ("Etc/GMT+5", -5)]
      guard let zone = zones.randomElement(using: &numbers) else { return }
      try await write(.patch, "", #"{"timeZone":"\#(zone.name)"}"#)
      self.zone = zone.hours
    default: try await write(.patch, "/events/\(known.id)", #"{"summary":"\#(word())"}"#)
    }
    try await look()
  }

  private mutating func write(
    _ method: HTTPMethod, _ path: String, id: String? = nil, _ body: String? = nil
  ) async throws {
    let body = id.map { #"{"id":"\#($0)",\#((body ?? "{}").dropFirst())"# } ?? body
    let answer = try await harness.call(method, Self.path + path, body, token: token)
    // What has been deleted, is not there or cannot recur is refused, and nothing has changed.
    #expect([200, 204, 400, 404, 410].contains(answer.status), "\(method) \(path) \(answer.text)")
    for name in [id, path.hasPrefix("/events/") ? String(path.dropFirst(8)) : nil] {
      guard let name, answer.status < 300, !events.contains(where: { $0.id == name }) else { continue }
      // A cancelled instance no longer shows what it was.
      events.append(events.lazy.flatMap(\.instances).first { $0.id == name } ?? PlainEvent(id: name))
    }
    if id != nil { try await look() }
  }

  /// Reads every event again.
  private mutating func look() async throws {
    for index in events.indices {
      let before = events[index]
      let event = try await harness.call(.get, "\(Self.path)/events/\(before.id)", token: token)
      try events[index].read(event)
      if events[index].isRecurring, !events[index].isCancelled {
        let path = "\(Self.path)/events/\(before.id)/instances?showDeleted=true&maxResults=2500"
        events[index].instances = try await harness.call(.get, path, token: token).items.map {
          try PlainEvent(instance: $0)
        }
      }
      let after = events[index]
      guard after.etag != before.etag else { continue }
      revision += 1
      events[index].revision = revision
      if before.isRecurring, after.instances.map(\.id) != before.instances.map(\.id) { lastMove = revision }
    }
  }

  private mutating func one(of count: Int) -> Bool { Int.random(in: 0..<count, using: &numbers) == 0 }

  private mutating func word() -> String { Self.words.randomElement(using: &numbers) ?? "" }

  private mutating func rule() -> String {
    "RRULE:FREQ=\(one(of: 3) ? "WEEKLY" : "DAILY");COUNT=\(Int.random(in: 1...9, using: &numbers))"
  }

  private mutating func times() -> String {
    let hour = Int64.random(in: 0..<15 * 24, using: &numbers)
    let hours = one(of: 8) ? 200 : Int64.random(in: 0...6, using: &numbers)
    let (start, end) = (PlainEvent.origin + .seconds(hour * 3600), PlainEvent.origin + .seconds((hour + hours) * 3600))
    if one(of: 4) {
      let day = { (time: Timestamp) in String(time.rfc3339().prefix(10)) }
      return #""start":{"date":"\#(day(start))","dateTime":null},"#
        + #""end":{"date":"\#(day(end + .seconds(86_400)))","dateTime":null}"#
    }
    let time = { (time: Timestamp) in #"{"date":null,"dateTime":"\#(time.rfc3339())","timeZone":"Etc/GMT-9"}"# }
    return #""start":\#(time(start)),"end":\#(time(end))"#
  }

  private mutating func body() -> String {
    let recurrence = one(of: 4) ? #","recurrence":["\#(rule())"]"# : ""
    let property = one(of: 2) ? #","extendedProperties":{"private":{"k":"\#(one(of: 2) ? "a" : "b")"}}"# : ""
    return #"{"summary":"\#(word())",\#(times())\#(recurrence)\#(property)}"#
  }
}

// MARK: Listings

extension EventHistory {
  /// Lists the events with random parameters, page by page, and compares each page with that of the plain listing.
  mutating func compareListing() async throws {
    var query = PlainQuery()
    query.isExpanded = one(of: 2)
    let sync = syncTokens.randomElement(using: &numbers)
    let isSync = if let sync { one(of: 2) && (!sync.isExpanded || sync.revision >= lastMove) } else { false }
    if let sync, isSync {
      (query.isExpanded, query.since) = (sync.isExpanded, sync.revision)
    } else {
      try pickFilters(of: &query)
    }
    let size = Int.random(in: 1...12, using: &numbers)
    var parameters = query.parameters
    parameters["maxResults"] = "\(size)"
    if isSync { parameters["syncToken"] = sync?.token }
    let begun = revision
    var last: PlainKey?
    while true {
      let answer = try await harness.call(
        .get, "\(Self.path)/events?\(FormEncoding.query.encode(parameters))", token: token)
      #expect(answer.status == 200, "\(answer.text)")
      let rest = query.rows(of: events, zone: zone).filter { row in last.map { $0 < row.key } ?? true }
      let page = rest.prefix(size)
      #expect(answer.ids() == page.map(\.event.id), "\(parameters.map { "\($0.name)=\($0.value)" })")
      #expect(answer.items.map { $0["etag"] as? String } == page.map(\.event.etag))
      #expect((answer["nextPageToken"] == nil) == (rest.count <= size))
      guard let next = answer["nextPageToken"] else {
        return syncTokens.append((try #require(answer["nextSyncToken"]), query.isExpanded, begun))
      }
      (last, parameters["pageToken"]) = (page.last?.key, next)
      // What comes between two pages is neither left out nor repeated.
      if query.since == nil, one(of: 4) { try await change() }
    }
  }

  private mutating func pickFilters(of query: inout PlainQuery) throws {
    query.showsDeleted = one(of: 2)
    query.order = one(of: 3) ? .updated : query.isExpanded && one(of: 2) ? .startTime : .asStored
    let hour = { (numbers: inout SeededNumbers) in
      PlainEvent.origin + .seconds(Int64.random(in: 0..<15 * 24, using: &numbers) * 3600)
    }
    if one(of: 3) { query.timeMin = hour(&numbers) }
    if one(of: 3) { query.timeMax = max(hour(&numbers), (query.timeMin ?? PlainEvent.origin) + .seconds(3600)) }
    if one(of: 5) { query.updatedMin = events.randomElement(using: &numbers)?.updated }
    if one(of: 5) { query.word = ["mesa", "SILLA", "lámpara"].randomElement(using: &numbers) }
    if one(of: 6) { query.property = one(of: 2) ? "a" : "b" }
    if one(of: 8) { query.iCalUID = events.randomElement(using: &numbers)?.iCalUID }
  }
}

/// An event as the API shows it.
///
/// A cancelled event keeps its values of the fields that the API then omits.
private struct PlainEvent {
  static let origin = Timestamp(secondsSince1970: 1_772_323_200)

  let id: String
  var etag = ""
  var seriesID: String?
  var isCancelled = false
  var isRecurring = false
  var summary = ""
  var property: String?
  var iCalUID = ""
  /// Seconds since 1970; of a day, the midnight in UTC.
  var start: Int64 = 0
  var end: Int64 = 0
  var isDay = false
  /// The instances of a series, those included that were changed on their own.
  var instances: [PlainEvent] = []
  /// The number of the last change.
  var revision = 0

  init(id: String) { self.id = id }

  init(instance: [String: Any]) throws {
    id = try #require(instance["id"] as? String)
    try read(instance)
  }

  /// Google's entity tag is twice the time of the last change, in microseconds.
  var updated: Timestamp {
    let microseconds = (Int64(etag.dropFirst().dropLast()) ?? 0) / 2
    return Timestamp(
      secondsSince1970: microseconds / 1_000_000, nanoseconds: Int32(microseconds % 1_000_000) * 1000)
  }

  mutating func read(_ answer: Answer) throws { try read(answer.object) }

  private mutating func read(_ event: [String: Any]) throws {
    etag = try #require(event["etag"] as? String)
    seriesID = event["recurringEventId"] as? String
    isCancelled = event["status"] as? String == "cancelled"
    guard !isCancelled else { return }
    isRecurring = event["recurrence"] != nil
    if !isRecurring { instances = [] }
    summary = event["summary"] as? String ?? ""
    property = ((event["extendedProperties"] as? [String: Any])?["private"] as? [String: Any])?["k"] as? String
    iCalUID = try #require(event["iCalUID"] as? String)
    let (start, end) = (event["start"] as? [String: String] ?? [:], event["end"] as? [String: String] ?? [:])
    isDay = start["date"] != nil
    let seconds = { (time: [String: String]) in
      try Timestamp(rfc3339: time["dateTime"] ?? "\(time["date"] ?? "")T00:00:00Z").secondsSince1970
    }
    (self.start, self.end) = (try seconds(start), try seconds(end))
  }
}

/// A row's place in the plain listing.
private struct PlainKey: Comparable {
  let first: Int64
  let second: Int64
  let id: String

  static func < (left: PlainKey, right: PlainKey) -> Bool {
    (left.first, left.second, left.id) < (right.first, right.second, right.id)
  }
}

/// The plain listing: of all events, those that are requested are copied, and sorted.
private struct PlainQuery {
  enum Order: String { case asStored, startTime, updated }

  var isExpanded = false
  var showsDeleted = false
  var order = Order.asStored
  var timeMin: Timestamp?
  var timeMax: Timestamp?
  var updatedMin: Timestamp?
  var word: String?
  var property: String?
  var iCalUID: String?
  /// The revision since which events have changed.
  var since: Int?

  var parameters: FormFields {
    var fields: FormFields = isExpanded ? ["singleEvents": "true"] : [:]
    if showsDeleted { fields["showDeleted"] = "true" }
    if order != .asStored { fields["orderBy"] = order.rawValue }
    fields["timeMin"] = timeMin?.rfc3339()
    fields["timeMax"] = timeMax?.rfc3339()
    fields["updatedMin"] = updatedMin?.rfc3339()
    fields["q"] = word
    fields["privateExtendedProperty"] = property.map { "k=\($0)" }
    fields["iCalUID"] = iCalUID
    return fields
  }

  func rows(of events: [PlainEvent], zone: Int64) -> [(key: PlainKey, event: PlainEvent)] {
    var rows: [(key: PlainKey, event: PlainEvent)] = []
    let stored = Set(events.map(\.id))
    for (slot, event) in events.enumerated() where since.map({ event.revision > $0 }) ?? true {
      guard matches(event) else { continue }
      let instances = event.instances.filter { !stored.contains($0.id) && isWithinBounds($0, zone) }
      if !event.isRecurring {
        if isShown(event, events), isWithinBounds(event, zone) { rows.append((key(slot, event, event, zone), event)) }
      } else if !event.isCancelled || showsDeleted || since != nil {
        let isBounded = timeMin != nil || timeMax != nil
        if !isExpanded {
          if event.isCancelled || !isBounded || !instances.isEmpty {
            rows.append((key(slot, event, event, zone), event))
          }
        } else {
          for var instance in instances {
            instance.etag = event.etag
            rows.append((key(slot, event, instance, zone), instance))
          }
        }
      }
    }
    return rows.sorted { $0.key < $1.key }
  }

  private func instant(_ seconds: Int64, _ event: PlainEvent, _ zone: Int64) -> Int64 {
    event.isDay ? seconds - zone * 3600 : seconds
  }

  private func key(_ slot: Int, _ event: PlainEvent, _ row: PlainEvent, _ zone: Int64) -> PlainKey {
    let start = instant(row.start, row, zone)
    return switch order {
    case .asStored: PlainKey(first: Int64(since == nil ? slot : event.revision), second: start, id: row.id)
    case .startTime: PlainKey(first: start, second: 0, id: row.id)
    case .updated:
      PlainKey(first: event.updated.secondsSince1970, second: Int64(event.updated.nanoseconds), id: row.id)
    }
  }

  private func isShown(_ event: PlainEvent, _ events: [PlainEvent]) -> Bool {
    guard event.isCancelled, !showsDeleted, since == nil, updatedMin == nil else { return true }
    guard let seriesID = event.seriesID, !isExpanded else { return false }
    return events.first { $0.id == seriesID }?.isCancelled == false
  }

  private func isWithinBounds(_ event: PlainEvent, _ zone: Int64) -> Bool {
    if let timeMin, instant(event.end, event, zone) <= timeMin.secondsSince1970 { return false }
    if let timeMax, instant(event.start, event, zone) >= timeMax.secondsSince1970 { return false }
    return true
  }

  private func matches(_ event: PlainEvent) -> Bool {
    if let updatedMin, event.updated < updatedMin { return false }
    if let property, event.property != property { return false }
    if let iCalUID, event.iCalUID != iCalUID { return false }
    guard let word else { return true }
    return !event.isCancelled && event.summary.lowercased().contains(word.lowercased())
  }
}
