// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Synchronization
package import Testing

/// An executor that runs the jobs of its tasks one after the other, in the order in which they became ready.
package final class SerialTaskExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "SerialTaskExecutor")
  private let longest = Mutex(Duration.zero)

  package init() {}

  /// The processor time of the job that took most of it, of all that were ready.
  package var longestJob: Duration {
    // A task is over before the time of its last job is noted.
    drain()
    return longest.withLock(\.self)
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async {
      let duration = Self.processorTime { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
      self.longest.withLock { $0 = max($0, duration) }
    }
  }

  /// Returns when every job that was ready has run: each task has ended or waits for something.
  package func drain() { queue.sync {} }

  /// The processor time that `body` takes on this thread, which does not depend on what else the machine does.
  package static func processorTime(of body: () throws -> Void) rethrows -> Duration {
    let start = ProcessUse.time(of: CLOCK_THREAD_CPUTIME_ID)
    try body()
    return ProcessUse.time(of: CLOCK_THREAD_CPUTIME_ID) - start
  }

  /// Runs `body` on an executor of its own, and records an issue if one of its jobs takes a second of processor time.
  package static func quickly<Result: Sendable>(
    at location: SourceLocation = #_sourceLocation, _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let executor = SerialTaskExecutor()
    let result = await Task(executorPreference: executor) { try await body() }.result
    #expect(executor.longestJob < .seconds(Sanitizer.isActive ? 20 : 1), sourceLocation: location)
    return try result.get()
  }
}
