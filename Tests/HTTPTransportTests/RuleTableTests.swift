// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import Synchronization
import Testing
import Timekeeping

/// Each rule and its reverse, as tables, and the texts of errors as they are.
@Suite struct RuleTableTests {
  // MARK: Calls

  private struct Item: Codable { let name: String }

  @Test(arguments: [
    (#"{"name":7}"#, ": a value has another type"), ("{}", ": a member is missing"),
    (#"{"name":null}"#, ": a value is null"),
    ("<html>", ""), ("", ": a value is null"), ("[]", ": a value has another type"),
  ])
  func undecodableResponseIsNamed(_ body: String, _ fault: String) async throws {
    let http = StubTransport(HTTPResponse(status: 200, body: Array(body.utf8)))
    let error = try await #require(throws: CallError.self) {
      try await http.call(.get, URL(literal: "https://api.example/items?a"), as: Item.self)
    }
    #expect(error.message == "The response from https://api.example/items?… is not JSON of the requested type\(fault).")
    #expect(error.description == error.message && error.localizedDescription == error.message)
    #expect(error.response?.body == Array(body.utf8))
  }

  @Test func callsThatCannotBeMadeSayWhy() async throws {
    let http = StubTransport(HTTPResponse(status: 200))
    let text = try await #require(throws: CallError.self) { try await http.call(.get, "api.example") }
    #expect(text.message == "The string is not an absolute http or https URL.")
    let body = try await #require(throws: CallError.self) {
      try await http.call(.post, "https://api.example/", body: .json(["x": Double.nan]))
    }
    #expect(body.message == "The value to send cannot be written as JSON.")
    #expect([text, body].allSatisfy { $0.response == nil && $0.code == .invalidCall })
    #expect(http.requests.isEmpty)
    #expect("\(RequestBody.bytes([1], mediaType: "image/png"))" == "image/png")
  }

  // MARK: Retries

  @Test(arguments: [(-1, 1), (0, 1), (1, 1), (2, 2), (40, 40)]) func policyHasOneAttemptAtLeast(
    _ given: Int, _ attempts: Int
  ) {
    let policy = RetryPolicy(
      maximumAttempts: given, baseDelay: .seconds(-1), maximumDelay: .seconds(-2), maximumRetryAfter: .seconds(-3))
    #expect(policy.maximumAttempts == attempts)
    #expect([policy.baseDelay, policy.maximumDelay, policy.maximumRetryAfter] == [.zero, .zero, .zero])
    #expect(policy.decides(about: HTTPRequest(.get, URL(literal: "https://a.example/"))) == (attempts > 1))
  }

  @Test func policyHasDefaults() {
    let policy = RetryPolicy.default
    #expect(policy.maximumAttempts == 4 && policy.unprocessedStatuses == [429])
    #expect(
      [policy.baseDelay, policy.maximumDelay, policy.maximumRetryAfter] == [
        .milliseconds(500), .seconds(16), .seconds(60),
      ])
    #expect(RetryPolicy.none.maximumAttempts == 1)
  }

  private static let now = Timestamp(secondsSince1970: 1_767_225_600)

  @Test(
    arguments: [
      (nil, nil, nil), ("", nil, nil), ("0", nil, 0), ("9", nil, 9), ("120", nil, 120), ("-1", nil, nil),
      ("1.5", nil, nil),
      ("1/", nil, nil), (":1", nil, nil), (" 1", nil, nil), ("\u{661}", nil, nil),
      ("9223372036854775808", nil, Int64(Int32.max)),
      (HTTPDate.format(now + .seconds(7)), nil, 7), (HTTPDate.format(now - .seconds(7)), nil, -7),
      (HTTPDate.format(now + .seconds(7)), HTTPDate.format(now + .seconds(4)), 3),
      (HTTPDate.format(now + .seconds(7)), "yesterday", 7), ("tomorrow", nil, nil),
    ] as [(String?, String?, Int64?)])
  func retryAfter(_ value: String?, _ date: String?, _ seconds: Int64?) {
    var response = HTTPResponse(status: 503)
    response.fields["Retry-After"] = value
    response.fields["Date"] = date
    #expect(response.retryAfter(Self.now) == seconds.map { .seconds($0) })
  }

  @Test func waitMayBeAsLongAsThePolicyAllows() async throws {
    for (seconds, count) in [(59, 2), (60, 2), (61, 1)] {
      let clock = ManualClock(skipsWaits: true)
      let base = StubTransport(
        HTTPResponse(status: 503, fields: ["Retry-After": "\(seconds)"]), HTTPResponse(status: 200))
      _ = try await base.retrying(clock: clock).send(HTTPRequest(.get, URL(literal: "https://a.example/")))
      #expect(base.requests.count == count)
      #expect(clock.now - Self.now == .seconds(count == 2 ? seconds : 0))
    }
  }

  @Test(arguments: [(9, 2), (10, 1), (11, 1)]) func waitEndsBeforeTheTimeIsUp(_ wait: Int, _ count: Int) async throws {
    let base = StubTransport { _ in HTTPResponse(status: 503, fields: ["Retry-After": "\(wait)"]) }
    let request = HTTPRequest(.get, URL(literal: "https://a.example/"), timeout: .seconds(10))
    _ = try await base.retrying(clock: ManualClock(skipsWaits: true)).send(request)
    #expect(base.requests.count == count)
    #expect(base.requests.map(\.timeout) == [.seconds(10), .seconds(1)].prefix(count).map { $0 })
  }

  @Test func attemptThatDidNotArriveAfterOneThatMayHaveSaysSo() async throws {
    let faults = [
      TransportError(.connectionLost, "Lost."), TransportError(.unreachable, reason: .noRoute, "No network."),
    ]
    let count = Counter()
    let base = StubTransport { _ in throw faults[min(count.next(), 1)] }
    let error = try await #require(throws: TransportError.self) {
      try await base.retrying(RetryPolicy(maximumAttempts: 2), clock: ManualClock(skipsWaits: true))
        .send(HTTPRequest(.get, URL(literal: "https://a.example/")))
    }
    #expect(
      error.message == "The last attempt did not reach the server. The request may have been carried out: "
        + "an earlier attempt failed without a clear response.")
    #expect(error.reason == .noRoute && error.attemptsAreSpent)
  }

  private final class Counter: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
      count.withLock { count in
        defer { count += 1 }
        return count
      }
    }
  }

  @Test func recordHasTheSizesAndTheTime() async throws {
    let clock = ManualClock()
    let transport = StubTransport { request in
      clock.advance(by: .milliseconds(1999))
      if request.body == nil { throw TransportError(.tls, "No.") }
      return HTTPResponse(status: 201, body: [1, 2, 3])
    }
    let url = URL(literal: "https://a.example/p?q")
    for body in [[1, 2], nil] as [[UInt8]?] {
      await confirmation { isReported in
        let logging = transport.logging(clock: clock) { record in
          #expect(
            record.method == .put && record.url == "https://a.example/p?…" && record.duration == .milliseconds(1999))
          #expect(record.status == (body == nil ? nil : 201) && record.fault == (body == nil ? "tls" : nil))
          #expect(record.requestSize == (body?.count ?? 0) && record.responseSize == (body == nil ? 0 : 3))
          isReported()
        }
        _ = try? await logging.send(HTTPRequest(.put, url, body: body))
      }
    }
  }

  // MARK: Dates

  @Test func everyDayIsWrittenAndReadInAllForms() {
    for day in 0..<800 {
      let instant = Timestamp(secondsSince1970: 1_672_531_200 + Int64(day) * 86_400 + Int64(day * 7919 % 86_400))
      let text = HTTPDate.format(instant)
      #expect(HTTPDate.parse(text) == instant)
      let parts = text.split(separator: " ")
      let weekday = OffsetDateTime(instant).date.weekday.englishName
      #expect(parts[0].dropLast() == weekday.prefix(3))
      #expect(HTTPDate.parse("\(weekday), \(parts[1])-\(parts[2])-\(parts[3].suffix(2)) \(parts[4]) GMT") == instant)
      let padded = parts[1].hasPrefix("0") ? " \(parts[1].suffix(1))" : "\(parts[1])"
      #expect(HTTPDate.parse("\(parts[0].dropLast()) \(parts[2]) \(padded) \(parts[4]) \(parts[3])") == instant)
    }
  }

  @Test(
    arguments: [
      ("23:59:59", 86_399), ("00:00:00", 0), ("23:59:60", 86_400), ("23:59:61", nil), ("24:00:00", nil),
      ("23:60:00", nil),
      ("1:00:00", nil), ("00:00", nil), ("00:00:00:00", nil), ("-1:00:00", nil), ("0a:00:00", nil), ("00:00:/0", nil),
    ] as [(String, Int?)])
  func timeOfDay(_ time: String, _ seconds: Int?) {
    let start = Timestamp(secondsSince1970: 784_080_000)
    let instant = seconds.map { start + .seconds($0) }
    #expect(HTTPDate.parse("Sun, 06 Nov 1994 \(time) GMT") == instant)
    #expect(HTTPDate.parse("Sunday, 06-Nov-94 \(time) GMT") == instant)
    #expect(HTTPDate.parse("Sun Nov  6 \(time) 1994") == instant)
    for malformed in ["Xun, 06 Nov 1994 \(time) GMT", "Xunday, 06-Nov-94 \(time) GMT", "Xun Nov  6 \(time) 1994"] {
      #expect(HTTPDate.parse(malformed) == nil)
    }
  }

  // MARK: Bodies

  @Test(arguments: [(0, false), (4, false), (5, true), (6, true), (.max, true)]) func bodyIsTakenUpToALimit(
    _ limit: Int, _ fits: Bool
  ) async throws {
    for body in [BodyStream(Array("abcde".utf8)), Self.chunks(["ab", "", "cde"])] {
      if fits {
        #expect(try await body.bytes(upTo: limit) == Array("abcde".utf8))
      } else {
        let error = try await #require(throws: TransportError.self) { try await body.bytes(upTo: limit) }
        #expect(error.code == .tooLarge && error.reason == .body)
        #expect(error.message == "The body is larger than the caller's limit of \(limit) bytes.")
      }
    }
  }

  private static func chunks(_ texts: [String], length: Int? = nil) -> BodyStream {
    BodyStream(
      AsyncStream { continuation in
        for text in texts { continuation.yield(Array(text.utf8)) }
        continuation.finish()
      }, length: length)
  }

  @Test func bodyOfBytesIsOneChunkOrNone() async throws {
    var (count, again) = (0, BodyStream([1, 2]).makeAsyncIterator())
    for try await chunk in BodyStream([1, 2]) { count += chunk.count }
    #expect(count == 2)
    #expect(try await again.next() == [1, 2])
    #expect(try await again.next() == nil)
    for try await _ in BodyStream([]) { Issue.record("There is a chunk.") }
    #expect("\(BodyStream([1, 2]))" == "2 bytes" && "\(Self.chunks([]))" == "bytes of unknown length")
    #expect("\(Self.chunks([], length: 7))" == "7 bytes")
    #expect(Mirror(reflecting: BodyStream([1])).children.isEmpty)
  }

  private struct Streaming: StreamingTransport {
    let response: StreamedResponse

    func stream(_ request: HTTPRequest, body: BodyStream?) async throws -> StreamedResponse {
      #expect(body == nil)
      return response
    }
  }

  @Test func streamedResponseIsCollectedWhole() async throws {
    let origin = try #require(Origin("https://b.example"))
    let streamed = StreamedResponse(
      status: 203, fields: ["A": "b"], body: Self.chunks(["ab", "c"]), redirectedOrigin: origin)
    let response = try await Streaming(response: streamed).send(HTTPRequest(.get, URL(literal: "https://a.example/")))
    #expect(
      response == HTTPResponse(status: 203, fields: ["A": "b"], body: Array("abc".utf8), redirectedOrigin: origin))
    #expect(response.redirectedOrigin == origin && "\(streamed)" == "203, streamed")
    #expect(
      Mirror(reflecting: streamed).children.map { "\($0.label ?? ""): \($0.value)" } == [
        "status: 203", #"fields: ["A"]"#,
      ])
    #expect(StreamedResponse(status: 204).body.length == 0)
  }

  // MARK: Challenges

  @Test func everyByteOfDataIsReadWhereItMayStand() {
    let allowed = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~+/".unicodeScalars)
    // A comma ends the challenge.
    for number in UInt8(0x20)..<0x7F where number != UInt8(ascii: ",") {
      let scalar = Unicode.Scalar(number)
      let challenges = HTTPFields([("WWW-Authenticate", "Negotiate a\(scalar)b==")]).authenticationChallenges
      #expect(challenges.first?.token68 == (allowed.contains(scalar) ? "a\(scalar)b==" : nil), "\(scalar)")
    }
  }

  @Test func challengesThatDifferInAnyPartDiffer() {
    let parameters = [(name: "a", value: "b"), (name: "c", value: "d")]
    let all = [
      AuthenticationChallenge(scheme: "Bearer", parameters: parameters),
      AuthenticationChallenge(scheme: "Basic", parameters: parameters),
      AuthenticationChallenge(scheme: "Bearer", token68: "x", parameters: parameters),
      AuthenticationChallenge(scheme: "Bearer", parameters: parameters.reversed()),
      AuthenticationChallenge(scheme: "Bearer", parameters: [parameters[0]]),
      AuthenticationChallenge(scheme: "Bearer", parameters: [(name: "a", value: "x"), parameters[1]]),
      AuthenticationChallenge(scheme: "Bearer", parameters: [(name: "x", value: "b"), parameters[1]]),
      AuthenticationChallenge(scheme: "Bearer"),
    ]
    #expect(Set(all).count == all.count && Set(all.map(\.hashValue)).count == all.count)
    #expect(all[0] == AuthenticationChallenge(scheme: "Bearer", parameters: parameters))
  }

  // MARK: Redirects

  @Test func statusesThatAreRedirects() throws {
    let request = HTTPRequest(.get, URL(literal: "https://a.example/b"))
    let followed = try (100...599).filter {
      try RedirectPolicy(maximum: 1).next(after: $0, ["Location": "/c"], to: request, redirects: 0) != nil
    }
    #expect(followed == [301, 302, 303, 307, 308])
    #expect(try RedirectPolicy(maximum: 0).next(after: 302, ["Location": "/c"], to: request, redirects: 0) == nil)
  }

  @Test(
    arguments: [
      ("/c", 3, "the limit of 3 redirects is reached"), ("/c", 4, "the limit of 3 redirects is reached"),
      ("ftp://a.example/", 0, "its location is not an http or https URL"),
      ("https://u@a.example/", 0, "its location is not an http or https URL"),
      ("https://:p@a.example/", 0, "its location is not an http or https URL"),
      ("http://a.example/", 0, "it leads from https to http"),
      ("https://b.example/", 0, "it would send the body to another origin, https://b.example"), ("/c", 2, nil),
    ] as [(String, Int, String?)])
  func redirectsThatAreRefusedSayWhy(_ location: String, _ redirects: Int, _ reason: String?) throws {
    let request = HTTPRequest(.put, URL(literal: "https://a.example/b"), body: [1])
    let policy = RedirectPolicy(maximum: 3)
    guard let reason else {
      #expect(try policy.next(after: 307, ["Location": location], to: request, redirects: redirects) != nil)
      return
    }
    let error = try #require(throws: TransportError.self) {
      try policy.next(after: 307, ["Location": location], to: request, redirects: redirects)
    }
    #expect(error.code == .redirectRefused)
    #expect(error.message == "The server's redirect was not followed: \(reason).")
  }

  @Test func fieldsOfTheBodyAndOfTheOriginStayBehind() throws {
    let content = [
      "Content-Type", "Content-Length", "Content-Encoding", "Content-Language", "Content-Location", "Digest",
      "Content-Digest", "Repr-Digest",
    ]
    let bound = ["Authorization", "Proxy-Authorization", "Cookie", "DPoP", "Host"]
    let kept = ["Accept", "X-Content-Type"]
    let fields = HTTPFields((content + bound + kept).map { ($0, "a") })
    let policy = RedirectPolicy(maximum: 1)
    for (method, location, names) in [
      (HTTPMethod.get, "/c", content + bound + kept), (.post, "/c", bound + kept),
      (.get, "//b.example/", content + kept),
      (.post, "//b.example/", kept),
    ] {
      let request = HTTPRequest(method, URL(literal: "https://a.example/b"), fields: fields)
      let next = try #require(try policy.next(after: 303, ["Location": location], to: request, redirects: 0))
      #expect(next.fields.map(\.name) == names, "\(method) \(location)")
    }
  }

  @Test(arguments: [(0, TransportError.Code.unreachable), (1, .connectionLost)])
  func serverThatIsDownAfterARedirectHasBeenReached(_ redirects: Int, _ code: TransportError.Code) async throws {
    let request = HTTPRequest(.get, URL(literal: "https://a.example/b"))
    let fault = TransportError(.unreachable, reason: .noRoute, "No network.")
    let error = try await #require(throws: TransportError.self) {
      try await RedirectPolicy(maximum: 3).follow(request) { request in
        if redirects == 0 || request.url.path() == "/c" { throw fault }
        return HTTPResponse(status: 302, fields: ["Location": "https://b.example/c"])
      }
    }
    #expect(error.code == code && error.reason == .noRoute)
    if redirects == 1 {
      #expect(
        error.message
          == "A redirect led to https://b.example, which cannot be reached. The request itself was carried out.")
      #expect((error.cause as? TransportError)?.message == "No network.")
    }
  }

  // MARK: Errors

  @Test func codesAndReasonsAreNamed() {
    let codes: [TransportError.Code] = [
      .invalidRequest, .unreachable, .connectionLost, .timedOut, .tls, .truncated, .tooLarge, .redirectRefused,
      .protocolViolation,
    ]
    #expect(
      codes.map(\.description) == [
        "invalidRequest", "unreachable", "connectionLost", "timedOut", "tls", "truncated", "tooLarge",
        "redirectRefused",
        "protocolViolation",
      ])
    let error = TransportError(.tls, "No.")
    #expect(
      Mirror(reflecting: error).children.map { "\($0.label ?? ""): \($0.value)" } == [
        "code: tls", "reason: unknown", "message: No.",
      ])
    #expect(error.localizedDescription == "No." && error.description == "No.")
  }
}
