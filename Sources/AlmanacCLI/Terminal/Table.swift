// SPDX-License-Identifier: Apache-2.0

/// A table with columns aligned by display width, without terminal control characters.
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

  /// Returns the lines, header first, or `nil` if they do not fit the width.
  ///
  /// The last column is not padded. Columns with a limit are cut to fit, the widest one first, but not below 16 columns.
  private func lines(width: Int) -> [String]? {
    let all = [header] + rows
    var widths = header.indices.map { column in
      min(all.map { $0[column].displayWidth }.max() ?? 0, limits[column] ?? .max)
    }
    let excess = { (widths: [Int]) in widths.reduce(0, +) + 2 * (widths.count - 1) - width }
    for column in limits.keys.sorted(by: { widths[$0] > widths[$1] }) where excess(widths) > 0 {
      widths[column] = max(min(16, widths[column]), widths[column] - excess(widths))
    }
    guard excess(widths) <= 0 else { return nil }
    return all.map { row in
      row.indices.map { column in
        column == row.count - 1 && limits[column] == nil ? row[column] : row[column].fitted(to: widths[column])
      }.joined(separator: "  ").trimmingEnd
    }
  }

  /// Writes the table with a faint header.
  ///
  /// If the table is too wide for the terminal, writes each row as labels and values.
  func write(to terminal: Terminal) {
    guard let lines = self.lines(width: terminal.outputWidth ?? 1 << 30) else {
      for (index, row) in rows.enumerated() {
        if index > 0 { terminal.line() }
        terminal.write(rows: zip(header, row).map { ($0, $1.isEmpty ? nil : $1) })
      }
      return
    }
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
