// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The instructions and allocations of one call of our implementation of a row.
struct Count {
  let path: String
  let name: String
  let instructions: Int
  let allocations: Int

  var row: String { "\(path) | \(name)" }
  var line: String { "\(row) | \(instructions) | \(allocations)" }

  /// Parses a line `path | name | instructions | allocations`.
  init(line: String) throws {
    let parts = line.components(separatedBy: " | ")
    guard parts.count == 4, let instructions = Int(parts[2]), let allocations = Int(parts[3]) else {
      throw Failure("Not a line path | name | instructions | allocations: \(line)")
    }
    (path, name) = (parts[0], parts[1])
    (self.instructions, self.allocations) = (instructions, allocations)
  }

  /// Returns the figures that have changed by more than 3 %.
  func changes(since old: Count) -> [(hasGrown: Bool, text: String)] {
    let figures = [("instructions", old.instructions, instructions), ("allocations", old.allocations, allocations)]
    return figures.compactMap { name, old, new in
      let (lower, upper) = (Double(min(old, new)), Double(max(old, new)))
      guard upper > 1.03 * lower else { return nil }
      let percent = old == 0 ? "" : String(format: " (%+.1f %%)", 100 * (Double(new) / Double(old) - 1))
      return (new > old, "\(row): \(old) → \(new) \(name)\(percent)")
    }
  }
}

/// The file of counts: a line for each row, after comments with the versions of the tools.
struct CountsFile {
  let path: String

  private static let toolchain = "# Toolchain: "

  /// Counts the selected rows, prints them, and writes the file if all rows are selected.
  func write(_ options: Options) throws {
    let counts = try Callgrind.counts(filter: options.filter)
    for count in counts { print(count.line) }
    if !options.filter.isEmpty { return }
    let text = """
      # The instructions and allocations of one call of each row: path | name | instructions | allocations
      # Written by \(Options.program) --count. Counts of another toolchain are not compared.
      \(Self.toolchain)\(try Callgrind.toolchain())
      # Tools: \(try Callgrind.tools())

      """
    try Data((text + counts.map { $0.line + "\n" }.joined()).utf8).write(to: URL(fileURLWithPath: path))
  }

  /// Counts the rows that a filter selects, prints the differences from the file, and returns whether the counts are accepted.
  func check(_ options: Options) throws -> Bool {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw Failure("\(path) cannot be read. Run this in the package's folder. Without --check, it writes the file.")
    }
    let lines = text.components(separatedBy: "\n").filter { !$0.isEmpty }
    let current = Self.toolchain + (try Callgrind.toolchain())
    guard lines.contains(current) else {
      print("Nothing is compared, because \(path) has the counts of another toolchain. This is \(current.dropFirst(2))")
      return true
    }
    let old = try lines.filter { !$0.hasPrefix("#") }.map(Count.init).filter { options.selects($0.path, $0.name) }
    let new = try Callgrind.counts(filter: options.filter)
    var faults = old.map(\.row).filter { row in !new.contains { $0.row == row } }.map { "no longer counted: \($0)" }
    var hints: [String] = []
    for (index, count) in new.enumerated() {
      guard let known = old.first(where: { $0.row == count.row }) else {
        faults.append("not in the file: \(count.row)")
        continue
      }
      for change in count.changes(since: known) {
        if change.hasGrown {
          faults.append("grew: \(change.text)\n  \(Callgrind.annotation(index))")
        } else {
          hints.append("shrank: \(change.text)")
        }
      }
    }
    for line in hints + faults { print(line) }
    print("\(new.count) rows: \(faults.count) faults. To accept the counts, run --count without --check.")
    return faults.isEmpty
  }
}
