// SPDX-License-Identifier: Apache-2.0

import AlmanacCLI
import AlmanacTesting
import Foundation
import HTTPTransport
import Synchronization
import Testing

/// The history on the page.
@Suite struct HistoryTests {
  /// Returns the lines for exchanges with these URLs.
  ///
  /// Status 0 is a lost connection.
  private func requests(_ exchanges: [(url: String, status: Int)]) async throws -> [String] {
    let records = Mutex<[ExchangeRecord]>([])
    let left = Mutex(exchanges[...])
    let transport = StubTransport { _ in
      let status = left.withLock { $0.removeFirst().status }
      if status == 0 { throw TransportError(.connectionLost, "") }
      return HTTPResponse(status: status)
    }.logging { record in records.withLock { $0.append(record) } }
    for (url, _) in exchanges {
      _ = try? await transport.send(HTTPRequest(.get, try #require(URL(string: url))))
    }
    return History(events: [], exchanges: records.withLock { $0 }).requests
  }

  @Test(arguments: [
    ("https://a.example/calendar/v3/colors", "/calendar/v3/colors"), ("https://a.example/", "/"),
    ("https://a.example", "/"), ("https://a.example/a//b/", "/a/b"),
    ("https://a.example/\(String(repeating: "x", count: 24))/y", "/\(String(repeating: "x", count: 24))/y"),
    ("https://a.example/\(String(repeating: "x", count: 25))/y", "/…/y"),
    ("https://a.example/calendars/me@x.org/events", "/calendars/…/events"),
    ("https://a.example/calendars/me%40x.org/events", "/calendars/…/events"),
    ("https://a.example/list?fields=a", "/list"), ("https://a.example/list?me@x.org", "/list"),
  ])
  func pathHasNoLongIdentifiersAndNoQuery(_ url: String, _ path: String) async throws {
    #expect(try await requests([(url, 200)]) == ["200 GET \(path)"])
  }

  @Test(arguments: [(199, false), (200, true), (303, true), (399, true), (400, false), (0, false)])
  func failedRequestsComeFirst(_ status: Int, _ isSuccess: Bool) async throws {
    let line = (status == 0 ? "connectionLost" : "\(status)") + " GET /a"
    // The newest line is the first of its kind.
    #expect(
      try await requests([("https://a.example/a", status), ("https://a.example/b", 200)])
        == (isSuccess ? ["200 GET /b", line] : [line, "200 GET /b"]))
    #expect(
      try await requests([("https://a.example/a", status), ("https://a.example/b", 500)])
        == (isSuccess ? ["500 GET /b", line] : ["500 GET /b", line]))
  }

  @Test func onlyTheNewestAreKept() async throws {
    let lines = try await requests((0..<61).map { ("https://a.example/\($0)", 200) })
    #expect(lines == (1..<61).reversed().map { "200 GET /\($0)" })
    let events = History(events: (0..<13).map { "\($0)" }, exchanges: []).events
    #expect(events == (1..<13).reversed().map { "\($0)" })
    #expect(History(events: ["a", "b", "a", "a"], exchanges: []).events == ["a (3 times)", "b"])
  }
}
