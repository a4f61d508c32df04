// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import CalendarAPI
import HTTPTransport
import TestSupport
import Testing
import Timekeeping

/// Descriptions and dumps in full: what they name, and what they leave out.
struct DescriptionTests {
  @Test func requestIsShownByItsMethod() {
    let request = EventsResource.patch(Event.Patch { $0.summary = .set("secret") }, for: "secret", in: "secret")
    #expect("\(request)" == "events.patch")
    #expect(mirroredChildren(of: request) == ["name: events.patch", "method: PATCH"])
  }

  @Test func valuesOfASchemaAreNotShown() throws {
    let event = try Event(json: Array(#"{"summary":"secret","id":"secret","zzz":"secret","new":1}"#.utf8))
    #expect(event.debugDescription == "Event(id, summary, new, zzz)")
    #expect(mirroredChildren(of: event) == ["fields: Event(id, summary, new, zzz)"])
    #expect(Event().debugDescription == "Event()")
  }

  @Test func valuesOfAPatchAreNotShown() {
    let patch = Event.Patch {
      $0.summary = .set("secret")
      $0.location = .clear
    }
    #expect(patch.debugDescription == "Patch(location, summary)")
    #expect(mirroredChildren(of: patch) == ["fields: Patch(location, summary)"])
    #expect(Event.Patch.clear.debugDescription == "Patch(null)")
    #expect(Event.Patch.leave.debugDescription == "Patch()")
  }

  @Test func errorIsShownWithoutTheServersText() async throws {
    let body =
      #"{"error":{"errors":[{"domain":"global","reason":"invalid","message":"secret","location":"orderBy"}],"message":"secret"}}"#
    let client = CalendarClient(transport: StubTransport(.json(body, status: 400)))
    let error = try await #require(throws: CalendarError.self) {
      try await client.events.list(in: "c", .init(orderBy: .startTime))
    }
    let message =
      #"The server refused the request (parameter "orderBy"): a parameter or field is not valid. Change the request: as it is, it will not succeed."#
    #expect("\(error)" == "\(message) [invalid, status 400]")
    #expect(mirroredChildren(of: error) == ["code: invalid", "status: Optional(400)", "message: \(message)"])
    let detail = try #require(error.details.first)
    #expect("\(detail)" == #"global: invalid (parameter "orderBy")"#)
    #expect(
      mirroredChildren(of: detail) == [
        "domain: global", "reason: invalid", #"place: Optional("parameter \"orderBy\"")"#,
      ])
    let bare = CalendarError(.noResponse, "A message.")
    #expect("\(bare)" == "A message. [noResponse]")
    #expect(bare.serverMessage == nil && bare.details.isEmpty && bare.cause == nil && bare.status == nil)
  }

  @Test(arguments: [("a", "z"), ("A_09", "Z"), (String(repeating: "r", count: 64), "_")])
  func wordIsShown(_ reason: String, _ domain: String) async throws {
    #expect("\(try await Self.details(reason, domain))" == "[\(domain): \(reason)]")
  }

  @Test(arguments: ["", "a b", "a-b", "a/b", "a:b", "a@b", "a[b", "a`b", "a{b", "é", String(repeating: "r", count: 65)])
  func textThatIsNoWordIsNotShown(_ text: String) async throws {
    #expect("\(try await Self.details(text, text))" == "[?: ?]")
  }

  private static func details(_ reason: String, _ domain: String) async throws -> [CalendarError.Detail] {
    let body = #"{"error":{"errors":[{"domain":"\#(domain)","reason":"\#(reason)"}]}}"#
    let client = CalendarClient(transport: StubTransport(.json(body, status: 400)))
    return try await #require(throws: CalendarError.self) { try await client.colors.get() }.details
  }
}
