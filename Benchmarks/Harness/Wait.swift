// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Runs a task while the main thread waits, and returns its result.
func wait<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) -> Value {
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
  done.wait()
  guard let result = value.withLock(\.self) else { preconditionFailure("the task has ended without a result") }
  return result
}
