// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTransportCurl
import TestSupport
import Testing
import TransportKit

/// The promises of every transport.
///
/// Those about memory are measured in a process of their own.
///
/// The parts that differ on an executor and with several threads are checked there too. With `ALMANAC_CONFORMANCE=all`, everything is.
@Suite(.takesTurns) struct CurlConformanceTests {
  private static let excluded = [
    "hostility.gzip-without-end":
      "libcurl takes a gzip stream that ends early for a complete one if the framing is complete."
  ]
  private static let kit = TransportConformance(excluding: excluded) { CurlTransport(limits: $0) }
  private static let executorKit = TransportConformance(excluding: excluded) {
    OnItsExecutor(http: CurlTransport(limits: $0))
  }

  private static let threadsKit = TransportConformance(excluding: excluded) { CurlTransport(limits: $0, threads: 3) }

  @Test(arguments: kit.checks.filter { $0.group != .memory })
  func keeps(_ check: TransportConformance.Check) async throws { try await Self.kit.run(check) }

  /// The groups that depend on which thread does the work.
  private static let dependsOnThreads: Set<TransportConformance.Group> =
    ProcessInfo.processInfo.environment["ALMANAC_CONFORMANCE"] == "all"
    ? Set(TransportConformance.Group.allCases).subtracting([.memory])
    : [.cancellation, .connections, .requests, .streaming, .time]

  @Test(arguments: executorKit.checks.filter { dependsOnThreads.contains($0.group) })
  func keepsOnItsExecutor(_ check: TransportConformance.Check) async throws { try await Self.executorKit.run(check) }

  @Test(arguments: threadsKit.checks.filter { dependsOnThreads.contains($0.group) })
  func keepsOnSeveralThreads(_ check: TransportConformance.Check) async throws { try await Self.threadsKit.run(check) }

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
