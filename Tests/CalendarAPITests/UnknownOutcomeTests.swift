// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import CalendarAPI
import Foundation
import HTTPTransport
import Synchronization
import Testing
import Timekeeping

/// The errors of writes that may have been carried out.
struct UnknownOutcomeTests {
  private static func client(_ transport: StubTransport) -> CalendarClient {
    CalendarClient(transport: transport, clock: ManualClock(skipsWaits: true))
  }

  private static func failure<Response>(
    of request: CalendarRequest<Response>, _ respond: @escaping @Sendable (HTTPRequest) throws -> HTTPResponse
  ) async throws -> CalendarError {
    try await #require(throws: CalendarError.self) {
      try await client(StubTransport { try respond($0) }).send(request)
    }
  }

  @Test func theErrorOfAnInsertionHasTheIdentifierAndReadsTheEvent() async throws {
    let sent = Mutex<[String?]>([])
    let transport = StubTransport { request in
      if request.method == .get { return .json(#"{"id":"e","summary":"Lunch"}"#) }
      let id = try JSONValue(json: request.body ?? [])["id"]?.string
      sent.withLock { $0.append(id) }
      return .refusal(503, "backendError")
    }
    let client = Self.client(transport)
    let error = try await #require(throws: CalendarError.self) {
      try await client.events.insert(Event { $0.summary = "Lunch" }, in: "c")
    }
    let outcome = try #require(error.unknownOutcome)
    #expect(error.code == .outcomeUnknown && error.remedy == .checkOutcome && !error.isRetryable)
    #expect((error.cause as? CalendarError)?.code == .backendError && error.status == 503)
    let id = try #require(outcome.identifier)
    #expect(id.wholeMatch(of: /[0-9a-v]{26}/) != nil && !"\(error) \(outcome)".contains(id))
    #expect(sent.withLock { Set($0) } == [id])
    #expect(!error.message.lowercased().contains("send the request again"))
    #expect(error.message.contains("only if it is missing. Keep its identifier."))
    let lookup = try #require(outcome.lookup)
    #expect(try await client.send(lookup)["summary"]?.string == "Lunch")
    #expect(transport.paths.last == "calendars/c/events/\(id)")
  }

  @Test(
    arguments: [
      (TransportError.Code.connectionLost, nil, true), (.timedOut, nil, true), (.timedOut, .waiting, true),
      (.timedOut, .receiving, true), (.timedOut, .connecting, false), (.truncated, nil, true), (.tooLarge, nil, true),
      (.protocolViolation, nil, true), (.redirectRefused, nil, true), (.unreachable, nil, false), (.tls, nil, false),
      (.invalidRequest, nil, false),
    ] as [(TransportError.Code, TransportError.Reason?, Bool)])
  func onlyAFaultAfterWhichItMayHaveArrivedLeavesItOpen(
    _ code: TransportError.Code, _ reason: TransportError.Reason?, _ isOpen: Bool
  ) async throws {
    let fault = TransportError(code, reason: reason, "Fault.")
    let request = EventsResource.quickAdd("Tea", in: "c")
    do {
      _ = try await Self.client(StubTransport { _ in throw fault }).send(request)
      Issue.record("It did not fail.")
    } catch let error as CalendarError {
      #expect(isOpen && error.code == .outcomeUnknown && (error.cause as? TransportError)?.code == code)
    } catch let error as TransportError {
      #expect(!isOpen && error.code == code)
    }
    // A request that only reads throws the transport's error.
    await #expect(throws: TransportError.self) {
      try await Self.client(StubTransport { _ in throw fault }).colors.get()
    }
  }

  @Test(arguments: [
    (500, "backendError", true), (503, "whatever", true), (408, "timeout", true), (200, nil, true), (303, nil, true),
    (500, "forbidden", true), (499, "forbidden", false), (400, "required", false), (403, "forbidden", false),
    (403, "rateLimitExceeded", false),
    (429, "rateLimitExceeded", false), (409, "conflict", false), (404, "notFound", false), (401, "authError", false),
  ])
  func onlyAResponseThatSaysNothingLeavesItOpen(_ status: Int, _ reason: String?, _ isOpen: Bool) async throws {
    let error = try await Self.failure(of: CalendarsResource.insert(CalendarMetadata { $0.summary = "New" })) { _ in
      reason.map { .refusal(status, $0) } ?? HTTPResponse(status: status, body: Array("<html>".utf8))
    }
    #expect((error.code == .outcomeUnknown) == isOpen)
    #expect((error.unknownOutcome != nil) == isOpen)
    if isOpen { #expect(error.remedy == .checkOutcome && error.status == status) }
  }

  @Test(arguments: [
    (403, "rateLimitExceeded"), (403, "forbidden"), (401, "authError"), (404, "notFound"), (409, "conflict"),
  ])
  func aRefusalOfTheLastAttemptDoesNotHideTheFirst(_ status: Int, _ reason: String) async throws {
    let transport = StubTransport.numbered { number, _ in
      if number == 1 { throw TransportError(.connectionLost, "The response was lost.") }
      return .refusal(status, reason)
    }
    let error = try await #require(throws: CalendarError.self) {
      try await Self.client(transport).send(
        EventsResource.patch(Event.Patch { $0.summary = .clear }, for: "e", in: "c"))
    }
    #expect(error.code == .outcomeUnknown)
    #expect((error.cause as? CalendarError)?.code.rawValue == reason)
    #expect(error.unknownOutcome?.isRepeatable == true && error.isRetryable)
    // An insertion, whose identifier the client chose.
    let inserting = StubTransport.numbered { number, _ in
      if number == 1 { throw TransportError(.connectionLost, "The response was lost.") }
      return .refusal(status, reason)
    }
    let unclear = await expectFailure(.outcomeUnknown) {
      try await Self.client(inserting).events.insert(Event { $0.id = "abcde" }, in: "c")
    }
    #expect((unclear?.cause as? CalendarError)?.code.rawValue == reason)
    #expect(unclear?.unknownOutcome?.identifier == "abcde")
  }

  @Test func anErrorBeforeSendingDoesNotHideAnEarlierAttempt() async throws {
    struct SignInRequired: Error {}
    let request = EventsResource.insert(Event(), in: "c")
    let transport = StubTransport.numbered { number, _ in
      if number == 1 { throw TransportError(.connectionLost, "The response was lost.") }
      throw SignInRequired()
    }
    let error = await expectFailure(.outcomeUnknown) { try await Self.client(transport).send(request) }
    #expect(error?.cause is SignInRequired)
    // Nothing was sent.
    await #expect(throws: SignInRequired.self) {
      try await Self.client(StubTransport { _ in throw SignInRequired() }).send(request)
    }
  }

  @Test func aLayerBelowThatRetriesHidesNoAttempt() async throws {
    let clock = ManualClock(skipsWaits: true)
    let base = StubTransport.numbered { number, request in
      if request.method == .get { return .json(#"{"id":"abcde"}"#) }
      if number == 1 { throw TransportError(.connectionLost, "The response was lost.") }
      return .refusal(409, "duplicate")
    }
    let client = CalendarClient(
      transport: base.retrying(clock: clock), options: .init(retryPolicy: .none), clock: clock)
    let event = try await client.events.insert(Event { $0.id = "abcde" }, in: "c")
    #expect(event.id == "abcde")
    #expect(base.requests.map(\.method) == [.post, .post, .get])
  }

  /// A resource without an identifier of the client's is looked for in the list, from an hour before the first attempt on.
  @Test func lookupAllowsForClocksThatDiffer() async throws {
    let error = try await Self.failure(of: EventsResource.quickAdd("Tea", in: "c")) { _ in .refusal(503, "backendError")
    }
    let lookup = try #require(error.unknownOutcome?.lookup)
    let transport = StubTransport(.json("{}"))
    _ = try await CalendarClient(transport: transport).send(lookup)
    let query = try #require(transport.requests.first?.url.query(percentEncoded: false))
    #expect(query.contains("updatedMin=\(ManualClock().now - .seconds(3600))"), "\(query)")
  }

  // MARK: Batches

  @Test func aBatchOfWritesThatWasLostHasAResultForEach() async throws {
    let transport = StubTransport { _ in throw TransportError(.connectionLost, "The response was lost.") }
    let (inserted, added, read) = try await Self.client(transport).batch(
      EventsResource.insert(Event { $0.id = "abcde" }, in: "c"),
      EventsResource.quickAdd("Tea", in: "c"), EventsResource.get("e", in: "c"))
    #expect([inserted.code, added.code, read.code] == [.outcomeUnknown, .outcomeUnknown, .noResponse])
    let error = try #require(throws: CalendarError.self) { try inserted.get() }
    #expect(error.unknownOutcome?.identifier == "abcde" && error.cause is TransportError)
    // A batch that only reads, or was not sent, throws the transport's error.
    await #expect(throws: TransportError.self) {
      try await Self.client(transport).batch([ColorsResource.get(), ColorsResource.get()])
    }
    let unreachable = StubTransport { _ in throw TransportError(.unreachable, "There is no network.") }
    await #expect(throws: TransportError.self) {
      try await Self.client(unreachable).batch([EventsResource.insert(Event(), in: "c")])
    }
  }

  @Test func aBatchThatFailedAsAWholeMayHaveBeenCarriedOut() async throws {
    for response in [HTTPResponse(status: 503), HTTPResponse(status: 200, body: Array("<html>".utf8))] {
      let transport = StubTransport { _ in response }
      let (added, read) = try await Self.client(transport).batch(
        EventsResource.quickAdd("Tea", in: "c"), EventsResource.get("e", in: "c"))
      #expect(added.code == .outcomeUnknown)
      #expect(read.code == (response.status == 200 ? .malformedResponse : .unexplained))
    }
  }
}
