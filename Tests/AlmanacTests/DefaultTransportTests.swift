// SPDX-License-Identifier: Apache-2.0

import Almanac
import Foundation
import HTTPTransport
import LoopbackHTTP
import TestSupport
import Testing

/// The transport of this platform, which hands its calls on.
@Suite(.takesTurns) struct DefaultTransportTests {
  @Test func requestIsSentWholeAndInParts() async throws {
    let server = try await LoopbackServer.start { request in
      HTTPResponse(status: 201, body: Array("\(request.method.rawValue) ".utf8) + (request.body ?? []))
    }
    let transport = DefaultTransport()
    let request = HTTPRequest(.post, server.url, body: Array("body".utf8))
    #expect(try await transport.send(request).status == 201)
    let response = try await transport.stream(request, body: nil)
    #expect(response.status == 201)
    var body: [UInt8] = []
    for try await chunk in response.body { body += chunk }
    #expect(String(decoding: body, as: UTF8.self) == "POST body")
    await server.stop()
  }

  @Test func limitsAreThoseThatAreGiven() async throws {
    let server = try await LoopbackServer.start { _ in HTTPResponse(status: 200, body: Array("12345".utf8)) }
    for (size, isReceived) in [(5, true), (4, false)] {
      var limits = TransportLimits()
      limits.bodyBytes = size
      let response = try? await DefaultTransport(limits: limits).send(HTTPRequest(.get, server.url))
      #expect((response != nil) == isReceived)
    }
    await server.stop()
  }
}
