// SPDX-License-Identifier: Apache-2.0

import Foundation
import Recurrence
import Testing
import Timekeeping

/// Expansion, compared with python-dateutil's; `Dateutil/cases.py` tells how the cases are made.
struct DateutilTests {
  /// The cases of the file that `RECURRENCE_CASES` names, or of the one beside the tests.
  static let cases: [DateutilCase] = {
    let beside = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Dateutil/cases.txt").path
    let path = ProcessInfo.processInfo.environment["RECURRENCE_CASES"] ?? beside
    return ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: "\n")
      .filter { !$0.hasPrefix("#") }.map { DateutilCase(String($0)) }
  }()

  @Test func thereAreSeveralHundredCases() {
    #expect(Self.cases.count >= 400)
    #expect(Self.cases.count { $0.values.isEmpty } < Self.cases.count / 4)
  }

  @Test func expandsAsDateutilDoes() throws {
    for row in Self.cases {
      let values = try row.expanded(from: nil)
      #expect(values == row.values, "\(row.text)")
    }
  }

  @Test func writesWhatItRead() throws {
    for row in Self.cases {
      let rule = try RecurrenceRule(row.rule)
      #expect(try RecurrenceRule(rule.description) == rule, "\(row.text)")
    }
  }

  @Test func findsTheRestFromAnyOccurrence() throws {
    for row in Self.cases {
      for index in row.values.indices where index % 7 == 3 || index == row.values.count - 1 {
        #expect(try row.expanded(from: row.values[index]) == Array(row.values[index...]), "\(row.text) from \(index)")
        #expect(
          try row.expanded(from: row.values[index] + 1) == Array(row.values[(index + 1)...]),
          "\(row.text) after \(index)")
      }
    }
  }
}

/// A line of the file.
struct DateutilCase: Sendable {
  let text: String
  let rule: String
  let values: [Int64]
  private let start: String
  private let zone: String
  private let end: String
  private let hasMore: Bool

  init(_ line: String) {
    text = line
    let fields = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    (rule, start, zone, end) = (fields[0], fields[1], fields[2], fields[3])
    hasMore = fields[4].hasSuffix("+")
    var sum: Int64 = 0
    values = fields[4].split(whereSeparator: { " +".contains($0) }).map {
      sum += Int64($0) ?? 0
      return sum
    }
  }

  /// The occurrences from an instant on, as far as the values go.
  func expanded(from first: Int64?) throws -> [Int64] {
    func time(_ text: String) throws -> SeriesTime {
      guard case .local(let time) = try RecurrenceTime(text) else { throw RecurrenceTestError.notATime(text) }
      return zone == "-" ? .utc(time) : .local(time, try SystemZoneDatabase.shared.zone(zone))
    }
    var rule = try RecurrenceRule(rule)
    if case .until(.local(let until)) = rule.end {
      rule = try rule.ending(.until(.utc(LocalDateTime(utc: time("\(until)").timestamp))))
    }
    var set = try RecurrenceSet(start: time(start), rules: [rule])
    set.includesStart = false
    let end = try time(end).timestamp
    let last = hasMore ? values.last : nil
    return set.occurrences(from: Timestamp(secondsSince1970: first ?? -100_000_000_000), to: end).lazy
      .map(\.timestamp.secondsSince1970).prefix { $0 <= last ?? .max }.map(\.self)
  }
}

enum RecurrenceTestError: Error {
  case notATime(String)
}
