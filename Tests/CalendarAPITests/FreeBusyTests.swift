// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import CalendarAPI
import HTTPTransport
import Synchronization
import TestSupport
import Testing
import Timekeeping

struct FreeBusyTests {
  private static let start = Timestamp(secondsSince1970: 1_767_225_600)
  private static let day = Duration.seconds(86_400)

  private static func client(_ transport: some Transport) -> CalendarClient {
    CalendarClient(transport: transport, clock: ManualClock(skipsWaits: true))
  }

  /// The queries that were sent, by start and first calendar.
  private static func queries(of transport: StubTransport) throws -> [FreeBusyRequest] {
    try transport.requests.map { try FreeBusyRequest(json: $0.body ?? []) }.sorted { left, right in
      let (leftStart, rightStart) = (left.timeMin?.description ?? "", right.timeMin?.description ?? "")
      return (leftStart, left.items?.first?.id ?? "") < (rightStart, right.items?.first?.id ?? "")
    }
  }

  @Test func aQueryIsSplitByCalendarsAndDays() async throws {
    let transport = StubTransport { _ in .json("{}") }
    var query = FreeBusyRequest(
      calendars: (100..<220).map { "\($0)" } + ["100"], from: Self.start, to: Self.start + Self.day * 181,
      timeZone: "Europe/Zurich")
    query.groupExpansionMax = 7
    _ = try await Self.client(transport).freebusy.query(splitting: query)
    let queries = try Self.queries(of: transport)
    #expect(queries.map { $0.items?.count } == [50, 50, 20, 50, 50, 20, 50, 50, 20])
    let bounds = [0, 90, 180, 181].map { OffsetDateTime(Self.start + Self.day * $0) }
    for (index, query) in queries.enumerated() {
      #expect(query.timeMin == bounds[index / 3] && query.timeMax == bounds[index / 3 + 1])
    }
    #expect(queries.allSatisfy { $0.timeZone == "Europe/Zurich" && $0.groupExpansionMax == 7 })
    let calendars = queries.prefix(3).flatMap { $0.items ?? [] }
    #expect(Set(calendars.compactMap(\.id)).count == 120)
  }

  @Test func aQueryThatFitsIsSentAsItIs() async throws {
    let transport = StubTransport { _ in .json("{}") }
    let whole = FreeBusyRequest(calendars: ["a"], from: Self.start, to: Self.start + Self.day * 90)
    let reversed = FreeBusyRequest(calendars: ["a"], from: Self.start, to: Self.start - Self.day)
    for query in [whole, reversed, FreeBusyRequest()] {
      _ = try await Self.client(transport).freebusy.query(splitting: query)
    }
    #expect(
      try transport.requests.map { try FreeBusyRequest(json: $0.body ?? []) } == [whole, reversed, FreeBusyRequest()])
  }

  /// The calendar has the years 0 to 9999, and a time may have any seconds.
  @Test func aPeriodBeyondTheCalendarIsSentAsItIs() async throws {
    let transport = StubTransport { _ in .json("{}") }
    for (start, end) in [(Int64.min, 0), (0, .max)] as [(Int64, Int64)] {
      let query = FreeBusyRequest(
        calendars: ["a"], from: Timestamp(secondsSince1970: start), to: Timestamp(secondsSince1970: end))
      _ = try await Self.client(transport).freebusy.query(splitting: query)
    }
    #expect(transport.requests.count == 2)
  }

  @Test func aQueryOfMoreThan600RequestsIsRejectedBeforeTheFirst() async throws {
    let transport = StubTransport { _ in .json("{}") }
    let client = Self.client(transport)
    let largest = Self.start + Self.day * 90 * 600
    _ = try await client.freebusy.query(splitting: .init(calendars: ["a"], from: Self.start, to: largest))
    #expect(transport.requests.count == 600)
    let error = try await #require(throws: CalendarError.self) {
      try await client.freebusy.query(splitting: .init(calendars: ["a"], from: Self.start, to: largest + Self.day))
    }
    #expect(error.code == .invalidRequest && transport.requests.count == 600)
  }

  @Test func aLowerLimitOfCalendarsIsObeyed() async throws {
    let transport = StubTransport { _ in .json("{}") }
    for (limit, count) in [(2, 3), (0, 5)] {
      var query = FreeBusyRequest(calendars: ["a", "b", "c", "d", "e"], from: Self.start, to: Self.start + Self.day)
      query.calendarExpansionMax = limit
      let before = transport.requests.count
      _ = try await Self.client(transport).freebusy.query(splitting: query)
      #expect(transport.requests.count - before == count)
    }
  }

  @Test func busyPeriodsAreJoinedAcrossTheSplits() async throws {
    let transport = StubTransport { request in
      let query = try FreeBusyRequest(json: request.body ?? [])
      let isFirst = query.timeMin?.timestamp == Self.start
      return .json(
        isFirst
          ? """
          {"kind":"calendar#freeBusy","timeMin":"2026-01-01T00:00:00Z","timeMax":"2026-04-01T00:00:00Z","new":1,
          "calendars":{"a":{"busy":[{"start":"2026-03-31T22:00:00Z","end":"2026-04-01T00:00:00Z"},
          {"start":"2026-01-02T09:00:00Z","end":"2026-01-02T12:00:00Z"},
          {"start":"2026-01-02T10:00:00Z","end":"2026-01-02T11:00:00Z"},{"start":"2026-01-05T09:00:00Z"}]},
          "b":{"errors":[{"domain":"global","reason":"notFound"}]}},
          "groups":{"g":{"calendars":["a","b"]}}}
          """
          : """
          {"timeMin":"2026-04-01T00:00:00Z","timeMax":"2026-05-01T00:00:00Z",
          "calendars":{"a":{"busy":[{"start":"2026-04-01T02:00:00+02:00","end":"2026-04-01T03:00:00+02:00"},
          {"start":"2026-04-01T01:00:01Z","end":"2026-04-01T02:00:00Z"}]},
          "b":{"errors":[{"domain":"global","reason":"notFound"},{"domain":"global","reason":"internalError"}]}},
          "groups":{"g":{"calendars":["b","c"],"errors":[{"reason":"groupTooBig"}]}}}
          """)
    }
    let query = FreeBusyRequest(calendars: ["a", "b", "g"], from: Self.start, to: Self.start + Self.day * 120)
    let response = try await Self.client(transport).freebusy.query(splitting: query)
    let expected = try FreeBusyResponse(
      json: Array(
        """
        {"kind":"calendar#freeBusy","timeMin":"2026-01-01T00:00:00Z","timeMax":"2026-05-01T00:00:00Z","new":1,
        "calendars":{"a":{"busy":[{"start":"2026-01-02T09:00:00Z","end":"2026-01-02T12:00:00Z"},
        {"start":"2026-03-31T22:00:00Z","end":"2026-04-01T03:00:00+02:00"},
        {"start":"2026-04-01T01:00:01Z","end":"2026-04-01T02:00:00Z"},{"start":"2026-01-05T09:00:00Z"}]},
        "b":{"errors":[{"domain":"global","reason":"notFound"},{"domain":"global","reason":"internalError"}]}},
        "groups":{"g":{"calendars":["a","b","c"],"errors":[{"reason":"groupTooBig"}]}}}
        """.utf8))
    #expect(response == expected)
  }

  @Test func fourPartsAreQueriedAtATime() async throws {
    let gate = AsyncGate()
    let open = Mutex((now: 0, most: 0, all: 0))
    let transport = StubTransport { _ in
      open.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1), $0.all + 1) }
      try await gate.pass()
      open.withLock { $0.now -= 1 }
      return .json("{}")
    }
    let query = FreeBusyRequest(calendars: ["a"], from: Self.start, to: Self.start + Self.day * 900)
    async let response = Self.client(transport).freebusy.query(splitting: query)
    while open.withLock({ $0.now < 4 }) { await Task.yield() }
    for _ in 1...100 { await Task.yield() }
    await gate.open()
    _ = try await response
    let (now, most, all) = open.withLock { $0 }
    #expect(now == 0 && most == 4 && all == 10)
  }

  @Test func theRefusalOfAPartIsThrown() async throws {
    let transport = StubTransport { request in
      let query = try FreeBusyRequest(json: request.body ?? [])
      return query.timeMin?.timestamp == Self.start ? .json("{}") : .refusal(400, "timeRangeEmpty")
    }
    let query = FreeBusyRequest(calendars: ["a"], from: Self.start, to: Self.start + Self.day * 120)
    await expectFailure(.timeRangeEmpty) {
      try await Self.client(transport).freebusy.query(splitting: query)
    }
  }
}
