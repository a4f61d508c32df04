// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import CalendarAPI
import HTTPTransport
import Testing

/// Changes of an event that others change too.
struct ModifyTests {
  private static let json =
    #"{"id":"e","summary":"Lunch","attendees":[{"email":"ana@example.org","self":true,"responseStatus":"needsAction","x":1},{"email":"bo@example.org"}]}"#

  @Test func attendeesAreChangedWithoutLosingTheOthers() async throws {
    let server = try LossyServer(Self.json, [])
    let client = CalendarClient(transport: server.transport)
    try await client.events.modify("e", in: "c") { event in
      event.addAttendee(EventAttendee(email: "cy@example.org"))
      event.removeAttendee(email: "BO@example.org")
      let responded = event.setResponse(.accepted)
      #expect(responded)
    }
    #expect(
      server.patches == [
        #"{"attendees":[{"email":"ana@example.org","responseStatus":"accepted","self":true,"x":1},{"email":"cy@example.org"}]}"#
      ])
  }

  @Test func aChangeByOthersIsReadAndTheOwnMadeAgain() async throws {
    let server = try LossyServer(Self.json, [], otherWrites: 3)
    let transport = server.transport
    let event = try await CalendarClient(transport: transport).events.modify("e", in: "c") {
      $0.summary = "Dinner"
    }
    #expect(server.patches == [#"{"summary":"Dinner"}"#])
    #expect(event.etag == "\"5\"")
    #expect(transport.requests.map(\.method) == [.get, .patch, .get, .patch, .get, .patch, .get, .patch])
  }

  @Test func theNumberOfAttemptsIsBounded() async throws {
    let server = try LossyServer(Self.json, [], otherWrites: .max)
    let transport = server.transport
    await expectFailure(.conditionNotMet) {
      try await CalendarClient(transport: transport).events.modify("e", in: "c", attempts: 3) {
        $0.summary = "Dinner"
      }
    }
    #expect(transport.requests.count == 6)
  }

  @Test func nothingDifferentIsNotWritten() async throws {
    let server = try LossyServer(Self.json, [])
    let transport = server.transport
    let event = try await CalendarClient(transport: transport).events.modify("e", in: "c") {
      $0.summary = "Lunch"
    }
    #expect(event.summary == "Lunch")
    #expect(transport.requests.count == 1)
  }

  @Test func attendeesThatWereLeftOutAreNotRemoved() async throws {
    let server = try LossyServer(#"{"attendeesOmitted":true,"attendees":[{"email":"a@b","self":true}]}"#, [])
    let transport = server.transport
    let events = CalendarClient(transport: transport).events
    await expectFailure(.invalidRequest) {
      try await events.modify("e", in: "c") { $0.setResponse(.declined) }
    }
    #expect(server.patches.isEmpty)
    try await events.modify("e", in: "c") { $0.summary = "x" }
    #expect(server.patches == [#"{"summary":"x"}"#])
  }
}
