// SPDX-License-Identifier: Apache-2.0

import CAllocationCounter

/// What one contender took for one item.
struct Measurement {
  let name: String
  let doesLess: String?
  /// The fastest round, in nanoseconds: what the work takes when nothing else runs.
  let minimum: Double
  /// The median of the rounds, in nanoseconds.
  let median: Double
  /// Requests for memory; `nil` where they cannot be counted.
  let allocations: Double?
  /// The most memory that one call held at once, of what it asked for, in bytes; `nil` where that cannot be counted.
  let peakBytes: Double?
}

/// How long to measure.
struct Effort {
  /// The number of rounds.
  let rounds: Int
  /// How long a batch takes at least.
  let batch: Duration

  static let full = Effort(rounds: 31, batch: .milliseconds(5))
  static let short = Effort(rounds: 9, batch: .milliseconds(2))
}

extension Row {
  /// Measures all contenders in turns, so that what disturbs the machine disturbs them alike.
  ///
  /// Ours comes first.
  func measure(_ effort: Effort) -> [Measurement] {
    let contenders = [ours] + baselines
    let repetitions = contenders.map { $0.repetitions(filling: effort.batch) }
    var samples = contenders.map { _ in [Double]() }
    for _ in 0..<effort.rounds {
      for index in contenders.indices {
        let time = contenders[index].time(repetitions[index])
        samples[index].append(time.nanoseconds / Double(repetitions[index] * contenders[index].items))
      }
    }
    return contenders.indices.map { index in
      let contender = contenders[index]
      let sorted = samples[index].sorted()
      let memory = contender.memory()
      return Measurement(
        name: contender.name, doesLess: contender.doesLess, minimum: sorted[0], median: sorted[effort.rounds / 2],
        allocations: memory.map { Double($0.allocations) / Double(contender.items) },
        peakBytes: memory.map { Double($0.peakBytes) })
    }
  }
}

extension Contender {
  fileprivate func time(_ repetitions: Int) -> Duration {
    ContinuousClock().measure {
      var sum = 0
      for _ in 0..<repetitions { sum &+= run() }
      Sink.keep(sum)
    }
  }

  fileprivate func repetitions(filling batch: Duration) -> Int {
    var repetitions = 1
    while true {
      let time = time(repetitions)
      if time >= batch { return repetitions }
      let wanted = batch.nanoseconds / max(time.nanoseconds, 1)
      repetitions = max(repetitions + 1, Int(Double(repetitions) * min(wanted * 1.1, 10)))
    }
  }

  /// What one call asks the allocator for, the least of three: what is set up once does not count.
  fileprivate func memory() -> (allocations: Int, peakBytes: Int)? {
    let figures = (0..<3).map { _ in
      allocation_count_start()
      Sink.keep(run())
      return allocation_count_stop()
    }
    guard figures.allSatisfy({ $0.count >= 0 }) else { return nil }
    return (figures.map(\.count).min() ?? 0, figures.map(\.peak_bytes).min() ?? 0)
  }
}

/// Where results go, so that they are needed.
enum Sink {
  nonisolated(unsafe) private static var sum = 0

  @inline(never)
  static func keep(_ value: Int) {
    // Only the main thread measures.
    unsafe sum &+= value
  }
}

extension Duration {
  var nanoseconds: Double { self / .nanoseconds(1) }
}
