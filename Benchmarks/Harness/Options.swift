// SPDX-License-Identifier: Apache-2.0

/// The options of the command line.
struct Options {
  static let usage = """
    swift run -c release Benchmarks [--filter TEXT] [--short] [--json FILE] [--check] [--gates FILE]

      --filter TEXT  only the rows whose path and work contain TEXT
      --short        fewer and shorter rounds
      --json FILE    write the figures to FILE too
      --check        compare the ratios with the gates, and exit with 1 if one fell
      --gates FILE   the gates; defaults to Benchmarks/gates.txt
    """

  var filter = ""
  var effort = Effort.full
  var json: String?
  var check = false
  var gates = "Benchmarks/gates.txt"

  /// Parses the arguments.
  ///
  /// Returns `nil` if they are invalid.
  init?(_ arguments: [String]) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--short": effort = .short
      case "--check": check = true
      case "--filter", "--json", "--gates":
        guard let value = rest.popFirst() else { return nil }
        switch argument {
        case "--filter": filter = value
        case "--json": json = value
        default: gates = value
        }
      default: return nil
      }
    }
  }
}

extension Options {
  /// Whether the filter includes a row or a gate.
  func selects(_ path: String, _ work: String = "") -> Bool {
    filter.isEmpty || "\(path) \(work)".contains(filter)
  }

  /// Whether the filter can include a row of `path`, which it cannot if it starts with the name of another path.
  func mayContain(_ path: String, among paths: [String]) -> Bool {
    !paths.contains(where: filter.hasPrefix) || path.hasPrefix(filter) || filter.hasPrefix(path)
  }
}
