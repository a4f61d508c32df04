// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import HTTPTransportCurl
import TestSupport
import Testing
import TransportKit

/// The valid statuses of a response (RFC 9110 § 15).
@Suite(.takesTurns) struct StatusTests {
  private func response(after informational: String) async throws -> HTTPResponse {
    let server = try HostileServer(
      .send("HTTP/1.1 \(informational)\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), .close)
    defer { server.stop() }
    return try await CurlTransport().send(HTTPRequest(.get, server.url("/")))
  }

  @Test(arguments: ["100 Continue", "103 Early Hints\r\nLink: <a>"])
  func informationalResponseIsFollowedByTheFinalOne(_ informational: String) async throws {
    let response = try await response(after: informational)
    #expect(response.status == 200)
    #expect(response.fields["Link"] == nil)
    #expect(response.body == Array("ok".utf8))
  }

  @Test func protocolThatNobodyAskedForIsNotSwitchedTo() async {
    let error = await #expect(throws: TransportError.self) {
      try await response(after: "101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade")
    }
    #expect(error?.code == .protocolViolation)
  }

  @Test(arguments: ["600 Unknown", "999 Unknown"]) func statusBeyond599IsMalformed(_ status: String) async throws {
    let server = try HostileServer(.send("HTTP/1.1 \(status)\r\nContent-Length: 2\r\n\r\nok"), .close)
    defer { server.stop() }
    let error = await #expect(throws: TransportError.self) {
      try await CurlTransport().send(HTTPRequest(.get, server.url("/")))
    }
    #expect(error?.code == .protocolViolation && error?.reason == .malformedHead)
  }
}
