// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The options of the command line.
struct Options {
  /// The name of this program.
  static let program = URL(fileURLWithPath: CommandLine.arguments[0]).lastPathComponent

  static let usage = """
    swift run -c release \(program) [--filter TEXT] [--short] [--json FILE]
    swift run -c release \(program) --count [--check] [--filter TEXT]

      --filter TEXT  only the rows whose path and work contain TEXT
      --short        fewer and shorter rounds
      --json FILE    write the figures to FILE too
      --count        count instructions and allocations under valgrind, and write the file of counts;
                     with --filter, only print them
      --check        compare them with the file instead, and exit with 1 if a row grew by more than 3 %
    """

  var filter = ""
  var effort = Effort.full
  var json: String?
  var count = false
  var check = false

  /// Parses the arguments.
  ///
  /// Returns `nil` if they are invalid.
  init?(_ arguments: [String]) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--short": effort = .short
      case "--count": count = true
      case "--check": check = true
      case "--filter", "--json":
        guard let value = rest.popFirst() else { return nil }
        if argument == "--filter" { filter = value } else { json = value }
      // The program that is counted.
      case Counting.argument: break
      default: return nil
      }
    }
    if check, !count { return nil }
  }
}

extension Options {
  /// Whether the filter includes a row.
  func selects(_ path: String, _ work: String = "") -> Bool {
    filter.isEmpty || "\(path) \(work)".contains(filter)
  }

  /// Whether the filter can include a row of `path`, which it cannot if it starts with the name of another path.
  func mayContain(_ path: String, among paths: [String]) -> Bool {
    !paths.contains(where: filter.hasPrefix) || path.hasPrefix(filter) || filter.hasPrefix(path)
  }
}
