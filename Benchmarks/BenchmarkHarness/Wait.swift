// SPDX-License-Identifier: Apache-2.0

import CAllocationCounter
import Foundation
import Synchronization

/// Runs a task while the main thread waits, and returns its result.
///
/// While the program counts, the task runs on the main thread.
package func wait<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) -> Value {
  let done = DispatchSemaphore(value: 0)
  let value = Mutex<Value?>(nil)
  Task.detached {
    do {
      let result = try await body()
      value.withLock { $0 = result }
    } catch {
      preconditionFailure("what is measured fails: \(error)")
    }
    done.signal()
  }
  if Counting.isActive {
    // A task can wait for another thread, whose work is not counted.
    repeat { held_jobs_run() } while done.wait(timeout: .now() + .milliseconds(1)) == .timedOut
  } else {
    done.wait()
  }
  guard let result = value.withLock(\.self) else { preconditionFailure("the task has ended without a result") }
  return result
}
