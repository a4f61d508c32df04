// SPDX-License-Identifier: Apache-2.0

import Almanac
import Foundation
import HTTPTransport
import LoopbackHTTP
import Testing

@testable import WebBackend

/// Tests the server over a socket.
@Suite struct LoopbackTests {
  @Test func itServesOnLoopback() async throws {
    let server = try await WebBackendTests().start().serve(port: 0)
    let response = try await DefaultTransport().call(.get, server.url)
    await server.stop()
    #expect(String(decoding: response.body, as: UTF8.self).contains("Sign in with Google"))
  }
}
