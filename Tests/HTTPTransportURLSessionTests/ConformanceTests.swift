// SPDX-License-Identifier: Apache-2.0

import HTTPTransport
import HTTPTransportURLSession
import TestSupport
import Testing
import TransportKit

/// One after the other: all sessions of a process share one queue on Linux, so that hostile servers disturb each other.
@Suite(.serialized, .takesTurns)
struct ConformanceTests {
  private static let kit = TransportConformance(excluding: Exclusions.all, givesReasons: Exclusions.givesReasons) {
    URLSessionTransport(limits: $0)
  }

  @Test(arguments: kit.checks.filter { $0.group != .memory })
  func keepsThePromise(_ check: TransportConformance.Check) async throws {
    try await Self.kit.run(check)
  }

  #if os(Linux)
    /// Each in a process of its own, since the memory is that of the whole process.
    @Test(
      .disabled(if: Sanitizer.isActive, "a sanitizer takes memory of its own"),
      arguments: kit.checks.filter { $0.group == .memory }.map(\.id))
    func keepsToTheMemoryLimit(id: String) async {
      await #expect(processExitsWith: .success) { [id] in
        let check = try #require(Self.kit.checks.first { $0.id == id })
        try await Self.kit.run(check)
      }
    }
  #endif
}
