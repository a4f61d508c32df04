// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import CalendarAPI
import HTTPTransport
import TestSupport
import Testing

/// The response to a batch is read strictly, and no fault in it is more than an error.
struct BatchResponseTests {
  /// The response to a batch of two; "ID0" and "ID1" stand for the identifiers of its requests.
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let body: String
    let type: String

    init(_ reason: String, _ body: String, type: String = "multipart/mixed; boundary=b") {
      testDescription = reason
      self.body = body
      self.type = type
    }
  }

  private static func results(_ row: Row) async throws -> [Result<Event, CalendarError>] {
    try await results(Array(row.body.utf8), type: row.type)
  }

  /// A part that responds to one of the requests.
  private static func part(
    _ number: Int, _ message: String? = nil, head: String = "Content-Type: application/http\r\n"
  ) -> String {
    let message = message ?? "HTTP/1.1 200 OK\r\n\r\n{\"id\":\"\(number)\"}"
    return "--b\r\n\(head)Content-ID: <response-ID\(number)>\r\n\r\n\(message)\r\n"
  }

  private static func part(_ number: Int, saying text: String) -> String { part(number, "HTTP/1.1 \(text)") }

  private static let type = "Content-Type: application/http\r\n"

  static let valid = [
    Row("62 fields", part(0) + part(1, head: type + String(repeating: "X: y\r\n", count: 62)) + "--b--"),
    Row(
      "a header of 16 KiB", part(0) + part(1, head: type + "X: \(String(repeating: "x", count: 16_250))\r\n") + "--b--"),
    Row("as it should be", part(0) + part(1) + "--b--"),
    Row("in another order", part(1) + part(0) + "--b--"),
    Row("text before and after", "preamble\r\n--bc\r\n\r\n" + part(0) + part(1) + "--b--\r\nepilogue\r\n--b\r\n\r\n"),
    Row("an empty line at the start", "\r\n" + part(0) + part(1) + "--b--\r\n"),
    Row("padding after delimiters", (part(0) + part(1)).replacing("--b\r\n", with: "--b \t\r\n") + "--b-- \t"),
    Row("a boundary in quotes", part(0) + part(1) + "--b--", type: "Multipart/Mixed ; Charset=x; BOUNDARY=\"\\b\""),
    Row(
      "a boundary with an equals sign", (part(0) + part(1) + "--b--").replacing("--b", with: "--==b=="),
      type: "multipart/mixed; boundary===b=="),
    Row("a semicolon at the end", part(0) + part(1) + "--b--", type: "multipart/mixed; boundary=b ; "),
    Row("space before the first parameter", part(0) + part(1) + "--b--", type: "multipart/mixed \t;\tboundary=b"),
    Row("a charset in quotes", part(0) + part(1) + "--b--", type: "multipart/mixed; charset=\"a;b\"; boundary=b"),
    Row(
      "a boundary of every character that is allowed",
      (part(0) + part(1) + "--b--").replacing("--b", with: "--azAZ09'()+_,-./:=? x"),
      type: "multipart/mixed; boundary=\"azAZ09'()+_,-./:=? x\""),
    Row(
      "a boundary of 70 characters",
      (part(0) + part(1) + "--b--").replacing("--b", with: "--" + String(repeating: "b", count: 70)),
      type: "multipart/mixed; boundary=" + String(repeating: "b", count: 70)),
    Row("lines that end with LF alone", (part(0) + part(1) + "--b--").replacing("\r\n", with: "\n")),
    Row(
      "lines that end with LF alone, with lengths, text around and padding",
      ("before\r\n--bc\r\n" + part(0, saying: "200 OK\r\nContent-Length: 10\r\n\r\n{\"id\":\"0\"}\r\n") + part(1)
        + "--b-- \r\nafter")
        .replacing("--b\r\n", with: "--b \t\r\n").replacing("\r\n", with: "\n")),
    Row(
      "parts that end with LF alone around messages with CRLF",
      ["0", "1"].map {
        "--b\nContent-Type: application/http\nContent-ID: <response-ID\($0)>\n\nHTTP/1.1 200 OK\r\nX: y\r\n\r\n{\"id\":\"\($0)\"}\r\n"
      }.joined() + "--b--\r\n"),
    Row(
      "a bare LF in content with CRLF",
      part(0, saying: "200 OK\r\n\r\n{\"id\":\n\"0\"\n}") + part(1) + "--b--"),
    Row("another case of names", part(0) + part(1, head: "CONTENT-TYPE: Application/HTTP; x=y\r\n") + "--b--"),
    Row("no angle brackets", (part(0) + part(1) + "--b--").replacing("<", with: "").replacing(">", with: "")),
    Row("no reason phrase", part(0, saying: "200\r\n\r\n{\"id\":\"0\"}") + part(1) + "--b--"),
    Row(
      "an empty line after the content",
      part(0, saying: "200 OK\r\nContent-Length: 10\r\n\r\n{\"id\":\"0\"}\r\n\r\n") + part(1) + "--b--"),
    Row(
      "what is like a delimiter in the content",
      part(0, saying: "200 OK\r\n\r\n{\"id\":\"0\",\"x\":\"--b--\"}") + part(1) + "--b--"),
  ]

  @Test(arguments: valid) func aValidResponseIsRead(_ row: Row) async throws {
    #expect(try await Self.results(row).map { try $0.get().id } == ["0", "1"])
  }

  static let malformed = [
    Row("empty", ""),
    Row("no delimiter", "{\"id\":\"0\"}"),
    Row("no type", part(0) + part(1) + "--b--", type: ""),
    Row("another type", part(0) + part(1) + "--b--", type: "multipart/form-data; boundary=b"),
    Row("no boundary", part(0) + part(1) + "--b--", type: "multipart/mixed"),
    Row("an empty boundary", part(0) + part(1) + "--b--", type: "multipart/mixed; boundary=\"\""),
    Row("two boundaries", part(0) + part(1) + "--b--", type: "multipart/mixed; boundary=c; boundary=b"),
    Row("an open quote", part(0) + part(1) + "--b--", type: "multipart/mixed; boundary=\"b"),
    Row("a quote that ends in a backslash", part(0) + part(1) + "--b--", type: "multipart/mixed; boundary=\"b\\"),
    Row("a parameter without a semicolon", part(0) + part(1) + "--b--", type: "multipart/mixed x; boundary=b"),
    Row("a boundary that ends in a space", part(0) + part(1) + "--b--", type: "multipart/mixed; boundary=\"b \""),
    Row("text after a quote", part(0) + part(1) + "--b--", type: "multipart/mixed; boundary=\"b\"c"),
    Row("a parameter without a value", part(0) + part(1) + "--b--", type: "multipart/mixed; x=; boundary=b"),
    Row("a parameter without an equals sign", part(0) + part(1) + "--b--", type: "multipart/mixed; x; boundary=b"),
    Row("a parameter without a name", part(0) + part(1) + "--b--", type: "multipart/mixed; =b"),
    Row(
      "a boundary of 71 characters",
      (part(0) + part(1) + "--b--").replacing("--b", with: "--" + String(repeating: "b", count: 71)),
      type: "multipart/mixed; boundary=" + String(repeating: "b", count: 71)),
    Row(
      "a boundary with a character that is not allowed", (part(0) + part(1) + "--b--").replacing("--b", with: "--b#"),
      type: "multipart/mixed; boundary=b#"),
    Row("another boundary", part(0) + part(1) + "--b--", type: "multipart/mixed; boundary=c"),
    Row("only the end", "--b--"),
    Row("no end", part(0) + part(1)),
    Row("cut in the delimiter", part(0) + part(1) + "--b-"),
    Row("cut in a part", part(0) + "--b\r\nContent-Type: applic"),
    Row("one response for two requests", part(0) + part(0) + "--b--"),
    Row("a response to none of them", part(0) + part(1) + part(2).replacing("ID2", with: "2@x") + "--b--"),
    Row("an index that is too large", part(0) + part(1).replacing("ID1", with: "9ID1") + "--b--"),
    Row("the identifier of the request", part(0) + part(1).replacing("response-", with: "") + "--b--"),
    Row("a sign before the index", part(0) + part(1).replacing("response-", with: "response-+") + "--b--"),
    Row("one angle bracket", part(0) + part(1).replacing("ID1>", with: "ID1x") + "--b--"),
    Row("no identifier", part(0) + part(1).replacing("Content-ID", with: "X-ID") + "--b--"),
    Row(
      "two identifiers",
      part(0) + part(1, head: type + "Content-ID: <response-ID1>\r\n")
        + "--b--"),
    Row(
      "nested multipart", part(0) + part(1, head: "Content-Type: multipart/mixed; boundary=c\r\n") + "--b--"),
    Row("a part without a type", part(0) + part(1, head: "") + "--b--"),
    Row("a part without anything", part(0) + "--b\r\n" + part(1) + "--b--"),
    Row("a part without a header", part(0) + "--b\r\n\r\n" + part(1) + "--b--"),
    Row("a header that does not end", part(0) + "--b\r\nContent-Type: application/http\r\n" + part(1) + "--b--"),
    Row("a field without a colon", part(0) + part(1, head: type + "X\r\n") + "--b--"),
    Row("a folded field", part(0) + part(1, head: type + " x: y\r\n") + "--b--"),
    Row("a field without a name", part(0) + part(1, head: type + ": y\r\n") + "--b--"),
    Row("a delimiter with LF alone among others", part(0) + part(1).replacing("--b\r\n", with: "--b\n") + "--b--"),
    Row("cut in a part, with LF alone", (part(0) + "--b\r\nContent-Type: applic").replacing("\r\n", with: "\n")),
    Row(
      "a part without anything, with LF alone", (part(0) + "--b\r\n" + part(1) + "--b--").replacing("\r\n", with: "\n")),
    Row("lines that end with CR alone", (part(0) + part(1) + "--b--").replacing("\r\n", with: "\r")),
    Row("LF in a field", part(0) + part(1, head: type + "X: y\nZ: z\r\n") + "--b--"),
    Row(
      "a header beyond 16 KiB",
      part(0) + part(1, head: type + "X: \(String(repeating: "x", count: 16_384))\r\n") + "--b--"),
    Row("65 fields", part(0) + part(1, head: type + String(repeating: "X: y\r\n", count: 63)) + "--b--"),
  ]

  @Test(arguments: malformed) func aMalformedResponseIsThatToEveryRequest(_ row: Row) async throws {
    let results = try await Self.results(row)
    #expect(results.map(\.code) == [.malformedResponse, .malformedResponse])
  }

  @Test(arguments: [
    "1.1 200 OK\r\n\r\n{}", "2 200\r\n\r\n{}", "1.0 299 x y z\r\n\r\n{}", "1.1 200 OK\r\nX:y \t\r\n\r\n{}",
    "1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n{}",
    "1.1 200 OK\r\nContent-Length: 002\r\n\r\n{}\r\n\r\n\n", "1.1 200 \(String(repeating: "x", count: 1000))\r\n\r\n{}",
  ])
  func messageIsRead(_ message: String) async throws {
    let results = try await Self.results(Row("", Self.part(0, "HTTP/\(message)") + Self.part(1) + "--b--"))
    #expect(try results[0].get() == Event())
  }

  static let malformedMessages: [String] =
    [
      "", "{}", "HTTP/1.1", "HTTP/1.1 200 OK", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\n\r\n<html>",
      "HTTP/1.1 200 OK\r\nX\r\n\r\n{}", "HTTP/1.1 200 OK\r\nX y\r\n\r\n{}", "HTTP/1.1 200 OK\r\nX\u{1}: y\r\n\r\n{}",
    ]
    + [
      "ICY 200 OK", "HTTP 200 OK", "HTTPS/1.1 200 OK", "http/1.1 200 OK", "HTTP/1.10 200 OK", "HTTP/ 200 OK",
      "HTTP/1.1  200 OK", "HTTP/1.1 \r\n", "HTTP/1.1 20 OK", "HTTP/1.1 2000 OK", "HTTP/1.1 2xx OK", "HTTP/1.1 20/ OK",
      "HTTP/1.1 20: OK", "HTTP/1.1 100 Continue", "HTTP/1.1 199 OK", "HTTP/1.1 600 OK",
      "HTTP/1.1 200 \(String(repeating: "x", count: 1024))",
    ].map { $0 + "\r\n\r\n{}" }
    + ["99", "1", "99999999999999999999", "-1", "+2", "", "2:", "2/", "2\r\nContent-Length: 3"]
    .map { "HTTP/1.1 200 OK\r\nContent-Length: \($0)\r\n\r\n{}" }

  @Test(arguments: malformedMessages.map { part(0, $0) } + [""])
  func aMalformedMessageConcernsItsRequestAlone(_ part: String) async throws {
    let results = try await Self.results(Row("", part + Self.part(1) + "--b--"))
    #expect(results[0].code == .malformedResponse)
    #expect(try results[1].get().id == "1")
  }

  @Test func aMalformedResponseIsNotShown() async throws {
    let results = try await Self.results(Row("", Self.part(0, head: "Secret\r\n") + "--b--"))
    guard case .failure(let error) = results[0] else { return }
    #expect(!"\(error)".contains("Secret"))
  }

  @Test func noMutationOfAResponseIsMoreThanAnError() async throws {
    var numbers = SeededNumbers(seed: 11)
    let valid = Array(
      (Self.part(0) + Self.part(1, saying: "200 OK\r\nContent-Length: 10\r\n\r\n{\"id\":\"1\"}") + "--b--").utf8)
    let pieces = ["--b", "--b--", "\r\n", "\r", "\n", ":", "Content-Length: ", "\0", "\u{FF}", "--", "<", "HTTP/1.1 "]
    var failures = 0
    for _ in 0..<2000 {
      var bytes = valid
      for _ in 0..<Int.random(in: 1...3, using: &numbers) {
        let position = Int.random(in: 0...bytes.count, using: &numbers)
        let end = min(bytes.count, position + Int.random(in: 0...12, using: &numbers))
        switch Int.random(in: 0..<5, using: &numbers) {
        case 0: bytes.removeSubrange(position..<end)
        case 1: bytes.insert(contentsOf: bytes[position..<end], at: Int.random(in: 0...bytes.count, using: &numbers))
        case 2: bytes.insert(contentsOf: pieces.randomElement(using: &numbers)?.utf8 ?? "".utf8, at: position)
        case 3 where position < bytes.count: bytes[position] = UInt8.random(in: 0...255, using: &numbers)
        default: bytes.removeSubrange(position...)
        }
      }
      let results = try await Self.results(bytes)
      // A batch of two has two results, and a success is one of the right request.
      try #require(results.count == 2)
      failures += results.filter { $0.code != nil }.count
    }
    #expect(failures > 1000)
  }

  private static func results(
    _ bytes: [UInt8], type: String = "multipart/mixed; boundary=b"
  ) async throws -> [Result<Event, CalendarError>] {
    let transport = StubTransport { request in
      guard let ids = BatchParts(request)?.parts.map(\.id) else { return .json("{}") }
      var body = ArraySlice(bytes)
      body.replace("ID0".utf8, with: ids[0].utf8)
      body.replace("ID1".utf8, with: ids[1].utf8)
      return HTTPResponse(
        status: 200, fields: ["Content-Type": type], body: Array(body))
    }
    return try await CalendarClient(transport: transport, clock: ManualClock(skipsWaits: true)).batch(
      ["a", "b"].map { EventsResource.get($0, in: "c") })
  }
}
