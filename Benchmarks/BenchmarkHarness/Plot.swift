// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A plot of cost by size on a logarithmic scale, with a line per size and a letter per contender.
package struct Plot {
  let title: String
  /// The contender of each letter.
  let ways: [(letter: Character, name: String)]
  /// The nanoseconds per byte of each contender, for each size.
  let points: [(size: Int, costs: [Double])]

  package init(title: String, ways: [(letter: Character, name: String)], points: [(size: Int, costs: [Double])]) {
    self.title = title
    self.ways = ways
    self.points = points
  }

  private static let width = 60
  /// The scale: from 0.1 to 1000 nanoseconds per byte.
  private static let decades = -1...3

  package var lines: [String] {
    let legend = ways.map { "\($0.letter) = \($0.name)" }.joined(separator: ", ")
    var scale = [Character](repeating: " ", count: Self.width + 6)
    for (decade, mark) in zip(Self.decades, ["0.1", "1", "10", "100", "1000"]) {
      let start = (decade - Self.decades.lowerBound) * Self.width / (Self.decades.count - 1)
      scale.replaceSubrange(start..<start + mark.count, with: mark)
    }
    return ["\(title), ns per byte: \(legend)", label("") + String(scale)]
      + points.map { size, costs in
        var line = [Character](repeating: "·", count: Self.width + 1)
        for (way, cost) in zip(ways, costs).reversed() { line[column(cost)] = way.letter }
        return label(Self.name(size)) + String(line)
      }
  }

  private func column(_ cost: Double) -> Int {
    let place = (log10(cost) - Double(Self.decades.lowerBound)) / Double(Self.decades.count - 1)
    return Int(min(max(place, 0), 1) * Double(Self.width))
  }

  private func label(_ text: String) -> String { String(repeating: " ", count: max(8 - text.count, 0)) + text + "  " }

  private static func name(_ size: Int) -> String {
    switch size {
    case ..<1024: "\(size)"
    case ..<1_048_576: "\(size >> 10) Ki"
    default: "\(size >> 20) Mi"
    }
  }
}
