// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// An executor that runs the jobs of its tasks one after the other, in the order in which they became ready.
package final class SerialTaskExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "SerialTaskExecutor")

  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// Returns when every job that was ready has run: each task has ended or waits for something.
  package func drain() { queue.sync {} }
}
