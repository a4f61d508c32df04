// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import HTTPTransportCurl
import Testing

extension ServerTests {
  /// Bytes after the end of a response over TLS, which wait inside the TLS library where the kept socket does not show them.
  @Suite struct SurplusTests {
    private let servers: Servers
    private let rounds = 60

    init() throws { servers = try Servers() }

    @Test(arguments: [
      "one-record", "several-records", "largest-record", "surplus-in-a-record-of-its-own",
      "surplus-in-two-records", "compressed", "compressed-in-several-records", "head-and-body", "chunks", "no-content",
      "no-content-one-record", "empty",
      "not-modified",
    ])
    func bytesAfterAResponseAreNoResponse(arrangement: String) async throws {
      let http = CurlTransport(tls: servers.trust, proxy: .none)
      var forged = 0
      for round in 0..<rounds {
        let first = try await http.send(HTTPRequest(.get, servers.url("surplus", "/\(arrangement)")))
        #expect(first.body.isEmpty || first.text.hasPrefix("first") || first.text.hasPrefix("bbb"))
        #expect(!first.text.contains("forged"))
        let method: HTTPMethod = round % 2 == 0 ? .get : .post
        let second = try await http.send(HTTPRequest(method, servers.url("surplus", "/ordinary")))
        if second.text != "second" { forged += 1 }
      }
      #expect(forged == 0, "of \(rounds)")
    }

    @Test func bytesAfterAResponseToHEADAreNoResponse() async throws {
      let http = CurlTransport(tls: servers.trust, proxy: .none)
      for _ in 0..<rounds {
        _ = try await http.send(HTTPRequest(.head, servers.url("surplus", "/one-record")))
        let second = try await http.send(HTTPRequest(.get, servers.url("surplus", "/ordinary")))
        #expect(second.text == "second")
      }
    }

    @Test func bytesOnAnIdleConnectionAreNoResponse() async throws {
      let http = CurlTransport(tls: servers.trust, proxy: .none)
      for _ in 0..<rounds {
        let sent = try await servers.log("surplus-sent").count
        #expect(try await http.send(HTTPRequest(.get, servers.url("surplus", "/late"))).text.hasPrefix("first"))
        try await servers.waitForLog("surplus-sent", count: sent + 1)
        let second = try await http.send(HTTPRequest(.get, servers.url("surplus", "/ordinary")))
        #expect(second.text == "second")
      }
    }

    @Test func aStreamLeavesNoResponseEither() async throws {
      let http = CurlTransport(tls: servers.trust, proxy: .none)
      for _ in 0..<rounds {
        for path in ["one-record", "ordinary"] {
          let response = try await http.stream(HTTPRequest(.get, servers.url("surplus", "/\(path)")), body: nil)
          var bytes: [UInt8] = []
          for try await piece in response.body { bytes += piece }
          #expect(String(decoding: bytes, as: UTF8.self).hasPrefix(path == "ordinary" ? "second" : "first"))
        }
      }
    }

    /// A connection is not closed for nothing: without surplus bytes one carries all requests, of every kind of response.
    @Test(arguments: ["tls-1.2", "tls-1.3"])
    func aConnectionWithoutSurplusIsKept(server: String) async throws {
      let http = CurlTransport(tls: servers.trust, proxy: .none)
      var connections: Set<String> = []
      for path in ["/", "/large", "/large?gzip", "/nothing", "/", "/large"] {
        for method in [HTTPMethod.get, .head] {
          let fields: HTTPFields = path.hasSuffix("gzip") ? [:] : ["Accept-Encoding": "identity"]
          let response = try await http.send(HTTPRequest(method, servers.url(server, path), fields: fields))
          connections.insert(response.fields["X-Connection"] ?? "unknown")
        }
      }
      #expect(connections.count == 1)
    }
  }
}
