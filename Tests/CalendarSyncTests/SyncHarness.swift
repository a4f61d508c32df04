// SPDX-License-Identifier: Apache-2.0

import Almanac
import AlmanacSandbox
import AlmanacTesting
import CalendarAPI
import CalendarSync
import HTTPTransport
import Recurrence
import Synchronization
import TestSupport
import Testing
import Timekeeping
import TokenStore

/// A user of the sandbox, and a copy of the user's calendars.
struct SyncHarness {
  let sandbox: Sandbox
  let client: CalendarClient
  let transport: any Transport
  let store: any CalendarStore
  let clock = ManualClock(skipsWaits: true)

  init(store: any CalendarStore = InMemoryCalendarStore()) async throws {
    self.store = store
    sandbox = Sandbox(clock: clock)
    let google = try GoogleAccount(
      clientID: Sandbox.Client.native.id, scopes: [.calendar], storage: InMemoryTokenStorage(),
      userAgent: sandbox.approvingUser,
      options: .init(
        services: GoogleServices(provider: sandbox.provider(), apiURL: Sandbox.inProcessURL),
        transport: sandbox.transport(), clock: clock))
    try await google.authorize()
    transport = google.transport()
    client = Self.client(over: transport, clock)
  }

  private static func client(over transport: any Transport, _ clock: ManualClock) -> CalendarClient {
    CalendarClient(transport: transport, baseURL: Sandbox.inProcessURL, clock: clock)
  }

  /// Returns a client whose requests another transport sends.
  func client(over transport: any Transport) -> CalendarClient { Self.client(over: transport, clock) }

  func synchronizer(
    _ store: (any CalendarStore)? = nil, over transport: (any Transport)? = nil,
    _ configure: (inout CalendarSynchronizer.Options) -> Void = { _ in }
  ) -> CalendarSynchronizer {
    var options = CalendarSynchronizer.Options()
    configure(&options)
    let used: any CalendarStore = store ?? self.store
    let client = transport.map { self.client(over: $0) } ?? client
    return CalendarSynchronizer(client: client, store: used, account: "me", options: options, clock: clock)
  }

  /// An all-day event of one day.
  static func event(_ summary: String, on day: String = "2026-03-01", rule: String? = nil) throws -> Event {
    let start = try CivilDate(rfc3339: day)
    return Event {
      $0.summary = summary
      $0.start = EventDateTime(date: start)
      $0.end = EventDateTime(date: start.adding(days: 1))
      if let rule { $0.recurrence = [rule] }
    }
  }

  @discardableResult
  func insert(_ event: Event, in calendarID: String = "primary") async throws -> String {
    try #require(try await client.events.insert(event, in: calendarID).id)
  }

  /// The identifier of the user's primary calendar.
  var primary: String {
    get async throws { try #require(try await client.calendars.get("primary").id) }
  }

  /// Checks that the store has what the server lists, and nothing else.
  func expectCopy(
    in store: (any CalendarStore)? = nil, _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let store = store ?? self.store
    var expected: [SyncCollection: [String: SyncResource]] = [:]
    func expect(_ resource: SyncResource, in collection: SyncCollection) throws {
      expected[collection, default: [:]][try #require(resource.id)] = resource
    }
    for try await setting in client.settings.all() { try expect(.setting(setting), in: .settings) }
    for try await entry in client.calendarList.all(.init(showHidden: true)) {
      try expect(.calendar(entry), in: .calendarList)
      let id = try #require(entry.id)
      expected[.events(calendarID: id)] = [:]
      for try await event in client.events.all(in: id) { try expect(.event(event), in: .events(calendarID: id)) }
      guard entry.accessRole == .owner else { continue }
      for try await page in client.acl.pages(in: id) {
        for rule in page.items { try expect(.accessRule(rule), in: .accessRules(calendarID: id)) }
      }
    }
    let collections = try await store.collections(for: "me")
    #expect(Set(collections).subtracting([.edits]) == Set(expected.keys), comment, sourceLocation: sourceLocation)
    for (collection, resources) in expected {
      let stored = try await store.resources(in: collection, for: "me", after: nil, limit: .max)
      let live = stored.filter { !$0.isOrphan(in: stored) }
      let difference = live.filter { resources[$0.id ?? ""] != $0 }.count
      #expect(
        live.count == resources.count && difference == 0, comment ?? "\(collection)", sourceLocation: sourceLocation)
    }
  }
}

extension SyncHarness {
  /// Checks that the copy has the instances of a range that the server computes.
  func expectOccurrences(
    from start: Timestamp, to end: Timestamp, _ comment: Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    for entry in try await store.calendars(for: "me").all() {
      let id = try #require(entry.id)
      let zone = try SystemZoneDatabase.shared.zone(try #require(entry.timeZone))
      var expected: [String] = []
      let query = EventsResource.ListQuery(timeMin: start, timeMax: end, singleEvents: true)
      for try await event in client.events.all(in: id, query) { expected.append(Self.line(event)) }
      let found = try await store.occurrences(in: [id], for: "me", from: start, to: end, zone: zone)
      #expect(found.map { Self.line($0.event) }.sorted() == expected.sorted(), comment, sourceLocation: sourceLocation)
      #expect(found.map(\.start) == found.map(\.start).sorted(), comment, sourceLocation: sourceLocation)
    }
  }

  /// Checks that the copy has the busy periods of a range that the server computes.
  func expectBusyPeriods(
    from start: Timestamp, to end: Timestamp, _ comment: Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let ids = try await store.calendars(for: "me").all().compactMap(\.id)
    let response = try await client.freebusy.query(
      splitting: FreeBusyRequest(calendars: ids, from: start, to: end, timeZone: "UTC"))
    let found = try await store.busyPeriods(in: ids, for: "me", from: start, to: end)
    for id in ids {
      let expected = try (response.calendars?[id]?.busy ?? []).map {
        try #require($0.start).timestamp..<#require($0.end).timestamp
      }
      #expect(found[id] == expected, comment, sourceLocation: sourceLocation)
    }
  }

  /// The parts of an event that identify its instance.
  private static func line(_ event: Event) -> String {
    func text(_ time: EventDateTime?) -> String {
      time?.dateTime.map { "\($0.timestamp)" } ?? time?.date.map { "\($0)" } ?? "-"
    }
    return [event.id ?? "", event.recurringEventID ?? "", text(event.start), text(event.end), event.summary ?? ""]
      .joined(separator: " ")
  }
}

extension SyncResource {
  /// Whether this is a cancelled instance of a series that is not listed, which the server does not list either.
  func isOrphan(in resources: [SyncResource]) -> Bool {
    guard case .event(let event) = self, event.status == .cancelled else { return false }
    return !resources.contains { $0.id == event.recurringEventID }
  }
}

/// A store that fails before or after some of its transactions, like a process that is killed.
final class FailingStore: StoreDecorator {
  struct Crash: Error {}

  let base: any CalendarStore
  private let applied = Mutex(0)
  private let crash: Int
  private let isStored: Bool

  /// - Parameters:
  ///   - crash: The transaction at which it fails, from 1.
  ///   - isStored: Whether that transaction is stored.
  init(_ base: any CalendarStore, crash: Int, isStored: Bool) {
    (self.base, self.crash, self.isStored) = (base, crash, isStored)
  }

  /// The number of transactions so far.
  var count: Int { applied.withLock(\.self) }

  func apply(_ transaction: SyncTransaction) async throws -> [SyncChange] {
    let number = applied.withLock { number in
      number += 1
      return number
    }
    guard number >= crash else { return try await base.apply(transaction) }
    if number == crash, isStored { try await base.apply(transaction) }
    throw Crash()
  }
}

/// A store that changes what another one does.
protocol StoreDecorator: CalendarStore {
  var base: any CalendarStore { get }
}

extension StoreDecorator {
  func collections(for account: String) async throws -> [SyncCollection] { try await base.collections(for: account) }

  func state(of collection: SyncCollection, for account: String) async throws -> SyncState? {
    try await base.state(of: collection, for: account)
  }

  func resource(_ id: String, in collection: SyncCollection, for account: String) async throws -> SyncResource? {
    try await base.resource(id, in: collection, for: account)
  }

  func resources(
    in collection: SyncCollection, for account: String, after id: String?, limit: Int
  ) async throws -> [SyncResource] {
    try await base.resources(in: collection, for: account, after: id, limit: limit)
  }

  func events(
    matching query: EventQuery, for account: String, after cursor: EventCursor?, limit: Int
  ) async throws -> [StoredEvent] {
    try await base.events(matching: query, for: account, after: cursor, limit: limit)
  }
}

extension AsyncSequence {
  /// All elements.
  @concurrent func all() async rethrows -> [Element] { try await reduce(into: []) { $0.append($1) } }
}
