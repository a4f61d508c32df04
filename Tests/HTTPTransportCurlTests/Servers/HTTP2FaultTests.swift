// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import HTTPTransportCurl
import Testing

extension ServerTests {
  /// A path of the server in `http2_server.py`, and the possible outcomes of a request for it.
  struct HTTP2Fault: Sendable, CustomTestStringConvertible {
    let path: String
    let outcomes: [String]
    /// Whether the server goes on to misbehave on a connection whose stream alone has ended, and which is kept for that reason.
    let staysBroken: Bool

    init(_ path: String, _ outcomes: String..., staysBroken: Bool = false) {
      self.path = path
      self.outcomes = outcomes
      self.staysBroken = staysBroken
    }

    var testDescription: String { path }
  }

  @Suite struct HTTP2FaultTests {
    private let servers: Servers
    private let limits = TransportLimits(bodyBytes: 1 << 20)

    init() throws { servers = try Servers() }

    private func transport() -> CurlTransport { CurlTransport(limits: limits, tls: servers.trust, proxy: .none) }

    private func request(
      _ method: HTTPMethod, _ path: String, id: String = .unique(), server: String = "http2", body: [UInt8]? = nil,
      timeout: Duration = .seconds(1)
    ) throws -> HTTPRequest {
      HTTPRequest(method, try servers.url(server, "/\(path)?id=\(id)"), body: body, timeout: timeout)
    }

    private func count(_ id: String) async throws -> Int { try await servers.log(id).count }

    private static let single = [
      // The connection ends.
      HTTP2Fault("goaway-above/0", "200"),
      HTTP2Fault("goaway-above/11", "200"),
      HTTP2Fault("goaway-after", "200"),
      HTTP2Fault("goaway-below-always", "connectionLost"),
      HTTP2Fault("goaway-then-close", "connectionLost"),
      HTTP2Fault("goaway-in-body", "truncated"),
      HTTP2Fault("close", "connectionLost"),
      HTTP2Fault("close/head", "truncated"),
      HTTP2Fault("close/body", "truncated"),
      HTTP2Fault("close-length-unknown", "truncated"),
      HTTP2Fault("abort-before", "connectionLost"),
      HTTP2Fault("silent", "timedOut/waiting"),
      HTTP2Fault("silent-body", "timedOut/receiving"),
      HTTP2Fault("no-window", "timedOut/waiting"),
      // libcurl 7.88 may lose the body of this response, and leave its connection in a state that a time limit has to end.
      HTTP2Fault("early-response", "413", "truncated", staysBroken: true),
      // Floods and bombs.
      HTTP2Fault("continuation-flood/fields", "connectionLost", "tooLarge/head"),
      HTTP2Fault("continuation-flood/empty", "connectionLost"),
      HTTP2Fault("header-bomb", "connectionLost", "tooLarge/head"),
      HTTP2Fault("many-fields/100", "200"),
      HTTP2Fault("many-fields/1000", "tooLarge/head"),
      HTTP2Fault("many-fields/10000", "tooLarge/head"),
      HTTP2Fault("large-field/1000", "200"),
      HTTP2Fault("large-field/60000", "200"),
      // nghttp2's own limit for a field.
      HTTP2Fault("large-field/70000", "connectionLost", "200"),
      HTTP2Fault("large-field/200000", "connectionLost", "tooLarge/head"),
      HTTP2Fault("endless-informational", "tooLarge/head"),
      HTTP2Fault("endless-data", "tooLarge/body"),
      HTTP2Fault("endless-data-beyond-window", "tooLarge/body", "truncated"),
      HTTP2Fault("gzip-bomb", "tooLarge/body"),
      HTTP2Fault("endless-trailers", "truncated", staysBroken: true),
      // Malformed messages.
      HTTP2Fault("short-data", "truncated"),
      HTTP2Fault("data-beyond-length", "truncated"),
      HTTP2Fault("data-after-end", "200"),
      HTTP2Fault("no-data-beyond-head", "protocolViolation/malformedHead"),
      HTTP2Fault("two-lengths", "protocolViolation/malformedHead"),
      HTTP2Fault("malformed-length", "protocolViolation/malformedHead"),
      HTTP2Fault("no-status", "protocolViolation/malformedHead"),
      HTTP2Fault("data-before-head", "connectionLost"),
      HTTP2Fault("push", "connectionLost"),
      HTTP2Fault("field/not-utf8", "200"),
      // Frames that look malformed and are not.
      HTTP2Fault("frame/settings-streams-zero", "200", staysBroken: true),
      // A priority that makes no sense, of which newer versions of HTTP/2 know nothing (RFC 9113 § 5.3.2).
      HTTP2Fault("frame/headers-depends-on-itself", "timedOut/receiving", "protocolViolation/malformedHead"),
      // libcurl before 8.1 takes a reset without an error for the end of a body whose length is not known.
      HTTP2Fault("reset-length-unknown/0", "truncated", "200"),
    ]

    private static let faults: [HTTP2Fault] = {
      var faults = single
      faults += [2, 7, 8].map { HTTP2Fault("reset-length-unknown/\($0)", "truncated") }
      faults += ["abc", "20", "2000", "099", "600", "101", "100", "204", "200%20", "000"].map {
        HTTP2Fault("status/\($0)", "protocolViolation/malformedHead")
      }
      faults += [
        "uppercase", "connection", "transfer-encoding", "upgrade", "line-feed", "nul", "space-in-name", "empty-name",
        "pseudo", "pseudo-last",
      ].map { HTTP2Fault("field/\($0)", "protocolViolation/malformedHead") }
      faults += floods.flatMap { kind in
        ["reading", "deaf"].map { reading in
          HTTP2Fault(
            "flood/\(kind)/\(reading)", "connectionLost", "truncated", "timedOut/waiting", "timedOut/receiving",
            staysBroken: ["ping", "reset"].contains(kind))
        }
      }
      faults += frames.flatMap { kind in
        [
          HTTP2Fault("frame/\(kind)", "connectionLost", "protocolViolation/malformedHead"),
          // libcurl before 8.1 takes the error for the end of a body whose length is not known.
          HTTP2Fault("frame-in-body/\(kind)", "truncated", "200"),
        ]
      }
      return faults
    }()

    /// Sends a request that may be repeated and one that may not, each on a connection of its own.
    @Test(arguments: faults) func faultIsReported(fault: HTTP2Fault) async throws {
      for method in [HTTPMethod.get, .post] {
        let id = String.unique()
        let http = transport()
        let request = try request(method, fault.path, id: id, body: method == .post ? [1, 2, 3] : nil)
        let outcome = await timedOutcome(http, request)
        #expect(fault.outcomes.contains(outcome), "\(method): \(outcome)")
        let count = try await count(id)
        if method == .post { #expect(count == 1) }
        guard !fault.staysBroken else { continue }
        // The transport goes on to work.
        let next = await timedOutcome(http, try self.request(.get, "ok", timeout: .seconds(5)))
        #expect(next == "200", "after \(method): \(outcome)")
      }
    }

    // MARK: The connection ends

    @Test(arguments: ["goaway-below/0", "goaway-below/11"])
    func aRequestThatTheServerDidNotProcessCanBeRetried(path: String) async throws {
      let id = String.unique()
      let request = try request(.get, path, id: id)
      #expect(await outcome { try await transport().retrying().send(request) } == "200")
      #expect(try await count(id) == 2)
    }

    @Test(arguments: [HTTPMethod.get, .post]) func aConnectionThatEndsWhileIdleIsNotUsedAgain(method: HTTPMethod)
      async throws
    {
      let http = transport()
      let (first, second) = (String.unique(), String.unique())
      #expect(await timedOutcome(http, try request(method, "goaway-when-idle", id: first)) == "200")
      while try await count("goaway/\(first)") == 0 {}
      #expect(await timedOutcome(http, try request(method, "ok", id: second)) == "200")
      #expect(try await count(second) == 1)
    }

    /// A server may end a connection while the next request is on its way (RFC 9113 § 6.8).
    ///
    /// libcurl 7.88 does not send such a request again by itself, although it was not processed.
    @Test func aRequestThatMeetsTheEndOfItsConnectionCanBeRetried() async throws {
      for (method, expected) in [(HTTPMethod.get, "200"), (.post, "connectionLost")] {
        let http = transport().retrying()
        let id = String.unique()
        #expect(await timedOutcome(http, try request(.get, "goaway-under-next")) == "200")
        #expect(await timedOutcome(http, try request(method, "ok", id: id)) == expected)
        #expect(try await count(id) == (method == .get ? 2 : 1))
      }
    }

    @Test func aPostIsNotSentAgainWhenItsKeptConnectionCloses() async throws {
      let http = transport()
      for path in ["second-on-kept-closes", "frame-after-second/ping-short", "frame-after-second/settings-odd"] {
        let (first, second) = (String.unique(), String.unique())
        #expect(await timedOutcome(http, try request(.get, path, id: first)) == "200")
        #expect(await timedOutcome(http, try request(.post, path, id: second)) == "connectionLost")
        #expect(try await count(second) == 1)
      }
    }

    @Test func aGetIsSentAgainWhenItsKeptConnectionCloses() async throws {
      let http = transport().retrying()
      for _ in 1...3 { #expect(await timedOutcome(http, try request(.get, "second-on-kept-closes")) == "200") }
    }

    /// A connection that has gone silent would keep every later request waiting too.
    @Test func aConnectionIsNotUsedAgainAfterATimeOut() async throws {
      let http = transport()
      for path in ["ok", "silent", "ok", "silent-body", "ok", "no-window", "ok"] {
        let body = path == "no-window" ? [UInt8](repeating: 0, count: 1 << 20) : [1]
        let outcome = await timedOutcome(http, try request(.post, path, body: body, timeout: .milliseconds(500)))
        #expect(path == "ok" ? outcome == "200" : outcome.hasPrefix("timedOut"))
      }
    }

    @Test func requestsOfOneConnectionFailAloneOrTogether() async throws {
      let http = transport()
      #expect(await timedOutcome(http, try request(.get, "ok")) == "200")
      try await withThrowingTaskGroup { group in
        for number in 0..<40 {
          group.addTask {
            let path = number.isMultiple(of: 4) ? "reset/2/before" : "ok"
            let outcome = await outcome { try await http.send(try request(.get, path, timeout: .seconds(10))) }
            #expect(outcome == (path == "ok" ? "200" : "connectionLost"))
          }
        }
        try await group.waitForAll()
      }
    }

    // MARK: Streams are reset

    @Test(arguments: 0...14)
    func resetsAreReported(code: Int) async throws {
      // The server asks for HTTP/1.1, and does not speak it.
      let wantsHTTP1 = code == 13
      let before = ["connectionLost"] + (code == 1 || wantsHTTP1 ? ["protocolViolation/malformedHead"] : [])
      let later = ["truncated"] + (wantsHTTP1 ? ["protocolViolation/malformedHead"] : [])
      for (place, outcomes) in [("before", before), ("head", later), ("body", later)] {
        for method in [HTTPMethod.get, .post] {
          let id = String.unique()
          let request = try request(method, "reset/\(code)/\(place)", id: id)
          let outcome = await timedOutcome(transport(), request)
          #expect(outcomes.contains(outcome), "\(method) \(place): \(outcome)")
          let count = try await count(id)
          // A GET that was refused is tried again, a few times.
          #expect(count == 1 || method == .get && code == 7 && count < 10)
        }
      }
    }

    @Test func aRefusedStreamIsTriedAgainIfTheRequestMayBe() async throws {
      let (get, post) = (String.unique(), String.unique())
      #expect(await timedOutcome(transport(), try request(.get, "reset/7/once", id: get)) == "200")
      #expect(await timedOutcome(transport(), try request(.post, "reset/7/once", id: post)) == "connectionLost")
      #expect(try await count(get) == 2)
      #expect(try await count(post) == 1)
    }

    @Test(arguments: ["window-update", "priority", "empty-data"])
    func aFloodHoldsUpNoOtherConnection(kind: String) async throws {
      let http = transport()
      #expect(await timedOutcome(http, try request(.get, "ok", server: "http2")) == "200")
      let id = String.unique()
      let flood = Task {
        await outcome { try await http.send(request(.get, "flood/\(kind)/reading", id: id, timeout: .seconds(600))) }
      }
      try await servers.waitForLog(id)
      for _ in 1...20 {
        let short = HTTPRequest(.get, try servers.url("https", "/short"), timeout: .seconds(300))
        #expect(await timedOutcome(http, short) == "200")
      }
      flood.cancel()
      // The requests did not wait for the end of the flood's time limit.
      let end = await flood.value
      #expect(["connectionLost", "truncated", "CancellationError()"].contains(end), "\(end)")
    }

    // MARK: The connection does not begin

    @Test(arguments: [
      ("http2-preface-http1", "connectionLost"), ("http2-preface-garbage", "connectionLost"),
      ("http2-preface-goaway", "connectionLost"), ("http2-preface-silent", "timedOut/waiting"),
    ])
    func aPrefaceThatIsNoneIsRefused(server: String, expected: String) async throws {
      for method in [HTTPMethod.get, .post] {
        let outcome = await timedOutcome(transport(), try request(method, "ok", server: server))
        #expect(outcome == expected)
      }
    }

    @Test func aStreamNeedsHTTP1() async throws {
      let error = await #expect(throws: TransportError.self) {
        try await transport().stream(request(.get, "ok"), body: nil)
      }
      #expect(error?.code == .protocolViolation)
    }
  }
}

private let floods = [
  "settings", "settings-ack", "ping", "ping-ack", "window-update", "empty-data", "padding", "priority", "unknown",
  "reset", "altsvc",
]

private let frames = [
  "too-large", "length-only", "goaway-too-large", "headers-on-zero", "headers-on-idle", "headers-on-even",
  "data-on-zero", "data-on-idle", "continuation-alone", "headers-interrupted", "settings-odd", "settings-on-stream",
  "settings-ack-payload", "settings-push", "settings-window", "settings-frame-size", "ping-short", "reset-short",
  "reset-idle", "goaway-short", "window-zero", "window-overflow", "window-overflow-stream", "padding-too-long",
  "headers-padding-too-long", "hpack-index", "hpack-index-zero", "hpack-integer", "hpack-huffman", "hpack-string",
  "hpack-table-size", "hpack-empty", "push-on-zero", "random", "http-1", "cut",
]
