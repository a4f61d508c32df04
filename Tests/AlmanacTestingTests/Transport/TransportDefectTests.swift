// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import HTTPTransport
import TestSupport
import Testing
import TransportKit

/// The kit, run against transports with one defect each.
///
/// Each check reports at least one of them. The tests of the transports run the kit against correct ones.
@Suite(.takesTurns) struct TransportDefectTests {
  private static let checks = TransportConformance.allChecks.filter { $0.group != .memory }

  @Test(arguments: TransportDefects.all)
  func aDefectIsReportedByItsChecks(_ defect: TransportDefect) async throws {
    let checks = Self.checks.filter { defect.reports[$0.id] != nil }
    #expect(checks.count == defect.reports.count, "There is no such check.")
    try await withThrowingTaskGroup { group in
      for check in checks {
        group.addTask {
          let failure = try #require(try await defect.failure(of: check), "\(check)")
          #expect(failure.promise == check.promise)
          let detail = defect.reports[check.id] ?? ""
          #expect(failure.detail.contains(detail), "\(check)")
        }
      }
      try await group.waitForAll()
    }
  }

  /// Checks of several groups, to find defects that are reported by unrelated checks.
  private static let others = checks.filter {
    [
      "requests.body-of-get", "redirects.host-is-another-origin", "framing.length-plus", "connections.connection-close",
      "streaming.no-body",
    ].contains($0.id)
  }

  @Test(arguments: TransportDefects.all.filter { !$0.isEverywhere })
  func aDefectIsNotReportedByChecksOfOtherMatters(_ defect: TransportDefect) async throws {
    for check in Self.others where defect.reports[check.id] == nil {
      let failure = try await defect.failure(of: check)
      #expect(failure?.detail == nil, "\(check): \(failure?.detail ?? "")")
    }
  }

  @Test func everyCheckReportsADefect() {
    let reporting = Set(TransportDefects.all.flatMap(\.reports.keys))
    #expect(Self.checks.filter { !reporting.contains($0.id) }.map(\.id) == [])
  }

  /// Before any memory is measured.
  @Test(arguments: [
    "fast-body", "fast-chunks", "head", "field", "trailers", "informational", "gzip-bomb", "gzip-bomb-twice",
  ])
  func aResponseWithoutEndThatSucceedsIsReported(_ name: String) async throws {
    let check = try #require(TransportConformance.allChecks.first { $0.id == "memory.\(name)" })
    let kit = TransportConformance { _ in StubTransport { _ in HTTPResponse(status: 200) } }
    let failure = try await #require(throws: ConformanceFailure.self) { try await kit.run(check) }
    #expect(failure.detail == "It succeeded; expected [tooLarge, protocolViolation, timedOut].")
  }

  #if os(Linux)
    /// In a process of its own, whose memory is measured.
    @Test(.disabled(if: Sanitizer.isActive, "a sanitizer takes memory of its own"))
    func aTransportThatHoardsMemoryIsReported() async {
      await #expect(processExitsWith: .success) {
        for check in TransportConformance.allChecks where check.group == .memory {
          let failure = try #require(try await TransportDefects.hoarding.failure(of: check), "\(check)")
          #expect(failure.detail.hasPrefix("The process grew by "), "\(check): \(failure)")
        }
      }
    }
  #endif
}
