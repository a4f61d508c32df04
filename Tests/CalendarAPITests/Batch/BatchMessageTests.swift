// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import CalendarAPI
import HTTPTransport
import Testing

/// The messages about responses to a batch that cannot be read.
struct BatchMessageTests {
  private static let remedy = "Check the URL and any proxy between this program and the server."

  private static func results(
    _ body: String, type: String = "multipart/mixed; boundary=b"
  ) async throws -> [Result<Event, CalendarError>] {
    let transport = StubTransport { request in
      let ids = try #require(BatchParts(request)).parts.map(\.id)
      return BatchParts.multipart(body.replacing("ID0", with: ids[0]).replacing("ID1", with: ids[1]), type: type)
    }
    return try await CalendarClient(transport: transport, options: .init(retryPolicy: .none), clock: ManualClock())
      .batch(
        ["a", "b"].map { EventsResource.get($0, in: "c") })
  }

  private static func part(_ number: Int, _ message: String = "HTTP/1.1 200 OK\r\n\r\n{}", fields: String = "")
    -> String
  {
    "--b\r\nContent-Type: application/http\r\n\(fields)Content-ID: <response-ID\(number)>\r\n\r\n\(message)\r\n"
  }

  @Test(arguments: [
    (part(0) + part(1), "text/plain", "it is not multipart/mixed with a boundary"),
    (part(0) + part(1), "multipart/mixed; boundary=b", "it ends before the last part does"),
    (
      part(0) + part(1, fields: "X\r\n") + "--b--", "multipart/mixed; boundary=b",
      "a header field of a part is malformed"
    ),
    (
      part(0) + part(1, fields: "X: \(String(repeating: "x", count: 16_384))\r\n") + "--b--",
      "multipart/mixed; boundary=b", "the header of a part is too large"
    ),
    (
      part(0) + part(1).replacing("application/http", with: "text/plain") + "--b--", "multipart/mixed; boundary=b",
      "a part is not an HTTP message"
    ),
    (
      part(0) + part(1).replacing("response-", with: "") + "--b--", "multipart/mixed; boundary=b",
      "a part has no Content-ID of a request"
    ),
    (part(0) + part(0) + "--b--", "multipart/mixed; boundary=b", "two parts respond to one request"),
  ])
  func faultOfTheWholeIsExplained(_ body: String, _ type: String, _ fault: String) async throws {
    for result in try await Self.results(body, type: type) {
      let error = try #require(throws: CalendarError.self) { try result.get() }
      #expect(error.code == .malformedResponse && error.status == 200)
      #expect(error.message == "The response to the batch cannot be read: \(fault). \(Self.remedy)")
    }
  }

  @Test(arguments: [
    ("", "no part responds to the request"), (part(1, "HTTP/1.1 OK"), "the HTTP message of the part is malformed"),
    (
      part(1, "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{}"), "the HTTP message of the part is truncated"
    ),
  ])
  func faultOfAPartIsExplained(_ part: String, _ fault: String) async throws {
    let results = try await Self.results(Self.part(0) + part + "--b--")
    #expect(try results[0].get() == Event())
    let error = try #require(throws: CalendarError.self) { try results[1].get() }
    #expect(error.code == .malformedResponse && error.status == 200)
    #expect(error.message == "The response to the batch cannot be read: \(fault). \(Self.remedy)")
  }

  @Test(
    "The header of a part has up to 64 fields and 16 KiB",
    arguments: [(62, 1, true), (63, 1, false), (1, 16_250, true)])
  func sizeOfAHeader(_ count: Int, _ length: Int, _ isRead: Bool) async throws {
    let fields = String(repeating: "X: \(String(repeating: "x", count: length))\r\n", count: count)
    let results = try await Self.results(Self.part(0) + Self.part(1, fields: fields) + "--b--")
    #expect(results.allSatisfy { (try? $0.get()) != nil } == isRead)
  }

  @Test(arguments: [
    "HTTP/1.1 200 OK\r\n\r\n{}", "HTTP/2 200\r\n\r\n{}", "HTTP/1.0 299 x y z\r\n\r\n{}",
    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n{}",
    "HTTP/1.1 200 OK\r\nContent-Length: 002\r\n\r\n{}\r\n\r\n\n",
    "HTTP/1.1 200 OK\r\nX:y \t\r\n\r\n{}", "HTTP/1.1 200 \(String(repeating: "x", count: 1000))\r\n\r\n{}",
  ])
  func messageIsRead(_ message: String) async throws {
    #expect(try await Self.results(Self.part(0) + Self.part(1, message) + "--b--")[1].get() == Event())
  }

  @Test(arguments: [
    "HTTP/1.1", "HTTP 200 OK\r\n\r\n{}", "HTTPS/1.1 200 OK\r\n\r\n{}", "http/1.1 200 OK\r\n\r\n{}",
    "HTTP/1.10 200 OK\r\n\r\n{}", "HTTP/ 200 OK\r\n\r\n{}", "HTTP/1.1 20 OK\r\n\r\n{}", "HTTP/1.1 2000 OK\r\n\r\n{}",
    "HTTP/1.1 199 OK\r\n\r\n{}", "HTTP/1.1 600 OK\r\n\r\n{}", "HTTP/1.1 20/ OK\r\n\r\n{}", "HTTP/1.1 20: OK\r\n\r\n{}",
    "HTTP/1.1  200 OK\r\n\r\n{}", "HTTP/1.1 200 \(String(repeating: "x", count: 1024))\r\n\r\n{}",
    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
    "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n{}", "HTTP/1.1 200 OK\r\nContent-Length: +2\r\n\r\n{}",
    "HTTP/1.1 200 OK\r\nContent-Length: 2:\r\n\r\n{}", "HTTP/1.1 200 OK\r\nContent-Length: 2/\r\n\r\n{}",
    "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n{}",
    "HTTP/1.1 200 OK\r\nContent-Length: \r\n\r\n{}",
    "HTTP/1.1 200 OK\r\nX y\r\n\r\n{}", "HTTP/1.1 200 OK\r\nX\u{1}: y\r\n\r\n{}", "HTTP/1.1 200 OK\r\n",
  ])
  func messageThatIsNoneIsRefused(_ message: String) async throws {
    let results = try await Self.results(Self.part(0) + Self.part(1, message) + "--b--")
    #expect((try? results[0].get()) == Event())
    let error = try #require(throws: CalendarError.self) { try results[1].get() }
    #expect(error.code == .malformedResponse)
  }

  @Test func refusalOfTheWholeIsExplained() async throws {
    let transport = StubTransport { _ in .refusal(404, "notFound") }
    let client = CalendarClient(transport: transport, options: .init(retryPolicy: .none), clock: ManualClock())
    for result in try await client.batch([ColorsResource.get(), ColorsResource.get()]) {
      let error = try #require(throws: CalendarError.self) { try result.get() }
      #expect(error.code == .batchRefused && error.status == 404 && error.details.count == 1)
      #expect(error.message == "The server refused the batch as a whole. \(Self.remedy)")
    }
  }

  @Test func requestWithoutAResponseIsExplained() async throws {
    let sent = StubTransport { request in
      guard BatchParts(request) == nil else { throw TransportError(.connectionLost, "The response was lost.") }
      return .json("{}")
    }
    var options = CalendarClient.Options(retryPolicy: .none)
    options.maximumBatchSize = 2
    let client = CalendarClient(transport: sent, options: options, clock: ManualClock())
    let results = try await client.batch((0..<3).map { _ in ColorsResource.get() })
    let error = try #require(throws: CalendarError.self) { try results[0].get() }
    #expect(error.code == .noResponse && error.status == nil && error.cause is TransportError)
    #expect(
      error.message == "A request of the batch received no response and changed nothing. Send it again later.")
    #expect((try? results[2].get()) == Colors())
  }
}
