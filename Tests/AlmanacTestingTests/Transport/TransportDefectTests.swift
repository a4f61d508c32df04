// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import HTTPTransport
import TestSupport
import Testing

/// The kit, run against a transport that is correct, and against transports with one defect each.
@Suite(.takesTurns) struct TransportDefectTests {
  private static let checks = TransportConformance.allChecks.filter { $0.group != .memory }

  /// The checks that libcurl, on which the transports are based, does not pass, or does not pass on a busy machine.
  ///
  /// Those with a time limit of a fraction of a second expect a connection within it. `CurlConformanceTests` runs them.
  private static func isLeftOut(_ check: TransportConformance.Check) -> Bool {
    check.group == .time || check.id.hasPrefix("faults.stalled-")
      || [
        "hostility.gzip-without-end", "redirects.deadline", "connections.wait-for-connection", "streaming.time-limit",
      ].contains(check.id)
  }

  @Test(arguments: checks.filter { !isLeftOut($0) })
  func aCorrectTransportIsNotReported(_ check: TransportConformance.Check) async throws {
    try await TransportConformance { DefectiveTransport(limits: $0) }.run(check)
  }

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
