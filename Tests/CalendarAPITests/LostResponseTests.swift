// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import CalendarAPI
import HTTPTransport
import Testing

/// Writes whose response was lost, so that the repeated request meets what the first one did.
struct LostResponseTests {
  private static let json =
    #"{"id":"e","summary":"Lunch","location":"Rome","attendees":[{"email":"bo@example.org"}],"start":{"dateTime":"2026-06-01T10:00:00Z"}}"#

  private static func client(_ transport: StubTransport) -> CalendarClient {
    CalendarClient(transport: transport, clock: ManualClock(skipsWaits: true))
  }

  private static func patch(_ configure: (inout Event.Patch) -> Void) -> CalendarRequest<Event> {
    var request = EventsResource.patch(Event.Patch(configure), for: "e", in: "c")
    request.ifMatch = "\"1\""
    return request
  }

  private static func delete() -> CalendarRequest<Void> {
    var request = EventsResource.delete("e", in: "c")
    request.ifMatch = "\"1\""
    return request
  }

  /// The result of a request that is sent by itself, or in a batch with another one.
  private static func result<Response>(
    of request: CalendarRequest<Response>, from server: LossyServer, inBatch: Bool
  ) async throws -> Result<Response, CalendarError> {
    let client = client(server.transport)
    if inBatch { return try await client.batch(request, EventsResource.get("e", in: "c")).0 }
    do {
      return .success(try await client.send(request))
    } catch let error as CalendarError {
      return .failure(error)
    }
  }

  // MARK: Changes

  @Test(
    arguments: [[LossyServer.Outcome.lostAfterwards], [.failedAfterwards], [.lostAfterwards, .conflict]],
    [false, true])
  func aChangeThatWasCarriedOutSucceeds(_ outcomes: [LossyServer.Outcome], _ inBatch: Bool) async throws {
    // Another client's change follows, of another field.
    let server = try LossyServer(Self.json, outcomes, other: ["description": "Bring a cake."])
    let request = Self.patch { patch in
      patch.summary = .set("Dinner")
      patch.location = .clear
    }
    let event = try await Self.result(of: request, from: server, inBatch: inBatch).get()
    #expect(event.summary == "Dinner" && event.description == "Bring a cake.")
    #expect(event.etag == "\"3\"")
    #expect(server.writes == 1)
  }

  /// A change that certainly was not carried out is not looked for.
  @Test(
    arguments: [
      (LossyServer.Outcome.lostAfterwards, true), (.failedAfterwards, true), (.lostBefore, true), (.failedBefore, true),
      (.rateLimited, false), (.tooMany, false), (.unreachable, false), (.conflict, false),
    ], [false, true])
  func aChangeThatCannotBeFoundIsOfUnknownOutcome(_ row: (LossyServer.Outcome, Bool), _ inBatch: Bool) async throws {
    let server = try LossyServer(Self.json, [row.0], other: ["summary": row.1 ? "Brunch" : "Dinner"])
    let result = try await Self.result(
      of: Self.patch { $0.summary = .set("Dinner") }, from: server, inBatch: inBatch)
    #expect(result.code == (row.1 ? .outcomeUnknown : .conditionNotMet))
    guard case .failure(let error) = result, row.1 else { return }
    #expect(error.remedy == .checkOutcome && !error.isRetryable)
    #expect(server.event?["summary"] == "Brunch")
  }

  @Test(arguments: [false, true]) func aCheckThatFailsLeavesTheOutcomeUnknown(_ inBatch: Bool) async throws {
    let server = try LossyServer(Self.json, [.lostAfterwards])
    server.failReads()
    let request = Self.patch { $0.summary = .set("Dinner") }
    let result = try await Self.result(of: request, from: server, inBatch: inBatch)
    #expect(result.code == .outcomeUnknown)
    guard case .failure(let error) = result else { return }
    #expect((error.cause as? CalendarError)?.code == .forbidden)
    #expect(error.message.contains("could not be read"))
  }

  @Test func aCheckThatIsLostLeavesTheOutcomeUnknownInABatch() async throws {
    let server = try LossyServer(Self.json, [.lostAfterwards])
    let base = server.transport
    let transport = StubTransport { request in
      if request.method == .get { throw TransportError(.unreachable, "There is no network.") }
      return try await base.send(request)
    }
    let results = try await Self.client(transport).batch([Self.patch { $0.summary = .set("Dinner") }])
    #expect(results.map(\.code) == [.outcomeUnknown])
  }

  /// The changes that a server may make to a sent resource, and those that it may not.
  @Test(arguments: [
    (#"{"start":{"dateTime":"2026-06-01T12:00:00+02:00"}}"#, #"{"start":{"dateTime":"2026-06-01T10:00:00Z"}}"#, true),
    (#"{"start":{"dateTime":"2026-06-01T12:00:00Z"}}"#, #"{"start":{"dateTime":"2026-06-01T10:00:00Z"}}"#, false),
    (#"{"guestsCanModify":false,"recurrence":[],"description":""}"#, "{}", true),
    (#"{"guestsCanModify":true}"#, "{}", false), (#"{"guestsCanInviteOthers":true}"#, "{}", true),
    (#"{"guestsCanInviteOthers":null}"#, #"{"guestsCanInviteOthers":false}"#, false),
    (#"{"guestsCanInviteOthers":false}"#, "{}", false), (#"{"guestsCanSeeOtherGuests":false}"#, "{}", false),
    (#"{"location":null}"#, #"{"location":"Rome"}"#, false),
    (#"{"reminders":{"useDefault":false}}"#, #"{"reminders":{"overrides":[{"minutes":5}]}}"#, true),
    (#"{"source":{"url":"https://a.example/"}}"#, #"{"source":{"title":"A"}}"#, false),
    (
      #"{"attendees":[{"email":"a@b"},{"email":"c@d"}]}"#,
      #"{"attendees":[{"email":"c@d","responseStatus":"needsAction"},{"email":"a@b","self":true}]}"#, true
    ),
    (#"{"attendees":[{"email":"a@b"}]}"#, #"{"attendees":[{"email":"a@b"},{"email":"c@d"}]}"#, false),
    (#"{"attendees":[{"email":"a@b"}]}"#, #"{"attendees":[{"email":"a@b","comment":"Late"}]}"#, false),
    (
      #"{"attendees":[{"email":"a@b"},{"email":"a@b"}]}"#, #"{"attendees":[{"email":"a@b"},{"email":"c@d"}]}"#, false
    ),
    (
      #"{"attendees":[{"email":"a@b","responseStatus":"accepted"}]}"#,
      #"{"attendees":[{"email":"a@b","responseStatus":"needsAction"}]}"#, false
    ),
  ]) func aPatchIsFoundInWhatTheServerMakesOfIt(_ patch: String, _ event: String, _ isFound: Bool) async throws {
    let transport = StubTransport(
      .refusal(503, "backendError"), .refusal(412, "conditionNotMet"), .json(event))
    var changes = Event.Patch()
    changes.changes = try JSONValue(json: Array(patch.utf8))
    var request = EventsResource.patch(changes, for: "e", in: "c", .init(sendUpdates: .all))
    request.ifMatch = "\"1\""
    request.quotaUser = "u"
    #expect(try await Self.isFound(request, by: transport) == isFound)
    #expect(transport.requests.map(\.method) == [.patch, .patch, .get])
    #expect(transport.paths.last == "calendars/c/events/e?quotaUser=u")
    #expect(transport.requests.last?.fields["If-Match"] == nil)
  }

  @Test(arguments: [
    (
      #""sequence":1,"updated":"2026-06-02T00:00:00Z","summary":"Dinner","extendedProperties":{"shared":{"etag":"a"}}"#,
      true
    ),
    (#""summary":"Dinner","extendedProperties":{"shared":{"etag":"b"}}"#, false),
    (#""summary":"Dinner","extendedProperties":{"shared":{"etag":"a"}},"location":"Rome""#, false),
    (#""summary":"Lunch","extendedProperties":{"shared":{"etag":"a"}}"#, false),
  ]) func aReplacementIsFoundOnlyWhole(_ fields: String, _ isFound: Bool) async throws {
    let transport = StubTransport(
      .refusal(503, "backendError"), .refusal(412, "conditionNotMet"), .json("{\"etag\":\"2\",\(fields)}"))
    let sent = try Event(
      json: Array(
        #"{"etag":"1","sequence":0,"updated":"2026-06-01T00:00:00Z","summary":"Dinner","extendedProperties":{"private":{},"shared":{"etag":"a"}}}"#
          .utf8))
    var request = EventsResource.update(sent, for: "e", in: "c")
    request.ifMatch = "1"
    #expect(try await Self.isFound(request, by: transport) == isFound)
  }

  @Test func aPostIsNotLookedForAtItsPath() async throws {
    var request = EventsResource.move("e", from: "c", to: "d")
    request.ifMatch = "\"1\""
    request.isRepeatable = true
    let transport = StubTransport(.refusal(503, "backendError"), .refusal(412, "conditionNotMet"))
    let error = try await #require(throws: CalendarError.self) { try await Self.client(transport).send(request) }
    #expect(error.code == .outcomeUnknown)
    #expect((error.cause as? CalendarError)?.code == .conditionNotMet)
    #expect(transport.requests.map(\.method) == [.post, .post])
  }

  /// Whether a request that is refused after a lost response finds what it has changed.
  private static func isFound(_ request: CalendarRequest<Event>, by transport: StubTransport) async throws -> Bool {
    do {
      _ = try await client(transport).send(request)
      return true
    } catch let error as CalendarError where error.code == .outcomeUnknown {
      #expect((error.cause as? CalendarError)?.code == .conditionNotMet)
      return false
    }
  }

  // MARK: Deletions

  @Test(arguments: [LossyServer.Outcome.lostBefore, .failedBefore], [false, true])
  func aDeletionOfWhatAnotherClientChangedIsRefused(_ outcome: LossyServer.Outcome, _ inBatch: Bool) async throws {
    let server = try LossyServer(Self.json, [outcome], other: ["summary": "Brunch"])
    let result = try await Self.result(of: Self.delete(), from: server, inBatch: inBatch)
    #expect(result.code == .conditionNotMet)
    #expect(server.event?["summary"] == "Brunch")
  }

  @Test(arguments: [#"{"status":"cancelled"}"#, #"{"deleted":true}"#, #"{"role":"none"}"#])
  func whatIsLeftOfADeletedResourceIsNotTheResource(_ left: String) async throws {
    let transport = StubTransport(.refusal(503, "backendError"), .refusal(412, "conditionNotMet"), .json(left))
    try await Self.client(transport).send(Self.delete())
    #expect(transport.requests.map(\.method) == [.delete, .delete, .get])
  }

  @Test(arguments: ["<p>Sign in</p>", "", "null"]) func aBodyThatIsNoResourceLeavesTheOutcomeUnknown(_ body: String)
    async throws
  {
    func expectUnknown<Response>(_ request: CalendarRequest<Response>) async throws {
      let transport = StubTransport(.refusal(503, "backendError"), .refusal(412, "conditionNotMet"), .json(body))
      let error = try await #require(throws: CalendarError.self) { try await Self.client(transport).send(request) }
      #expect(error.code == .outcomeUnknown)
      #expect((error.cause as? CalendarError)?.code == .malformedResponse)
    }
    try await expectUnknown(Self.delete())
    try await expectUnknown(Self.patch { $0.location = .clear })
  }

  // MARK: Modifying

  @Test(arguments: [LossyServer.Outcome.lostAfterwards, .failedAfterwards, .rateLimited, .unreachable, .lostBefore])
  func aChangeIsNotMadeOnTopOfItself(_ outcome: LossyServer.Outcome) async throws {
    let server = try LossyServer(Self.json, [outcome])
    let event = try await Self.client(server.transport).events.modify("e", in: "c") { event in
      event.summary = (event.summary ?? "") + "!"
      event.addAttendee(EventAttendee(email: "cy@example.org"))
    }
    #expect(event.summary == "Lunch!")
    #expect(event.attendees?.map(\.email) == ["bo@example.org", "cy@example.org"])
    #expect(server.event?["summary"] == "Lunch!")
    #expect(server.writes == 1)
  }

  // MARK: Insertions

  @Test(
    arguments: [
      ([LossyServer.Outcome.rateLimited], false), ([.tooMany], false), ([.unreachable], false), ([.conflict], false),
      ([.lostBefore], true), ([.failedBefore], true), ([.lostBefore, .conflict], true),
      ([.failedBefore, .conflict], true),
    ], [false, true])
  func anIdentifierThatIsTakenIsOwnOnlyIfAnAttemptMayHaveTakenIt(_ row: ([LossyServer.Outcome], Bool), _ inBatch: Bool)
    async throws
  {
    let attempts = StubTransport.numbered { number, _ in
      guard number <= row.0.count else { return .refusal(409, "duplicate") }
      return switch row.0[number - 1] {
      case .rateLimited: .refusal(403, "rateLimitExceeded")
      case .tooMany: .refusal(429, "rateLimitExceeded")
      case .unreachable: throw TransportError(.unreachable, "There is no network.")
      case .conflict: .refusal(409, "conflict")
      case .lostBefore: throw TransportError(.connectionLost, "The response was lost.")
      default: .refusal(503, "backendError")
      }
    }
    let transport = StubTransport.batching { request in
      request.method == .get ? .json(#"{"id":"abcde","summary":"Lunch"}"#) : try await attempts.send(request)
    }
    let request = EventsResource.insert(Event { $0.id = "abcde" }, in: "c")
    let client = Self.client(transport)
    if inBatch {
      let (inserted, _) = try await client.batch(request, EventsResource.get("e", in: "c"))
      #expect(inserted.code == (row.1 ? nil : .duplicate))
    } else if row.1 {
      #expect(try await client.send(request).summary == "Lunch")
    } else {
      await expectFailure(.duplicate) { try await client.send(request) }
    }
  }
}
