// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The minimum ratio by which our implementation must be faster than a baseline, or its maximum number of allocations.
struct Gate {
  let path: String
  let work: String
  let baseline: String
  let limit: Double

  /// Parses one gate per line, `path | work | baseline | ratio` or `path | work | allocations | number`; `#` starts a comment.
  static func read(_ file: String) throws -> [Gate] {
    try String(contentsOf: URL(fileURLWithPath: file), encoding: .utf8)
      .split(separator: "\n").filter { !$0.hasPrefix("#") }
      .map { line in
        let parts = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        guard parts.count == 4, let limit = Double(parts[3]) else { throw GateError(line: String(line)) }
        return Gate(path: parts[0], work: parts[1], baseline: parts[2], limit: limit)
      }
  }

  /// Returns a description of the failure, or `nil` if the gate passes.
  func fault(in results: [Result]) -> String? {
    let name = "\(path) | \(work) | \(baseline)"
    guard let result = results.first(where: { $0.row.path == path && $0.row.name == work }) else {
      return "\(name): there is no such row"
    }
    if baseline == "allocations" {
      guard let allocations = result.ours.allocations, allocations > limit else { return nil }
      return "\(name): \(Format.number(allocations)), must be at most \(Format.number(limit))"
    }
    guard let measured = result.ratio(to: baseline) else { return "\(name): there is no such baseline" }
    return measured < limit ? "\(name): \(Format.ratio(measured)), must be \(Format.ratio(limit))" : nil
  }
}

/// An error for an invalid line of the gates.
struct GateError: Error, CustomStringConvertible {
  let line: String
  var description: String { "not a gate (path | work | baseline or allocations | limit): \(line)" }
}
