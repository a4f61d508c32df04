// SPDX-License-Identifier: Apache-2.0

/// A table with columns aligned by display width, without characters that control a terminal.
struct Table {
  private let header: [String]
  /// The maximum widths of columns, by index.
  ///
  /// Other columns are as wide as their texts.
  private let limits: [Int: Int]
  private var rows: [[String]] = []

  init(_ header: String..., limits: [Int: Int] = [:]) {
    self.header = header
    self.limits = limits
  }

  mutating func append(_ cells: String...) { rows.append(cells.map { $0.terminalSafe }) }

  var isEmpty: Bool { rows.isEmpty }

  /// The lines, header first.
  ///
  /// The last column is not padded.
  var lines: [String] {
    let all = [header] + rows
    let widths = header.indices.map { column in
      min(all.map { $0[column].displayWidth }.max() ?? 0, limits[column] ?? .max)
    }
    return all.map { row in
      row.indices.map { column in
        column == row.count - 1 && limits[column] == nil ? row[column] : row[column].fitted(to: widths[column])
      }.joined(separator: "  ").trimmingEnd
    }
  }

  /// Writes the table with a faint header.
  func write(to terminal: Terminal) {
    for (index, line) in lines.enumerated() { terminal.line(index == 0 ? terminal.dim(line) : TerminalText(line)) }
  }
}

extension Terminal {
  /// Writes labels and values, one pair per line, without pairs whose value is `nil`.
  func write(rows: [(label: String, value: String?)]) {
    // A label can be a name from the server, so it is cleaned before it is measured.
    let present = rows.compactMap { row in row.value.map { (row.label.terminalSafe, $0) } }
    let width = present.map(\.0.displayWidth).max() ?? 0
    for (label, value) in present { line("\(label.fitted(to: width))  \(value)") }
  }
}
