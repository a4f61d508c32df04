// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import HTTPTransport
import TestSupport
import Testing

/// The kit, run against a transport that is correct: what each check sends with it, and what its servers respond.
///
/// A check that sends less than it says, or to a server that does something else, reports fewer defects, and no defect shows that.
@Suite(.takesTurns) struct TransportExchangeTests {
  /// The checks that allow a response as well as an error, or a response of several, and those whose bodies must not be kept.
  private static let alternatives = [
    "redirects.location-", "framing.length-too-short", "framing.length-twice-and-same", "framing.length-and-chunks",
    "framing.unknown-transfer-encoding", "hostility.nul-", "hostility.cr-", "hostility.lf-", "hostility.8-bit-",
    "hostility.escape-", "hostility.blank-lines", "hostility.switching-protocols", "responses.folded-field",
    "limits.endless-redirect-body", "connections.extra-bytes", "connections.late-extra-bytes", "cancellation.in-",
    "cancellation.at-any-time", "cancellation.many-while-hostile", "cancellation.before-head",
    "memory.",
  ]

  /// The checks that do the same again, with a longer limit, when the machine is busy: there may be more lines than in the table.
  private static let patient = [
    "time.", "faults.stalled-", "redirects.deadline", "connections.wait-for-connection", "streaming.time-limit",
    "streaming.cancelled-", "streaming.request-cancelled", "cancellation.",
    // Its request may end after the check.
    "streaming.request-body-as-it-comes",
  ]

  /// libcurl does not pass it.
  private static let checks = TransportConformance.allChecks.filter { $0.id != "hostility.gzip-without-end" }

  @Test(arguments: checks.filter { $0.group != .memory })
  func aCorrectTransportIsNotReported(_ check: TransportConformance.Check) async throws {
    try await Self.run(check)
  }

  #if os(Linux)
    /// In a process of its own, whose memory is measured.
    @Test(
      .disabled(if: Sanitizer.isActive, "a sanitizer takes memory of its own"),
      arguments: checks.filter { $0.group == .memory }.map(\.id))
    func aTransportThatHoardsNoMemoryIsNotReported(_ id: String) async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) { [id] in
        for check in Self.checks where check.id == id { try await Self.run(check) }
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(!text.contains("memory."), "\(text)")
    }
  #endif

  private static func run(_ check: TransportConformance.Check) async throws {
    let log = ExchangeLog(hasOutcomes: !alternatives.contains { check.id.hasPrefix($0) })
    try await TransportConformance { log.transport($0) }.run(check)
    let lines = log.lines
    let expected = try Self.expected[check.id, default: []]
    if patient.contains(where: { check.id.hasPrefix($0) }) {
      let kinds = Set(lines.map(withoutCount))
      if kinds.isSuperset(of: expected.map(withoutCount)) { return }
      if ExchangeLog.summary(of: kinds.sorted()) == expected { return }
    } else if ExchangeLog.summary(of: lines) == expected {
      return
    }
    let found = ExchangeLog.summary(of: lines) + (lines.count > 12 ? lines : [])
    throw Difference(description: "\(check.id)\n" + found.map { "  \($0)\n" }.joined())
  }

  /// The lines that were found in the place of those of the table.
  private struct Difference: Error, CustomStringConvertible { let description: String }

  private static func withoutCount(_ line: String) -> String {
    line.replacing(/\ × \d+$/, with: "")
  }

  /// The lines of each check, from the table beside this file.
  private static var expected: [String: [String]] {
    get throws {
      let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "exchanges.txt")
      var result: [String: [String]] = [:]
      var id = ""
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") where !line.hasPrefix("#") {
        if line.hasPrefix("  ") {
          result[id, default: []].append(String(line.dropFirst(2)))
        } else {
          id = String(line)
        }
      }
      return result
    }
  }
}
