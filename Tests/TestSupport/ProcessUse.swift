// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(Darwin)
  package import Darwin
#elseif canImport(Musl)
  package import Musl
#else
  package import Glibc
#endif

/// The processor time and the memory of this process.
package enum ProcessUse {
  /// The processor time of all threads.
  package static var processorTime: Duration { time(of: CLOCK_PROCESS_CPUTIME_ID) }

  /// The memory in use, in bytes, or `nil` if the system does not report it.
  package static var memory: Int? { size("VmRSS") }

  /// The peak of the memory in use, in bytes, or `nil` if the system does not report it.
  package static var peakMemory: Int? { size("VmHWM") }

  /// Returns the time that a clock of the system shows.
  package static func time(of clock: clockid_t) -> Duration {
    var time = timespec()
    // Safe: the system writes to the local alone.
    unsafe clock_gettime(clock, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  private static func size(_ name: String) -> Int? {
    let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix(name + ":") }
    return line.flatMap { Int($0.filter(\.isNumber)) }.map { $0 * 1_024 }
  }
}
