// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A ratio that must not fall: how many times as fast as a baseline our way has to be.
struct Gate {
  let path: String
  let work: String
  let baseline: String
  let ratio: Double

  /// Reads one gate a line, `path | work | baseline | ratio`; `#` starts a comment.
  static func read(_ file: String) throws -> [Gate] {
    try String(contentsOf: URL(fileURLWithPath: file), encoding: .utf8)
      .split(separator: "\n").filter { !$0.hasPrefix("#") }
      .map { line in
        let parts = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        guard parts.count == 4, let ratio = Double(parts[3]) else { throw GateError(line: String(line)) }
        return Gate(path: parts[0], work: parts[1], baseline: parts[2], ratio: ratio)
      }
  }

  /// Says how the gate fell; `nil` when it held.
  func fault(in results: [Result]) -> String? {
    guard let result = results.first(where: { $0.row.path == path && $0.row.name == work }),
      let measured = result.ratio(to: baseline)
    else { return "\(path) | \(work) | \(baseline): there is no such row" }
    guard measured < ratio else { return nil }
    return "\(path) | \(work) | \(baseline): \(Format.ratio(measured)), must be \(Format.ratio(ratio))"
  }
}

/// A line of the gates that cannot be read.
struct GateError: Error, CustomStringConvertible {
  let line: String
  var description: String { "not a gate (path | work | baseline | ratio): \(line)" }
}
