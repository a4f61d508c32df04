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

  @Test func historyIsCompleteAndInOrder() async throws {
    let exchanges = (0..<100).map { (url: "https://a.example/\($0)", status: $0 % 7 == 0 ? 500 : 200) }
    #expect(
      try await requests(exchanges) == exchanges.indices.reversed().map { "\($0 % 7 == 0 ? 500 : 200) GET /\($0)" })
    let repeated = ["a", "b", "b", "a"].map { (url: "https://a.example/\($0)", status: 200) }
    #expect(try await requests(repeated) == ["200 GET /a", "200 GET /b (2 times)", "200 GET /a"])
    #expect(try await requests([("https://a.example/a", 0)]) == ["connectionLost GET /a"])
    let events = History(events: (0..<30).map { "\($0)" }, exchanges: []).events
    #expect(events == (0..<30).reversed().map { "\($0)" })
    #expect(History(events: ["a", "b", "a", "a"], exchanges: []).events == ["a (2 times)", "b", "a"])
  }
}
