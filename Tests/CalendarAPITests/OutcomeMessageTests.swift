// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import CalendarAPI
import Foundation
import HTTPTransport
import Synchronization
import TestSupport
import Testing
import Timekeeping

/// The messages about writes that may have been carried out: what is known, and what to do.
struct OutcomeMessageTests {
  private static let again = "Send the same request again: it has no further effect."
  private static let read = "Read the resource, and make the change only if it is not there."

  private static func failure<Response>(
    of request: CalendarRequest<Response>, attempts: Int = 1,
    _ responses: [Result<HTTPResponse, TransportError>]
  ) async throws -> CalendarError {
    let rest = Mutex(responses)
    let transport = StubTransport { _ in
      try rest.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }.get()
    }
    let client = CalendarClient(
      transport: transport, options: .init(retryPolicy: RetryPolicy(maximumAttempts: attempts)),
      clock: ManualClock(skipsWaits: true))
    return try await #require(throws: CalendarError.self) { try await client.send(request) }
  }

  private static var patch: CalendarRequest<Event> {
    EventsResource.patch(Event.Patch { $0.summary = .set("new") }, for: "e", in: "c")
  }

  private static let lost = TransportError(.connectionLost, "The response was lost.")

  @Test(
    arguments: [
      (.success(HTTPResponse(status: 503)), "The server failed (status 503)"),
      (.success(HTTPResponse(status: 200, body: Array("<html>".utf8))), "The response cannot be read"),
      (.failure(lost), "No complete response was received"),
    ] as [(Result<HTTPResponse, TransportError>, String)])
  func findingIsThatOfTheLastAttempt(_ response: Result<HTTPResponse, TransportError>, _ finding: String) async throws {
    let patch = try await Self.failure(of: Self.patch, [response])
    #expect(patch.message == "\(finding), and the request may have been carried out. \(Self.again)")
    #expect(patch.unknownOutcome?.isRepeatable == true && patch.remedy == .backOff)
    var conditional = Self.patch
    conditional.ifMatch = "\"1\""
    let conditionalError = try await Self.failure(of: conditional, [response])
    #expect(conditionalError.message == "\(finding), and the request may have been carried out. \(Self.read)")
    #expect(conditionalError.unknownOutcome?.isRepeatable == false && conditionalError.remedy == .checkOutcome)
    let insertion = try await Self.failure(of: EventsResource.insert(Event(), in: "c"), [response])
    #expect(
      insertion.message
        == "\(finding), and the request may have been carried out. \(Self.read) Keep its identifier.")
    let unnamed = try await Self.failure(of: EventsResource.quickAdd("Tea", in: "c"), [response])
    #expect(unnamed.message == "\(finding), and the request may have been carried out. \(Self.read)")
  }

  @Test func earlierAttemptIsNotHidden() async throws {
    let error = try await Self.failure(
      of: Self.patch, attempts: 2, [.failure(Self.lost), .success(.refusal(403, "forbidden"))])
    #expect(
      error.message
        == "An earlier attempt failed without a clear response, and the request may have been carried out. \(Self.again)"
    )
    #expect(error.status == 403 && error.details.count == 1)
  }

  @Test(
    arguments: [
      (.success(.json(#"{"id":"e","summary":"other"}"#)), "The resource does not match the change"),
      (.success(HTTPResponse(status: 403)), "The resource could not be read"),
      (.success(.json("[]")), "The resource could not be read"), (.failure(lost), "The resource could not be read"),
    ] as [(Result<HTTPResponse, TransportError>, String)])
  func checkThatFindsNothingIsExplained(_ check: Result<HTTPResponse, TransportError>, _ finding: String) async throws {
    var request = Self.patch
    request.ifMatch = "\"1\""
    let refusal = HTTPResponse.refusal(412, "conditionNotMet")
    let error = try await Self.failure(
      of: request, attempts: 2, [.failure(Self.lost), .success(refusal), check])
    #expect(error.code == .outcomeUnknown)
    #expect(error.message == "\(finding), and the request may have been carried out. \(Self.read)")
  }

  @Test func postThatMetAChangeIsExplained() async throws {
    var request = EventsResource.move("e", from: "c", to: "d")
    request.ifMatch = "\"1\""
    request.isRepeatable = true
    let error = try await Self.failure(
      of: request, attempts: 2, [.failure(Self.lost), .success(.refusal(412, "conditionNotMet"))])
    #expect(
      error.message.hasPrefix("The resource was changed since, and the request may have been carried out. "))
  }

  @Test func outcomeIsShownWithoutItsIdentifier() async throws {
    let outcome = try #require(try await Self.failure(of: Self.patch, [.failure(Self.lost)]).unknownOutcome)
    #expect("\(outcome)" == "events.patch")
    #expect(mirroredChildren(of: outcome) == ["method: events.patch", "isRepeatable: true"])
    #expect(outcome.identifier == "e")
  }

  /// A resource without an identifier of the client's is looked for in the list, from an hour before the first attempt on.
  @Test func lookupAllowsForClocksThatDiffer() async throws {
    let request = EventsResource.quickAdd("Tea", in: "c")
    let outcome = try #require(try await Self.failure(of: request, [.failure(Self.lost)]).unknownOutcome)
    let lookup = try #require(outcome.lookup)
    let transport = StubTransport(.json("{}"))
    _ = try await CalendarClient(transport: transport).send(lookup)
    let query = try #require(transport.requests.first?.url.query(percentEncoded: false))
    let earlier = ManualClock().now - .seconds(3600)
    #expect(query.contains("updatedMin=\(earlier)"), "\(query)")
  }
}
