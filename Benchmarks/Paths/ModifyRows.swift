// SPDX-License-Identifier: Apache-2.0

import BenchmarkHarness
import CalendarAPI
import Foundation
import HTTPTransport

/// The cost of `events.modify`, which reads an event, changes it, and sends the difference.
enum ModifyRows {
  static let path = "modify"

  static var rows: [Row] {
    let event = (try? EventsPage(json: SamplePage.json(1)))?.items.first ?? Event()
    let server = EventServer(event: event.json())
    let client = CalendarClient(transport: server)
    let id = event.id ?? ""
    return [
      Row(
        path, "the title of an event",
        ours: contender("events.modify") {
          try await client.events.modify(id, in: "primary") { $0.summary = title }
        },
        baselines: [
          contender("events.get, events.patch", doesLess: "the patch is written by hand") {
            let event = try await client.events.get(id, in: "primary")
            var request = EventsResource.patch(Event.Patch { $0.summary = .set(title) }, for: id, in: "primary")
            request.ifMatch = event.etag
            return try await client.send(request)
          },
          Contender(
            "JSONDecoder, JSONEncoder", items: repetitions,
            doesLess: "the patch is written by hand, times stay text, unknown fields are lost"
          ) {
            wait {
              var count = 0
              for _ in 0..<repetitions {
                let event = try await server.event()
                let patch = try JSONEncoder().encode(["summary": title])
                let changed = try await server.event(.patch, ifMatch: event.etag, [UInt8](patch))
                count += changed.id?.utf8.count ?? 0
              }
              return count
            }
          },
        ])
    ]
  }

  private static let title = "Planificación"
  private static let repetitions = 50

  private static func contender(
    _ name: String, doesLess: String? = nil, _ change: @escaping @Sendable () async throws -> Event
  ) -> Contender {
    Contender(name, items: repetitions, doesLess: doesLess) {
      wait {
        var count = 0
        for _ in 0..<repetitions { count += try await change().id?.utf8.count ?? 0 }
        return count
      }
    }
  }
}

/// A transport that immediately responds with the same event to every request that changes only its title.
private struct EventServer: Transport {
  let event: [UInt8]

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    precondition(request.method == .get || request.body == Array(#"{"summary":"Planificación"}"#.utf8))
    return HTTPResponse(status: 200, fields: ["Content-Type": "application/json"], body: event)
  }

  func event(
    _ method: HTTPMethod = .get, ifMatch etag: String? = nil, _ body: [UInt8]? = nil
  ) async throws -> FullEvents.Event {
    guard let url = URL(string: "https://www.googleapis.com/calendar/v3/calendars/primary/events/event") else {
      throw URLError(.badURL)
    }
    var request = HTTPRequest(method, url, body: body)
    request.fields["If-Match"] = etag
    return try JSONDecoder().decode(FullEvents.Event.self, from: Data(try await send(request).body))
  }
}
