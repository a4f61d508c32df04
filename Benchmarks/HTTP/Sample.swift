// SPDX-License-Identifier: Apache-2.0

import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// How many responses a task has had.
final class Counter: Sendable {
  private let successes = Atomic(0)
  private let faults = Atomic(0)

  var requests: Int { successes.load(ordering: .relaxed) }
  /// Responses that were not the expected one, and errors.
  var failures: Int { faults.load(ordering: .relaxed) }

  func add(isSuccess: Bool) {
    if isSuccess { successes.add(1, ordering: .relaxed) } else { faults.add(1, ordering: .relaxed) }
  }
}

/// What had been done at an instant, and what it had cost.
struct Sample {
  let instant = ContinuousClock.now
  /// User and system time of this process, in seconds.
  let cpu = Self.cpuTime
  let requests: Int
  let failures: Int

  init(_ counters: [Counter]) {
    requests = counters.reduce(0) { $0 + $1.requests }
    failures = counters.reduce(0) { $0 + $1.failures }
  }

  private static var cpuTime: Double {
    var usage = rusage()
    // Safe: getrusage(2) fills the local. 0 is RUSAGE_SELF, whose type is not the same in all C libraries.
    unsafe getrusage(0, &usage)
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
  }

  private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
}
