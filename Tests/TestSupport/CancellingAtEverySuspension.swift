// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// Runs an operation once for each of its suspensions, and cancels its task there.
///
/// The first run is cancelled before it begins, the next one at its first suspension, and so on up to a run that ends before it is
/// cancelled.
///
/// - Parameters:
///   - world: Makes the world of one run. Unstructured tasks that the operation starts are counted wherever the world's doubles run
///     their methods on the executor, by `withTaskExecutorPreference`.
///   - operation: The operation.
///   - check: Checks the world after a run, and the error that the run ended with, or `nil` if it succeeded.
/// - Returns: The number of runs.
@discardableResult
package func cancellingAtEverySuspension<World: Sendable>(
  in world: (any TaskExecutor) async throws -> World,
  of operation: @escaping @Sendable (World) async throws -> Void,
  then check: (World, (any Error)?) async throws -> Void
) async throws -> Int {
  for number in 1... {
    let executor = CancellingExecutor()
    let world = try await world(executor)
    let task = executor.run(cancellingAtJob: number) { try await operation(world) }
    var failure: (any Error)?
    do { try await task.value } catch { failure = error }
    let wasCancelled = executor.stopCounting()
    try await check(world, failure)
    if !wasCancelled { return number }
  }
  return 0
}

/// A serial executor that cancels a task before its nth job.
private final class CancellingExecutor: TaskExecutor {
  private struct State {
    var task: Task<Void, any Error>?
    /// The number of jobs up to the cancellation, that job included; `nil` while jobs are not counted.
    var remaining: Int?
  }

  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "operation to cancel")

  /// Starts the operation, and counts jobs from its first one on.
  func run(
    cancellingAtJob number: Int, _ operation: @escaping @Sendable () async throws -> Void
  ) -> Task<Void, any Error> {
    // The first job runs when its task is known.
    queue.suspend()
    defer { queue.resume() }
    let task = Task(executorPreference: self, operation: operation)
    state.withLock { $0 = State(task: task, remaining: number) }
    return task
  }

  /// - Returns: Whether the task was cancelled.
  func stopCounting() -> Bool {
    state.withLock { state in
      defer { state = State() }
      return state.remaining ?? 0 <= 0
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in
      let task = state.withLock { state in
        state.remaining? -= 1
        return state.remaining == 0 ? state.task : nil
      }
      // Outside of the lock: it calls the cancellation handlers.
      task?.cancel()
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
