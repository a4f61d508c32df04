// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A row with its measurements: our implementation first, then the baselines.
struct Result {
  let row: Row
  let measurements: [Measurement]

  var ours: Measurement { measurements[0] }
}

enum Report {
  /// Returns the heading of a path's table.
  static func heading(_ path: String) -> String {
    """

    ### \(path)

    | work | way | minimum | median | MB/s | allocations | peak memory | times slower |
    |---|---|--:|--:|--:|--:|--:|--:|
    """
  }

  /// Returns a row as lines of a table.
  static func lines(_ result: Result) -> [String] {
    result.measurements.enumerated().map { index, way in
      let speed = result.row.bytes == 0 ? "" : Format.number(Double(result.row.bytes) * 1000 / way.minimum)
      let name = way.doesLess.map { "\(way.name) (does less: \($0))" } ?? way.name
      let isOurs = index == 0
      let work = isOurs ? "**\(result.row.name)**" : ""
      let shownName = isOurs ? "**\(name)**" : name
      let allocations = way.allocations.map { Format.number($0) } ?? ""
      let peak = way.peakBytes.map { Format.bytes($0) } ?? ""
      let ratio = isOurs ? "" : Format.ratio(way.minimum / result.ours.minimum)
      let cells: [String] = [
        work, shownName, Format.time(way.minimum), Format.time(way.median), speed, allocations, peak, ratio,
      ]
      return "| " + cells.joined(separator: " | ") + " |"
    }
  }

  /// All figures in a machine-readable format.
  static func json(_ results: [Result]) throws -> Data {
    struct Figure: Encodable {
      let path: String
      let work: String
      let way: String
      let doesLess: String?
      let minimumNanoseconds: Double
      let medianNanoseconds: Double
      let allocations: Double?
      let peakBytes: Double?
      let timesSlower: Double
    }
    let figures = results.flatMap { result in
      result.measurements.map {
        Figure(
          path: result.row.path, work: result.row.name, way: $0.name, doesLess: $0.doesLess,
          minimumNanoseconds: $0.minimum, medianNanoseconds: $0.median, allocations: $0.allocations,
          peakBytes: $0.peakBytes,
          timesSlower: $0.minimum / result.ours.minimum)
      }
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return try encoder.encode(figures)
  }
}

enum Format {
  static func time(_ nanoseconds: Double) -> String {
    switch nanoseconds {
    case ..<1e4: number(nanoseconds) + " ns"
    case ..<1e7: number(nanoseconds / 1e3) + " µs"
    default: number(nanoseconds / 1e6) + " ms"
    }
  }

  /// Returns an empty text below a kilobyte, which is not significant.
  static func bytes(_ count: Double) -> String {
    switch count {
    case ..<1e3: ""
    case ..<1e6: number(count / 1e3) + " KB"
    default: number(count / 1e6) + " MB"
    }
  }

  static func ratio(_ ratio: Double) -> String { number(ratio) + " ×" }

  /// Returns a number with about three digits.
  static func number(_ value: Double) -> String {
    let decimals = value == value.rounded() || value >= 100 ? 0 : value >= 10 ? 1 : 2
    return String(format: "%.\(decimals)f", value)
  }
}
