// SPDX-License-Identifier: Apache-2.0

import CAllocationCounter

/// The cost of one item for a contender.
package struct Measurement {
  let name: String
  let doesLess: String?
  /// The fastest round, in nanoseconds, which is the time without other load.
  package let minimum: Double
  /// The median of the rounds, in nanoseconds.
  let median: Double
  /// The number of allocations, or `nil` if they cannot be counted.
  let allocations: Double?
  /// The peak memory of one call in bytes, or `nil` if it cannot be counted.
  let peakBytes: Double?
}

/// The duration of a measurement.
package struct Effort {
  /// The number of rounds.
  let rounds: Int
  /// The minimum duration of a batch.
  let batch: Duration

  static let full = Effort(rounds: 31, batch: .milliseconds(5))
  static let short = Effort(rounds: 9, batch: .milliseconds(2))
}

extension Row {
  /// Measures all contenders in turn, so disturbances of the machine affect them equally.
  ///
  /// Our implementation is the first.
  package func measure(_ effort: Effort) -> [Measurement] {
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

  /// Returns the allocations of one call, the minimum of three, which excludes one-time setup.
  func memory() -> (allocations: Int, peakBytes: Int)? {
    let figures = (0..<3).map { _ in
      allocation_count_start()
      Sink.keep(run())
      return allocation_count_stop()
    }
    guard figures.allSatisfy({ $0.count >= 0 }) else { return nil }
    return (figures.map(\.count).min() ?? 0, figures.map(\.peak_bytes).min() ?? 0)
  }
}

/// The destination of results, which prevents the optimizer from removing the work.
enum Sink {
  nonisolated(unsafe) private static var sum = 0

  @inline(never)
  static func keep(_ value: Int) {
    // Only the main thread runs measurements.
    unsafe sum &+= value
  }
}

extension Duration {
  var nanoseconds: Double { self / .nanoseconds(1) }
}
