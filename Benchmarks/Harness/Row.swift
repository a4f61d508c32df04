// SPDX-License-Identifier: Apache-2.0

/// A row of a table: a piece of work, our implementation of it, and the baselines.
struct Row {
  /// The table of the row, such as `payload`.
  let path: String
  /// The work, such as `W1 token request`, by which `--filter` selects rows.
  let name: String
  /// The number of bytes per item, for MB/s.
  ///
  /// Zero if it is not meaningful.
  let bytes: Int
  /// Whether two runs execute the same instructions, so that `--count` counts the row.
  ///
  /// They do not if the work needs sockets, files or other threads.
  let isCounted: Bool
  /// Our implementation.
  let ours: Contender
  /// The implementations to compare with.
  let baselines: [Contender]

  init(
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

/// An implementation of a piece of work.
struct Contender {
  let name: String
  /// The omitted part of the work, such as `six digits only`, or `nil`.
  let doesLess: String?
  /// The number of items per call, by which the figures are divided.
  let items: Int
  /// Does the work, and returns a part of the result, so the compiler cannot remove the work.
  let run: () -> Int
  /// Compares the results with the expected ones, outside the measured time, and returns the first difference.
  let check: () -> String?

  init(
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
final class Walk {
  /// The number of items per call.
  let step: Int
  private let count: Int
  private var start = 0

  init(over count: Int, step: Int) {
    self.count = count
    self.step = min(step, count)
  }

  /// Returns the next `step` items.
  func next() -> Range<Int> {
    if start + step > count { start = 0 }
    defer { start += step }
    return start..<start + step
  }
}
