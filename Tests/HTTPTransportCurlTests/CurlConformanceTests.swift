// SPDX-License-Identifier: Apache-2.0

import HTTPTransportCurl
import TestSupport
import Testing
import TransportKit

/// The promises of every transport.
///
/// Those about memory are measured in a process of their own.
@Suite(.takesTurns) struct CurlConformanceTests {
  private static let excluded = [
    "hostility.gzip-without-end":
      "libcurl takes a gzip stream that ends early for a complete one if the framing is complete."
  ]
  private static let kit = TransportConformance(excluding: excluded) { CurlTransport(limits: $0) }

  @Test(arguments: kit.checks.filter { $0.group != .memory })
  func keeps(_ check: TransportConformance.Check) async throws { try await Self.kit.run(check) }

  #if os(Linux)
    @Test(
      .disabled(if: Sanitizer.isActive, "a sanitizer takes memory of its own"),
      arguments: kit.checks.filter { $0.group == .memory }.map(\.id))
    func staysWithinItsMemory(_ id: String) async {
      await #expect(processExitsWith: .success) { [id] in
        let check = try #require(Self.kit.checks.first { $0.id == id })
        try await Self.kit.run(check)
      }
    }
  #endif
}
