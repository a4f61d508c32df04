// SPDX-License-Identifier: Apache-2.0

/// One line of a table: a piece of work, our way of doing it, and the others'.
struct Row {
  /// The table it stands in, such as `payload`.
  let path: String
  /// The work, such as `W1 token request`: `--filter` and the gates go by it.
  let name: String
  /// The number of bytes that one item has, for MB/s.
  ///
  /// Zero where that says nothing.
  let bytes: Int
  /// Our way.
  let ours: Contender
  /// The ways it is compared with.
  let baselines: [Contender]

  init(_ path: String, _ name: String, bytes: Int = 0, ours: Contender, baselines: [Contender] = []) {
    self.path = path
    self.name = name
    self.bytes = bytes
    self.ours = ours
    self.baselines = baselines
  }

  /// The first difference between a contender's results and the expected ones; `nil` if there is none.
  ///
  /// A baseline that does less is not expected to be right.
  func fault() -> String? {
    for contender in [ours] + baselines where contender.doesLess == nil {
      if let fault = contender.check() { return "\(path) | \(name) | \(contender.name): \(fault)" }
    }
    return nil
  }
}

/// One way of doing a piece of work.
struct Contender {
  let name: String
  /// The part of the work that it leaves out, such as `six digits only`; `nil` if it does all of it.
  let doesLess: String?
  /// The number of items that one call works on: the figures are for one item.
  let items: Int
  /// Does the work, and returns a part of the result, so that the compiler cannot leave the work out.
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

/// Goes through many items, a few in each call, so that every call works on others.
final class Walk {
  /// The number of items of one call.
  let step: Int
  private let count: Int
  private var start = 0

  init(over count: Int, step: Int) {
    self.count = count
    self.step = min(step, count)
  }

  /// The next `step` items.
  func next() -> Range<Int> {
    if start + step > count { start = 0 }
    defer { start += step }
    return start..<start + step
  }
}
