// SPDX-License-Identifier: Apache-2.0

import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The number of responses that a task has received.
final class Counter: Sendable {
  private let successes = Atomic(0)
  private let faults = Atomic(0)

  var requests: Int { successes.load(ordering: .relaxed) }
  /// The number of unexpected responses and errors.
  var failures: Int { faults.load(ordering: .relaxed) }

  func add(isSuccess: Bool) {
    if isSuccess { successes.add(1, ordering: .relaxed) } else { faults.add(1, ordering: .relaxed) }
  }
}

/// The responses so far and their cost, at an instant.
struct Sample {
  let instant = ContinuousClock.now
  /// The user and system time of this process, in seconds.
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
