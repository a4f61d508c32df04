// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransport
import HTTPTransportCurl
import TestSupport
import Testing
import TransportKit

/// The target and fields of a request as a server gets them.
@Suite(.takesTurns) struct RequestMessageTests {
  private func received(
    _ method: HTTPMethod = .get, _ fields: HTTPFields = [:], body: [UInt8]? = nil,
    by transport: CurlTransport = CurlTransport()
  ) async throws -> HTTPFields {
    let server = try HostileServer(.response(204))
    defer { server.stop() }
    _ = try await transport.send(HTTPRequest(method, server.url(), fields: fields, body: body))
    return try #require(server.requests.first).fields
  }

  @Test func fieldWithoutAValueIsSent() async throws {
    let fields = try await received(.get, ["X-Empty": "", "X-Last": "1"])
    #expect(fields.values(for: "X-Empty") == [""])
    #expect(fields["X-Last"] == "1")
    #expect(fields.values(for: "User-Agent") == ["almanac"], "The transport's own fields follow those of the request.")
  }

  @Test func userAgentIsTheTransportsUnlessTheRequestHasOne() async throws {
    #expect(try await received().values(for: "User-Agent") == ["almanac"])
    #expect(try await received(.get, ["user-agent": "other"]).values(for: "User-Agent") == ["other"])
    let anonymous = CurlTransport(userAgent: nil)
    #expect(try await received(by: anonymous).values(for: "User-Agent") == [])
  }

  /// libcurl asks before it sends a megabyte or more, and waits a second for a server that does not answer.
  @Test(arguments: [HTTPMethod.post, .put]) func largeBodyWaitsForNoPermission(_ method: HTTPMethod) async throws {
    let fields = try await received(method, body: [UInt8](repeating: 0, count: 2 << 20))
    #expect(fields.values(for: "Expect") == [])
    #expect(fields.values(for: "Content-Length") == ["\(2 << 20)"])
    #expect(fields.values(for: "Content-Type") == [])
  }

  @Test(arguments: ["/?", "/a?b=c?d", "/%2f%2F?c=%e4%E4&d=/?:@", "//double/../x/.", "/a;b=1,2?'()*!$", "/~a?b=%00"])
  func targetArrivesAsItIs(_ target: String) async throws {
    let server = try HostileServer(.response(204))
    defer { server.stop() }
    _ = try await CurlTransport().send(HTTPRequest(.get, server.url(target)))
    #expect(server.requests.map(\.target) == [target])
  }

  /// libcurl before 8.3 loses the zone of a URL that is passed parsed; FoundationEssentials parses `http://bücher.example/` so.
  @Test(arguments: ["http://[fe80::1%25eth0]/", "http://b%C3%BCcher.example/"])
  func hostThatLibcurlDoesNotTakeIsRefused(_ text: String) async throws {
    let url = try #require(URL(string: text))
    let error = await #expect(throws: TransportError.self) { try await CurlTransport().send(HTTPRequest(.get, url)) }
    #expect(error?.code == .invalidRequest)
  }
}
