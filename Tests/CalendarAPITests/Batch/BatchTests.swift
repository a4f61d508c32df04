// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import CalendarAPI
import Foundation
import HTTPTransport
import Synchronization
import TestSupport
import Testing
import Timekeeping

struct BatchTests {
  private static func client(_ transport: some Transport, size: Int = 1000) -> CalendarClient {
    CalendarClient(
      transport: transport, options: .init(maximumBatchSize: size), clock: ManualClock(skipsWaits: true))
  }

  private static func get(_ id: String) -> CalendarRequest<Event> {
    EventsResource.get(id, in: "c")
  }

  /// Responds with the event that a request names.
  private static func event(_ request: HTTPRequest) -> HTTPResponse {
    .json(#"{"id":"\#(request.url.lastPathComponent)"}"#)
  }

  @Test func partsHaveTheFormOfHTTP() async throws {
    let transport = StubTransport.batching(Self.event)
    var update = EventsResource.update(Event { $0.summary = "Grüße\r\n--b" }, for: "e", in: "a@b")
    update.ifMatch = "\"1\""
    _ = try await Self.client(transport).batch(update, Self.get("f/g"))
    let request = try #require(transport.requests.first)
    #expect(request.url.absoluteString == "https://www.googleapis.com/batch/calendar/v3")
    let parts = try #require(BatchParts(request)).parts
    #expect(parts.allSatisfy { $0.fields["Content-Type"] == "application/http" })
    #expect(Set(parts.map(\.id)).count == 2)
    #expect(parts[0].request.method == .put)
    #expect(parts[0].request.url.absoluteString == "https://www.googleapis.com/calendar/v3/calendars/a%40b/events/e")
    #expect(parts[0].request.fields["If-Match"] == "\"1\"")
    #expect(try Event(json: parts[0].request.body ?? []).summary == "Grüße\r\n--b")
    #expect(parts[1].request.url.absoluteString.hasSuffix("/events/f%2Fg"))
    #expect(parts[1].request.body == nil)
  }

  @Test func aBatchIsRepeatableIfAllItsRequestsAre() async throws {
    let transport = StubTransport.batching(Self.event)
    _ = try await Self.client(transport).batch([Self.get("a"), Self.get("b")])
    _ = try await Self.client(transport).batch(Self.get("a"), EventsResource.quickAdd("Lunch", in: "c"))
    #expect(transport.requests.map(\.isRepeatable) == [true, false])
  }

  /// One request alone is no batch.
  @Test(arguments: [(2, 5, [2, 2, 0]), (.max, 1002, [1000, 2]), (-1, 2, [0, 0])])
  func aBatchIsSplitAtTheLimitAndAtThatOfGoogle(_ size: Int, _ count: Int, _ sizes: [Int]) async throws {
    let transport = StubTransport.batching(Self.event)
    let ids = (0..<count).map { "\($0)" }
    let results = try await Self.client(transport, size: size).batch(ids.map(Self.get))
    #expect(try results.map { try $0.get().id } == ids)
    #expect(transport.batchSizes == sizes)
  }

  @Test(arguments: [(503, "backendError"), (409, "conflict")])
  func onlyWhatFailedForTheMomentIsSentAgain(_ status: Int, _ reason: String) async throws {
    let refusals = Mutex([HTTPResponse.refusal(status, reason), .refusal(status, reason)])
    let transport = StubTransport.batching { request in
      guard request.url.lastPathComponent == "b" else { return Self.event(request) }
      return refusals.withLock { $0.popLast() } ?? Self.event(request)
    }
    let results = try await Self.client(transport).batch(["a", "b", "c"].map(Self.get))
    #expect(results.allSatisfy { $0.code == nil })
    #expect(transport.batchSizes == [3, 0, 0])
    // The number of attempts is bounded.
    let failing = StubTransport.batching { _ in .refusal(503, "backendError") }
    let failed = try await Self.client(failing).batch(["a", "b"].map(Self.get))
    #expect(failed.map(\.code) == [.backendError, .backendError])
    #expect(failing.batchSizes == [2, 2, 2, 2])
  }

  /// A request that is not repeatable and may have been carried out stays as it is.
  @Test(arguments: [("lost", [3, 2]), ("refused", nil), ("in part", [3])] as [(String, [Int]?)])
  func whatIsRepeatableIsSentAgainWithoutTheRest(_ fault: String, _ sizes: [Int]?) async throws {
    let transport = StubTransport.numbered { number, request in
      switch (number, fault) {
      case (1, "lost"): throw TransportError(.connectionLost, "It was lost.")
      case (1, "refused"): return .refusal(503, "backendError")
      case (2, "refused"): return .refusal(403, "rateLimitExceeded")
      default: break
      }
      guard let batch = BatchParts(request) else { return Self.event(request) }
      return BatchParts.response(
        batch.parts.map { part in
          (part.id, part.request.method == .post ? .refusal(503, "backendError") : Self.event(part.request))
        })
    }
    let (added, first, second) = try await Self.client(transport).batch(
      EventsResource.quickAdd("Lunch", in: "c"), Self.get("a"), Self.get("b"))
    #expect([added.code, first.code, second.code] == [.outcomeUnknown, nil, nil])
    if let sizes { #expect(transport.batchSizes == sizes) }
  }

  @Test func retryAfterOfAPartIsObeyed() async throws {
    let clock = ManualClock(skipsWaits: true)
    let start = clock.now
    let refusals = Mutex([HTTPResponse.refusal(503, "backendError", retryAfter: "7")])
    let transport = StubTransport.batching { request in
      request.url.lastPathComponent == "a" ? refusals.withLock { $0.popLast() } ?? .json("{}") : Self.event(request)
    }
    _ = try await CalendarClient(transport: transport, clock: clock).batch(["a", "b"].map(Self.get))
    #expect(clock.now - start >= .seconds(7))
    let long = StubTransport.batching { _ in .refusal(503, "backendError", retryAfter: "3600") }
    #expect(try await Self.client(long).batch(["a", "b"].map(Self.get)).map(\.code) == [.backendError, .backendError])
    #expect(long.requests.count == 1)
  }

  @Test func aTokenRefusedWithinABatchIsReplacedByOneRequestAlone() async throws {
    let transport = StubTransport { request in
      guard let batch = BatchParts(request) else { return Self.event(request) }
      // Only a request alone makes a transport replace the token.
      let isFirst = batch.parts.count == 4
      return BatchParts.response(
        batch.parts.map { ($0.id, isFirst ? .refusal(401, "authError") : Self.event($0.request)) })
    }
    let (first, added, third, last) = try await Self.client(transport).batch(
      Self.get("a"), EventsResource.quickAdd("Lunch", in: "c"), Self.get("b"), Self.get("d"))
    #expect([first.code, added.code, third.code, last.code] == [nil, nil, nil, nil])
    #expect(transport.batchSizes == [4, 0, 3])
  }

  @Test func aTokenThatStaysRefusedIsNotPresentedForEver() async throws {
    let transport = StubTransport.batching { _ in .refusal(401, "authError") }
    let results = try await Self.client(transport).batch(["a", "b", "c"].map(Self.get))
    #expect(results.map(\.code) == [.authError, .authError, .authError])
    #expect(transport.batchSizes == [3, 0, 2])
    // The transport has seen the refusal of one request alone, and could do nothing.
    #expect(try await Self.client(transport).batch([Self.get("a")]).map(\.code) == [.authError])
    #expect(transport.batchSizes == [3, 0, 2, 0])
  }

  @Test func anErrorOfTheTransportIsThrownIfNothingIsKnown() async throws {
    struct SignInRequired: Error {}
    let transport = StubTransport { request in
      guard let batch = BatchParts(request) else { throw SignInRequired() }
      return BatchParts.response(batch.parts.map { ($0.id, .refusal(401, "authError")) })
    }
    await #expect(throws: SignInRequired.self) {
      try await Self.client(transport).batch(["a", "b", "c"].map(Self.get))
    }
    let unreachable = StubTransport()
    await #expect(throws: TransportError.self) {
      try await Self.client(unreachable).batch(["a", "b", "c"].map(Self.get))
    }
    #expect(unreachable.requests.count == 4)
  }

  @Test func resultsSurviveAnErrorOfTheTransport() async throws {
    struct SignInRequired: Error {}
    for error in [SignInRequired() as any Error, TransportError(.connectionLost, "The connection was lost.")] {
      let transport = StubTransport.numbered { number, request in
        if number > 1 { throw error }
        return BatchParts.response(try #require(BatchParts(request)).parts.map { ($0.id, Self.event($0.request)) })
      }
      let results = try await Self.client(transport, size: 2).batch(["a", "b", "c", "d"].map(Self.get))
      #expect(results.map(\.code) == [nil, nil, .noResponse, .noResponse])
      guard case .failure(let failure) = results[3] else { continue }
      #expect(failure.cause.map { type(of: $0) == type(of: error) } == true)
      #expect(!failure.description.contains("SignInRequired"))
    }
  }

  @Test func whatIsGoneIsDeletedAndWhatExistsWasInserted() async throws {
    let transport = StubTransport.batching { request in
      switch request.method {
      case .delete: .refusal(410, "deleted")
      case .post: .refusal(409, "duplicate")
      default: .json(#"{"id":"x","summary":"Lunch"}"#)
      }
    }
    let (deletion, inserted, taken) = try await Self.client(transport).batch(
      EventsResource.delete("e", in: "c"),
      EventsResource.insert(Event { $0.summary = "Lunch" }, in: "c"),
      EventsResource.insert(Event { $0.id = "abcde" }, in: "c"))
    #expect(throws: Never.self) { try deletion.get() }
    #expect(try inserted.get().summary == "Lunch")
    #expect(taken.code == .duplicate)
    #expect(transport.batchSizes == [3, 0])
  }

  @Test func aRequestThatCannotBeMadeDoesNotStopTheOthers() async throws {
    let transport = StubTransport.batching(Self.event)
    var injected = Self.get("a")
    injected.ifNoneMatch = "x\r\nX-Evil: 1"
    let results = try await Self.client(transport).batch([Self.get(".."), injected, Self.get("c"), Self.get("d")])
    #expect(results.map(\.code) == [.invalidRequest, .invalidRequest, nil, nil])
    #expect(transport.batchSizes == [2])
  }

  @Test(arguments: [(404, "notFound"), (410, "deleted"), (409, "duplicate"), (400, "invalid")])
  func theRefusalOfABatchIsNotThatOfItsRequests(_ status: Int, _ reason: String) async throws {
    let transport = StubTransport { _ in .refusal(status, reason) }
    let (deletion, inserted) = try await Self.client(transport).batch(
      EventsResource.delete("e", in: "c"), EventsResource.insert(Event(), in: "c"))
    #expect([deletion.code, inserted.code] == [.batchRefused, .batchRefused])
    #expect(transport.requests.count == 1)
  }

  @Test func everyWriteOfAWorkingLocationIsSentAlone() async throws {
    let event = Event { $0.eventType = .workingLocation }
    let patch = Event.Patch { $0.eventType = .set(.workingLocation) }
    let writes: [CalendarRequest<String?>] = [
      EventsResource.import(event, in: "c").map(\.id), EventsResource.insert(event, in: "c").map(\.id),
      EventsResource.patch(patch, for: "e", in: "c").map(\.id),
      EventsResource.update(event, for: "e", in: "c").map(\.id),
    ]
    // Other events, and other resources with a field of the name, are sent together.
    let others: [CalendarRequest<String?>] = [
      EventsResource.insert(Event(), in: "c").map(\.id),
      AclResource.insert(AclRule { $0.additionalFields["eventType"] = "workingLocation" }, in: "c").map(\.id),
    ]
    let transport = StubTransport.batching { _ in .json(#"{"id":"r"}"#) }
    let results = try await CalendarClient(transport: transport).batch(writes + others)
    #expect(try results.map { try $0.get() } == Array(repeating: "r", count: 6))
    #expect(transport.batchSizes == [0, 0, 0, 0, 2])
  }

  @Test func requestsOfSeveralMethodsGetOneType() async throws {
    let transport = StubTransport.batching { request in
      request.method == .post ? .refusal(409, "duplicate") : Self.event(request)
    }
    var get = Self.get("a")
    get.fieldMask = FieldMask(\.id)
    get.ifNoneMatch = "\"1\""
    get.quotaUser = "u"
    get.isRepeatable = false
    let requests: [CalendarRequest<String>] = [
      get.map { $0.id ?? "" },
      EventsResource.insert(Event(), in: "c").map { $0.id == nil ? "" : "inserted" },
      EventsResource.delete("d", in: "c").map { "deleted" },
    ]
    let results = try await Self.client(transport).batch(requests)
    #expect(try results.map { try $0.get() } == ["a", "inserted", "deleted"])
    #expect(requests.map(\.isRepeatable) == [false, true, true])
    let sent = try #require(BatchParts(transport.requests[0])).parts[0].request
    #expect(sent.url.query() == "fields=id&quotaUser=u")
    #expect(sent.fields["If-None-Match"] == "\"1\"")
  }

  @Test func cancellationIsNotAResult() async throws {
    let transport = StubTransport.batching { request in
      cancelCurrentTask()
      return Self.event(request)
    }
    let client = Self.client(transport, size: 2)
    let task = Task { try await client.batch(["a", "b", "c", "d"].map(Self.get)) }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(transport.requests.count == 1)
  }

  @Test func batchesShrinkToWhatTheServerAcceptsInASecond() async throws {
    let clock = ManualClock(skipsWaits: true)
    let counts = Mutex<[Int64: Int]>([:])
    let transport = StubTransport.batching { request in
      let count = counts.withLock { counts in
        counts[clock.now.secondsSince1970, default: 0] += 1
        return counts[clock.now.secondsSince1970, default: 0]
      }
      return count <= 10 ? Self.event(request) : .refusal(403, "userRateLimitExceeded")
    }
    let client = CalendarClient(
      transport: transport, options: .init(retryPolicy: RetryPolicy(maximumAttempts: 20)), clock: clock)
    let results = try await client.batch((0..<200).map { Self.get("\($0)") })
    #expect(results.allSatisfy { $0.code == nil })
    let sizes = transport.batchSizes.map { max($0, 1) }
    #expect(sizes.first == 200)
    #expect(sizes.suffix(5).allSatisfy { $0 <= 20 }, "\(sizes)")
  }

  /// 1,000 insertions while requests and batches are refused for three reasons and a third of the responses is lost.
  @Test(arguments: [false, true]) func failuresLoseAndDoubleNothing(_ inBatch: Bool) async throws {
    let events = Mutex<Set<String>>([])
    let numbers = Mutex(SeededNumbers(seed: 7))
    @Sendable func chance(of percent: Int) -> Bool {
      numbers.withLock { Int.random(in: 0..<100, using: &$0) } < percent
    }
    let server = StubTransport.batching { request in
      if chance(of: 5) { return .refusal(403, "rateLimitExceeded") }
      if chance(of: 5) { return .refusal(429, "rateLimitExceeded") }
      if chance(of: 10) { return .refusal(503, "backendError") }
      if request.method == .get { return Self.event(request) }
      let id = try JSONValue(json: request.body ?? [])["id"]?.string ?? ""
      let isNew = events.withLock { $0.insert(id).inserted }
      if isNew, chance(of: 5) { return .refusal(503, "backendError") }
      return isNew ? .json(#"{"id":"\#(id)"}"#) : .refusal(409, "duplicate")
    }
    let transport = StubTransport { request in
      if chance(of: 5) { return .refusal(503, "backendError") }
      let response = try await server.send(request)
      if chance(of: 33) { throw TransportError(.connectionLost, "The response was lost.") }
      return response
    }
    let client = CalendarClient(
      transport: transport, options: .init(retryPolicy: RetryPolicy(maximumAttempts: 50), maximumBatchSize: 50),
      clock: ManualClock(skipsWaits: true))
    let insertions = (0..<1000).map { number in EventsResource.insert(Event { $0.summary = "\(number)" }, in: "c") }
    if inBatch {
      #expect(try await client.batch(insertions).allSatisfy { $0.code == nil })
    } else {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (number, insertion) in insertions.enumerated() {
          if number >= 16 { try await group.next() }
          group.addTask { _ = try await client.send(insertion) }
        }
        try await group.waitForAll()
      }
    }
    #expect(events.withLock { $0.count } == 1000)
  }
}

extension Result where Failure == CalendarError {
  /// The code of a failure.
  var code: CalendarError.Code? { if case .failure(let error) = self { error.code } else { nil } }
}

extension HTTPResponse {
  static func refusal(_ status: Int, _ reason: String, retryAfter: String? = nil) -> HTTPResponse {
    var response = HTTPResponse.json(
      #"{"error":{"errors":[{"reason":"\#(reason)"}],"code":\#(status)}}"#, status: status)
    response.fields["Retry-After"] = retryAfter
    return response
  }
}
