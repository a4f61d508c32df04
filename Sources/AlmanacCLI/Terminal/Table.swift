// SPDX-License-Identifier: Apache-2.0

/// Rows in columns that are aligned by display width, without characters that steer a terminal.
struct Table {
  private let header: [String]
  /// The greatest widths of columns, by their index; other columns are as wide as their texts.
  private let limits: [Int: Int]
  private var rows: [[String]] = []

  init(_ header: String..., limits: [Int: Int] = [:]) {
    self.header = header
    self.limits = limits
  }

  mutating func append(_ cells: String...) { rows.append(cells.map { $0.terminalSafe }) }

  var isEmpty: Bool { rows.isEmpty }

  /// The lines, the header first; the last column is not filled.
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

  /// Writes the table, its header faint.
  func write(to terminal: Terminal) {
    for (index, line) in lines.enumerated() { terminal.line(index == 0 ? terminal.dim(line) : TerminalText(line)) }
  }
}

extension Terminal {
  /// Writes labels and values, one pair a line; a value that is `nil` is left out.
  func write(rows: [(label: String, value: String?)]) {
    // Cleaned before they are measured: a label may be a name of the server's.
    let present = rows.compactMap { row in row.value.map { (row.label.terminalSafe, $0) } }
    let width = present.map(\.0.displayWidth).max() ?? 0
    for (label, value) in present { line("\(label.fitted(to: width))  \(value)") }
  }
}
