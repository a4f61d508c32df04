// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import Foundation
  import Synchronization

  #if canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  /// The threads of Swift's concurrency pool, as they are now.
  package struct PoolThreads: Sendable {
    private final class Arrivals: Sendable { let count = Atomic(0) }

    private let clocks: [clockid_t]

    /// Finds all threads of the pool: as many as the processors of this process, each of which is kept busy until all are found.
    ///
    /// Ask in a process that does nothing else.
    package static func all() async -> PoolThreads {
      let count = processorCount
      let arrivals = Arrivals()
      return await withTaskGroup(of: clockid_t?.self) { group in
        for _ in 0..<count {
          group.addTask {
            arrivals.count.add(1, ordering: .relaxed)
            while arrivals.count.load(ordering: .relaxed) < count { sched_yield() }
            var clock: clockid_t = 0
            // Safe: the system writes to the local alone.
            return unsafe pthread_getcpuclockid(pthread_self(), &clock) == 0 ? clock : nil
          }
        }
        return PoolThreads(clocks: await group.reduce(into: []) { if let clock = $1 { $0.append(clock) } })
      }
    }

    /// The number of processors that this process may use, which can be fewer than the machine has.
    private static var processorCount: Int {
      let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      // A mask in hexadecimal.
      let line = status?.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed:") }
      return line?.dropFirst("Cpus_allowed:".count).compactMap(\.hexDigitValue).reduce(0) { $0 + $1.nonzeroBitCount }
        ?? ProcessInfo.processInfo.activeProcessorCount
    }

    /// The processor time that these threads have had.
    package var processorTime: Duration {
      clocks.reduce(.zero) { $0 + ProcessUse.time(of: $1) }
    }
  }
#endif
