// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import HTTPTransportCurl
import Testing

extension ServerTests {
  /// HTTP/2 as nginx and hyper-h2 speak it.
  @Suite struct HTTP2Tests {
    private let servers: Servers
    private let http: CurlTransport

    init() throws {
      servers = try Servers()
      http = CurlTransport(tls: servers.trust, proxy: .none, accepting: ContentCoding.supported)
    }

    private func get(_ path: String, server: String = "https") async throws -> HTTPResponse {
      try await http.send(HTTPRequest(.get, servers.url(server, path), timeout: .seconds(20)))
    }

    @Test func requestsGoOverHTTP2OnOneConnection() async throws {
      var connections: Set<String?> = []
      for number in 1...10 {
        let response = try await get(number == 5 ? "/redirect" : "/short")
        #expect(response.text == "short")
        #expect(response.fields["X-Protocol"] == "HTTP/2.0")
        connections.insert(response.fields["X-Connection"])
      }
      #expect(connections.count == 1)
    }

    @Test func requestsThatComeTogetherShareTheirFirstConnection() async throws {
      let connections = try await withThrowingTaskGroup { group in
        for number in 0..<80 {
          group.addTask {
            let response = try await get("/many?n=\(number)")
            #expect(response.text == "\(number)")
            return response.fields["X-Connection"]
          }
        }
        return try await group.reduce(into: Set()) { $0.insert($1) }
      }
      #expect(connections.count == 1)
    }

    @Test func largeBodiesTravelBothWays() async throws {
      let large = try await get("/large")
      #expect(large.body.count == 1 << 20)
      #expect(large.fields["Content-Encoding"] == "gzip")
      let body = large.body
      try await withThrowingTaskGroup { group in
        for method in [HTTPMethod.post, .put, .patch, .post, .post, .post, .post, .post] {
          group.addTask {
            let request = HTTPRequest(method, try servers.url("https", "/echo"), body: body, timeout: .seconds(20))
            let response = try await http.send(request)
            #expect(response.fields["X-Method"] == method.rawValue)
            #expect(response.body == body)
          }
        }
        try await group.waitForAll()
      }
      for body in [nil, [], [0x61], body] {
        let request = HTTPRequest(.post, try servers.url("http2", "/echo"), body: body, timeout: .seconds(20))
        #expect(try await http.send(request).body == body ?? [])
      }
    }

    @Test func fieldsThatComeTwiceStayApart() async throws {
      let fields = try await get("/short").fields
      #expect(fields.values(for: "Set-Cookie") == ["a=1; Path=/", "b=2; Expires=Wed, 21 Oct 2026 07:28:00 GMT"])
    }

    @Test func headBringsFieldsAlone() async throws {
      let response = try await http.send(
        HTTPRequest(.head, servers.url("https", "/large"), fields: ["Accept-Encoding": "identity"]))
      #expect(response.status == 200)
      #expect(response.fields["Content-Length"] == "1048576")
      #expect(response.body.isEmpty)
    }

    @Test(arguments: ["ok", "trailers", "informational", "unknown-frames"])
    func whatAServerMaySendIsUnderstood(path: String) async throws {
      for _ in 1...3 {
        let response = try await get("/\(path)", server: "http2")
        #expect(response.text == "ok")
        #expect(response.fields["x-early"] == nil)
        #expect(response.fields["x-trailer"] == nil)
      }
    }

    // MARK: Streaming

    @Test func streamsUseHTTP1OverTLS() async throws {
      let url = try servers.url("https", "/large")
      let response = try await http.stream(HTTPRequest(.get, url), body: nil)
      #expect(response.fields["X-Protocol"] == "HTTP/1.1")
      let large = try await response.body.bytes(upTo: 1 << 21)
      #expect(large.count == 1 << 20)
      for length in [large.count, nil] {
        let pieces = stride(from: 0, to: large.count, by: 10_000).map { Array(large[$0...].prefix(10_000)) }
        let (chunks, chunk) = AsyncStream<[UInt8]>.makeStream()
        for piece in pieces { chunk.yield(piece) }
        chunk.finish()
        let echo = try await http.stream(
          HTTPRequest(.put, servers.url("https", "/echo")), body: BodyStream(chunks, length: length))
        #expect(try await echo.body.bytes(upTo: 1 << 21) == large)
      }
    }

    /// libcurl 7.88 sent the third request on the connection that the stream was using.
    @Test func aStreamKeepsItsConnectionToItself() async throws {
      let large = HTTPRequest(.get, try servers.url("https", "/large"), fields: ["Accept-Encoding": "identity"])
      let streams = [try await http.stream(large, body: nil), try await http.stream(large, body: nil)]
      for _ in 1...4 {
        let response = try await get("/short")
        #expect(response.text == "short")
        #expect(response.fields["X-Protocol"] == "HTTP/2.0")
      }
      for stream in streams { #expect(try await stream.body.bytes(upTo: 1 << 21).count == 1 << 20) }
    }

    // MARK: IPv6

    @Test(arguments: [("https", "https"), ("http", "http")])
    func ipv6LiteralsWork(server: String, scheme: String) async throws {
      let url = try servers.url(server + "6", "/short", scheme: scheme, host: "[::1]")
      let response = try await http.send(HTTPRequest(.get, url, timeout: .seconds(5)))
      #expect(response.text == "short")
      #expect(response.fields["X-Client-Address"] == "::1")
    }

    /// `localhost` has a URL of each family, and the server only one.
    @Test(arguments: [("https", "https"), ("http", "http"), ("https6", "https"), ("http6", "http")])
    func aServerOnOneFamilyIsFound(server: String, scheme: String) async throws {
      let url = try servers.url(server, "/short", scheme: scheme, host: "localhost")
      for _ in 1...3 {
        let response = try await http.send(HTTPRequest(.get, url, timeout: .seconds(5)))
        #expect(response.text == "short")
        let echo = try servers.url(server, "/echo", scheme: scheme, host: "localhost")
        let posted = try await http.send(HTTPRequest(.post, echo, body: [0x61], timeout: .seconds(5)))
        #expect(posted.text == "a")
      }
    }
  }
}
