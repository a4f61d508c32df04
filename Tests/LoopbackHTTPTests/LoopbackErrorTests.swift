// SPDX-License-Identifier: Apache-2.0

import LoopbackHTTP
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The errors for the numbers with which the system refuses to listen.
@Suite struct LoopbackErrorTests {
  @Test(
    arguments: [
      (EADDRINUSE, .addressInUse, "Another program listens on ADDRESS. Stop it or choose another port."),
      (EAFNOSUPPORT, .familyUnavailable, "This machine has no address HOST. Listen on the other loopback address."),
      (EADDRNOTAVAIL, .familyUnavailable, "This machine has no address HOST. Listen on the other loopback address."),
      (EACCES, .permissionDenied, "This user may not listen on ADDRESS. Choose a port above 1023."),
      (EPERM, .permissionDenied, "This user may not listen on ADDRESS. Choose a port above 1023."),
      (EMFILE, .system, "The system refused to listen on ADDRESS (errno \(EMFILE))."),
      (0, .system, "The system refused to listen on ADDRESS (errno 0)."),
    ] as [(Int32, LoopbackError.Code, String)])
  func numberOfTheSystemHasItsError(_ number: Int32, _ code: LoopbackError.Code, _ text: String) {
    for (family, host) in [(LoopbackServer.Family.ipv4, "127.0.0.1"), (.ipv6, "[::1]")] {
      let error = LoopbackError(errno: number, family: family, port: 443)
      #expect(error.code == code)
      #expect(error.message == text.replacing("ADDRESS", with: "\(host):443").replacing("HOST", with: host))
    }
  }
}
