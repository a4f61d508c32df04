// SPDX-License-Identifier: Apache-2.0

import Almanac
import Foundation
import HTTPTransport
import LoopbackHTTP
import TestSupport
import Testing

/// The backend at a socket.
///
/// It takes turns with the other tests of the repository: do not copy this file.
@Suite(.takesTurns) struct LoopbackTests {
  @Test func itServesOnLoopback() async throws {
    let server = try await Harness().start().serve(port: 0)
    let error = await #expect(throws: CallError.self) {
      try await DefaultTransport().call(.get, server.url.appending(path: "member"))
    }
    await server.stop()
    #expect(error?.response?.status == 401)
  }
}
