// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import CalendarAPI
import HTTPTransport
import Testing

struct DescriptionTests {
  @Test func descriptionsNameFieldsAndShowNoValue() async throws {
    let event = try Event(json: Array(#"{"summary":"secret","id":"secret","zzz":"secret","new":1}"#.utf8))
    let patch = Event.Patch {
      $0.summary = .set("secret")
      $0.location = .clear
    }
    let page = CalendarListPage {
      $0.nextSyncToken = "secret"
      $0.additionalFields["future"] = ["secret": "secret"]
    }
    let notification = try ChannelNotification([
      "X-Goog-Channel-ID": "secret", "X-Goog-Channel-Token": "secret", "X-Goog-Message-Number": "10",
      "X-Goog-Resource-ID": "secret", "X-Goog-Resource-State": "exists", "X-Goog-Resource-URI": "https://secret",
    ])
    let body =
      #"{"error":{"errors":[{"domain":"global","reason":"invalid","message":"secret","location":"secret"}],"message":"secret"}}"#
    let refusal = try await #require(throws: CalendarError.self) {
      try await CalendarClient(transport: StubTransport(.json(body, status: 400))).colors.get()
    }
    let lost = try await #require(throws: CalendarError.self) {
      let lossy = StubTransport { _ in throw TransportError(.connectionLost, "The response was lost.") }
      try await CalendarClient(transport: lossy, options: .init(retryPolicy: .none)).send(
        EventsResource.patch(patch, for: "secret", in: "secret"))
    }
    #expect(refusal.serverMessage == "secret" && lost.unknownOutcome?.identifier == "secret")
    let values: [(Any, String)] = [
      (EventsResource.patch(patch, for: "secret", in: "secret"), "events.patch"),
      (event, "Event(id, summary, new, zzz)"), (Event(), "Event()"),
      (patch, "Patch(location, summary)"), (Event.Patch.clear, "Patch(null)"), (Event.Patch.leave, "Patch()"),
      (page, "nextSyncToken, future"), (notification, "exists"), (refusal, "invalid"), (refusal.details, "invalid"),
      (lost, "outcomeUnknown"), (try #require(lost.unknownOutcome), "events.patch"),
    ]
    for (value, names) in values {
      var dumped = ""
      dump(value, to: &dumped)
      for text in ["\(value)", String(reflecting: value), dumped, "\(Optional(value) as Any)"] {
        #expect(text.contains(names))
        #expect(!text.contains("secret"))
      }
    }
  }

  @Test(arguments: [("a", "z"), ("A_09", "Z"), (String(repeating: "r", count: 64), "_")])
  func wordIsShown(_ reason: String, _ domain: String) async throws {
    #expect("\(try await Self.details(reason, domain))" == "[\(domain): \(reason)]")
    for text in [
      "", "a b", "a-b", "a/b", "a:b", "a@b", "a[b", "a`b", "a{b", "é", reason + String(repeating: "r", count: 64),
    ] {
      #expect("\(try await Self.details(text, text))" == "[?: ?]")
    }
  }

  private static func details(_ reason: String, _ domain: String) async throws -> [CalendarError.Detail] {
    let body = #"{"error":{"errors":[{"domain":"\#(domain)","reason":"\#(reason)"}]}}"#
    let client = CalendarClient(transport: StubTransport(.json(body, status: 400)))
    return try await #require(throws: CalendarError.self) { try await client.colors.get() }.details
  }
}
