// SPDX-License-Identifier: Apache-2.0

import CAllocationCounter
import Foundation

/// The rows of a path.
package struct Suite {
  let path: String
  /// Whether any row is counted.
  let isCounted: Bool
  let rows: () throws -> [Row]

  package init(_ path: String, isCounted: Bool = true, _ rows: @escaping () throws -> [Row]) {
    self.path = path
    self.isCounted = isCounted
    self.rows = rows
  }
}

/// A program that measures rows, or counts their instructions and allocations.
package struct Program {
  private let suites: [Suite]
  private let counts: CountsFile
  private let plot: (title: String, make: (Effort) -> Plot)?
  private let removeFiles: () -> Void

  /// Creates a program.
  ///
  /// - Parameters:
  ///   - suites: The rows, in their order.
  ///   - counts: The file of counts, relative to the folder of the package.
  ///   - plot: A plot after the tables, and its title, by which `--filter` selects it.
  ///   - removeFiles: Removes the files of the rows.
  package init(
    _ suites: [Suite], counts: String, plot: (title: String, make: (Effort) -> Plot)? = nil,
    removeFiles: @escaping () -> Void
  ) {
    self.suites = suites
    self.counts = CountsFile(path: counts)
    self.plot = plot
    self.removeFiles = removeFiles
  }

  /// Runs the program with the arguments of the command line, and exits.
  package func run() -> Never {
    guard let options = Options(Array(CommandLine.arguments.dropFirst())) else {
      print(Options.usage)
      exit(2)
    }
    do {
      var isAccepted = true
      if Counting.isActive {
        held_jobs_start()
        try forEachRow(options) { if $0.isCounted { print(try Counting.line($0)) } }
      } else if options.check {
        isAccepted = try counts.check(options)
      } else if options.count {
        try counts.write(options)
      } else {
        try measure(options)
      }
      removeFiles()
      exit(isAccepted ? 0 : 1)
    } catch {
      removeFiles()
      print("\(error)")
      exit(2)
    }
  }

  /// Measures the selected rows, and prints them as tables.
  private func measure(_ options: Options) throws {
    var results: [Result] = []
    try forEachRow(options) { row in
      if results.last?.row.path != row.path { print(Report.heading(row.path)) }
      let result = Result(row: row, measurements: row.measure(options.effort))
      for line in Report.lines(result) { print(line) }
      results.append(result)
    }
    if let plot, options.selects(plot.title) {
      print("")
      for line in plot.make(options.effort).lines { print(line) }
    }
    if let file = options.json { try Report.json(results).write(to: URL(fileURLWithPath: file)) }
  }

  /// Makes the selected rows and passes them to a closure, one after the other.
  private func forEachRow(_ options: Options, _ body: (Row) throws -> Void) throws {
    for suite in suites where options.mayContain(suite.path, among: suites.map(\.path)) {
      if Counting.isActive, !suite.isCounted { continue }
      for row in try suite.rows() where options.selects(row.path, row.name) {
        // A wrong implementation must not be measured. The checks take too long under callgrind, which counts what was checked.
        if !Counting.isActive, let fault = row.fault() { throw Failure(fault) }
        try body(row)
      }
    }
  }
}

/// An error with the reason why nothing can be measured or counted.
package struct Failure: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
