// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import CalendarAPI
import HTTPTransport
import Synchronization
import Testing

/// Changes of an event that others change too.
struct ModifyTests {
  /// A server with one event, which another client changes before the first writes arrive.
  private final class Server: Sendable {
    private let state: Mutex<(event: JSONValue, version: Int, others: Int)>
    private let writes = Mutex<[String]>([])

    init(_ json: String, changedByOthers others: Int) throws {
      state = Mutex((try JSONValue(json: Array(json.utf8)), 1, others))
    }

    var patches: [String] { writes.withLock { $0 } }

    func respond(_ request: HTTPRequest) -> HTTPResponse {
      state.withLock { state in
        if request.method == .patch {
          if state.others > 0 {
            state.others -= 1
            state.version += 1
          }
          guard request.fields["If-Match"] == "\"\(state.version)\"" else {
            return .json(#"{"error":{"errors":[{"reason":"conditionNotMet"}],"code":412}}"#, status: 412)
          }
          writes.withLock { $0.append(String(decoding: request.body ?? [], as: UTF8.self)) }
          state.version += 1
        }
        var event = state.event.object ?? [:]
        event["etag"] = .string("\"\(state.version)\"")
        return HTTPResponse(status: 200, body: JSONValue.object(event).json())
      }
    }
  }

  private static let json =
    #"{"id":"e","summary":"Lunch","attendees":[{"email":"ana@example.org","self":true,"responseStatus":"needsAction","x":1},{"email":"bo@example.org"}]}"#

  @Test func attendeesAreChangedWithoutLosingTheOthers() async throws {
    let server = try Server(Self.json, changedByOthers: 0)
    let client = CalendarClient(transport: StubTransport { server.respond($0) })
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
    let server = try Server(Self.json, changedByOthers: 3)
    let transport = StubTransport { server.respond($0) }
    let event = try await CalendarClient(transport: transport).events.modify("e", in: "c") {
      $0.summary = "Dinner"
    }
    #expect(server.patches == [#"{"summary":"Dinner"}"#])
    #expect(event.etag == "\"5\"")
    #expect(transport.requests.map(\.method) == [.get, .patch, .get, .patch, .get, .patch, .get, .patch])
  }

  @Test func theNumberOfAttemptsIsBounded() async throws {
    let server = try Server(Self.json, changedByOthers: .max)
    let transport = StubTransport { server.respond($0) }
    let error = try await #require(throws: CalendarError.self) {
      try await CalendarClient(transport: transport).events.modify("e", in: "c", attempts: 3) {
        $0.summary = "Dinner"
      }
    }
    #expect(error.code == .conditionNotMet)
    #expect(transport.requests.count == 6)
  }

  @Test func nothingDifferentIsNotWritten() async throws {
    let server = try Server(Self.json, changedByOthers: 0)
    let transport = StubTransport { server.respond($0) }
    let event = try await CalendarClient(transport: transport).events.modify("e", in: "c") {
      $0.summary = "Lunch"
    }
    #expect(event.summary == "Lunch")
    #expect(transport.requests.count == 1)
  }

  @Test func attendeesThatWereLeftOutAreNotRemoved() async throws {
    let server = try Server(#"{"attendeesOmitted":true,"attendees":[{"email":"a@b","self":true}]}"#, changedByOthers: 0)
    let transport = StubTransport { server.respond($0) }
    let events = CalendarClient(transport: transport).events
    let error = try await #require(throws: CalendarError.self) {
      try await events.modify("e", in: "c") { $0.setResponse(.declined) }
    }
    #expect(error.code == .invalidRequest)
    #expect(server.patches.isEmpty)
    try await events.modify("e", in: "c") { $0.summary = "x" }
    #expect(server.patches == [#"{"summary":"x"}"#])
  }
}
