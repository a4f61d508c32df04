// SPDX-License-Identifier: Apache-2.0

import Almanac
import Foundation
import HTTPTransport
import LoopbackHTTP
import TestSupport
import Testing

/// The server at a socket.
///
/// It takes turns with the other tests of the repository: do not copy this file.
@Suite(.takesTurns) struct LoopbackTests {
  @Test func itServesOnLoopback() async throws {
    let server = try await WebBackendTests().start().serve(port: 0)
    let response = try await DefaultTransport().call(.get, server.url)
    await server.stop()
    #expect(String(decoding: response.body, as: UTF8.self).contains("Sign in with Google"))
  }
}
