// SPDX-License-Identifier: Apache-2.0

/// A row of a table: a piece of work, our implementation of it, and the baselines.
package struct Row {
  /// The table of the row, such as `payload`.
  package let path: String
  /// The work, such as `W1 token request`, by which `--filter` selects rows.
  package let name: String
  /// The number of bytes per item, for MB/s.
  ///
  /// Zero if it is not meaningful.
  let bytes: Int
  /// Whether two runs execute the same instructions, so that `--count` counts the row.
  ///
  /// They do not if the work needs sockets, files or other threads.
  package let isCounted: Bool
  /// Our implementation.
  package let ours: Contender
  /// The implementations to compare with.
  package let baselines: [Contender]

  package init(
    _ path: String, _ name: String, bytes: Int = 0, isCounted: Bool = true, ours: Contender, baselines: [Contender] = []
  ) {
    self.path = path
    self.name = name
    self.bytes = bytes
    self.isCounted = isCounted
    self.ours = ours
    self.baselines = baselines
  }

  /// Returns the first difference between a contender's results and the expected ones, or `nil`.
  ///
  /// A baseline that does less is not compared.
  func fault() -> String? {
    for contender in [ours] + baselines where contender.doesLess == nil {
      if let fault = contender.check() { return "\(path) | \(name) | \(contender.name): \(fault)" }
    }
    return nil
  }
}

extension Row {
  /// The path of the rows that show the cost of one element by the number of elements.
  package static let growth = "growth"

  /// Returns a row of `work` at sizes that grow by a factor from `sizes.lowerBound` to `sizes.upperBound`.
  ///
  /// It does the same amount of work at every size. The largest size is in our column, and the smaller ones are the baselines. The count
  /// of instructions is that of the largest size.
  ///
  /// - Parameters:
  ///   - step: The factor.
  ///   - total: The number of elements per call, a multiple of every size.
  ///   - work: A closure that returns, for a size, the work on `total` elements, `size` at a time.
  package static func growth(
    _ name: String, _ sizes: ClosedRange<Int>, step: Int = 2, total: Int, isCounted: Bool = true,
    _ work: (Int) -> () -> Int
  ) -> Row {
    let sizes = sequence(first: sizes.upperBound) { $0 / step >= sizes.lowerBound ? $0 / step : nil }
    let contenders = sizes.map { Contender("n = \($0)", items: total, work($0)) }
    return Row(growth, name, isCounted: isCounted, ours: contenders[0], baselines: Array(contenders.dropFirst()))
  }
}

/// An implementation of a piece of work.
package struct Contender {
  let name: String
  /// The omitted part of the work, such as `six digits only`, or `nil`.
  let doesLess: String?
  /// The number of items per call, by which the figures are divided.
  let items: Int
  /// Does the work, and returns a part of the result, so the compiler cannot remove the work.
  package let run: () -> Int
  /// Compares the results with the expected ones, outside the measured time, and returns the first difference.
  let check: () -> String?

  package init(
    _ name: String, items: Int = 1, doesLess: String? = nil, check: @escaping () -> String? = { nil },
    _ run: @escaping () -> Int
  ) {
    self.name = name
    self.doesLess = doesLess
    self.items = items
    self.run = run
    self.check = check
  }
}

/// A cursor that iterates over many items, a few in each call, so consecutive calls use different items.
package final class Walk {
  /// The number of items per call.
  package let step: Int
  private let count: Int
  private var start = 0

  package init(over count: Int, step: Int) {
    self.count = count
    self.step = min(step, count)
  }

  /// Returns the next `step` items.
  package func next() -> Range<Int> {
    if start + step > count { start = 0 }
    defer { start += step }
    return start..<start + step
  }
}
