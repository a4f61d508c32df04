// SPDX-License-Identifier: Apache-2.0

import Almanac
import Foundation
import HTTPTransport
import LoopbackHTTP
import Testing

@testable import AppBackend

/// Tests the backend over a socket.
@Suite struct LoopbackTests {
  @Test func itServesOnLoopback() async throws {
    let server = try await Harness().start().serve(port: 0)
    let error = await #expect(throws: CallError.self) {
      try await DefaultTransport().call(.get, server.url.appending(path: "member"))
    }
    await server.stop()
    #expect(error?.response?.status == 401)
  }
}
