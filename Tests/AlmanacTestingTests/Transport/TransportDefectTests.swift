// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import HTTPTransport
import TestSupport
import Testing
import TransportKit

/// The kit, run against transports with one defect each.
///
/// The tests of the transports run the kit against correct ones.
@Suite(.takesTurns) struct TransportDefectTests {
  @Test(arguments: TransportDefects.all) func defectIsReported(_ defect: TransportDefect) async throws {
    try await withThrowingTaskGroup { group in
      for check in defect.checks { group.addTask { try await defect.expectReport(of: check) } }
      try await group.waitForAll()
    }
  }

  @Test func everyCheckHasItsNameAndReportsADefect() {
    let names = TransportConformance.allChecks.map(\.id)
    let reporting = (TransportDefects.all + [TransportDefects.hoarding]).flatMap(\.checks).map(\.id)
    #expect(Set(names).count == names.count)
    #expect(Set(names).subtracting(reporting) == [])
  }

  #if os(Linux)
    /// In its own process, whose memory is measured.
    @Test(.disabled(if: Sanitizer.isActive, "A sanitizer uses additional memory."))
    func hoardedMemoryIsReported() async {
      await #expect(processExitsWith: .success) {
        for check in TransportDefects.hoarding.checks { try await TransportDefects.hoarding.expectReport(of: check) }
      }
    }
  #endif

  @Test func errorOfATransportIsTheCause() async throws {
    struct NoSocket: Error {}
    let kit = TransportConformance { _ throws -> StubTransport in throw NoSocket() }
    let failure = try await #require(throws: ConformanceFailure.self) {
      try await kit.run(TransportConformance.allChecks[0])
    }
    #expect(failure.detail == "An unexpected NoSocket was thrown." && failure.cause is NoSocket)
  }
}
