// SPDX-License-Identifier: Apache-2.0

import Support
import Synchronization
import TestSupport
import Testing

@Suite(.hangLimit) struct SharedTaskTests {
  /// A place that work starts at, and what it saw.
  private final class Work: Sendable {
    let gate = AsyncGate()
    let place = Mutex<SharedTask<Int>?>(nil)
    let begun = Mutex(0)
    let cancellations = AsyncStream<Void>.makeStream()

    /// Joins the work, which waits at the gate, or until it is cancelled if `endsWhenCancelled`.
    func join(endsWhenCancelled: Bool = false) -> SharedTask<Int>.Waiter {
      place.withLock { place in
        SharedTask.join(&place) { [self] in
          let number = begun.withLock { begun in
            begun += 1
            return begun
          }
          try await withTaskCancellationHandler {
            try await gate.pass()
          } onCancel: {
            cancellations.continuation.yield()
            if endsWhenCancelled { Task { await gate.open() } }
          }
          return number
        }
      }
    }
  }

  @Test func workThatAllWaitersLeftIsCancelled() async throws {
    let work = Work()
    let waiters = [work.join(endsWhenCancelled: true), work.join()].map { waiter in Task { try await waiter.value() } }
    await work.gate.waitForArrival()
    for waiter in waiters {
      waiter.cancel()
      await #expect(throws: CancellationError.self) { try await waiter.value }
    }
    for await _ in work.cancellations.stream { break }
    #expect(work.begun.withLock { $0 } == 1)
  }

  @Test func abandonedWorkIsNotJoined() async throws {
    let work = Work()
    let first = work.join()
    let waiter = Task { try await first.value() }
    await work.gate.waitForArrival()
    waiter.cancel()
    await #expect(throws: CancellationError.self) { try await waiter.value }
    // The abandoned work is still at the gate.
    let second = work.join()
    await work.gate.open()
    #expect(try await second.value() == 2)
  }

  @Test func workIsNotCancelledWhileACallerWaits() async throws {
    let work = Work()
    let (leaving, staying) = (work.join(), work.join())
    let waiter = Task { try await leaving.value() }
    await work.gate.waitForArrival()
    waiter.cancel()
    await #expect(throws: CancellationError.self) { try await waiter.value }
    await work.gate.open()
    #expect(try await staying.value() == 1)
    work.cancellations.continuation.finish()
    for await _ in work.cancellations.stream { Issue.record("The work was cancelled.") }
  }

  @Test func workThatEndedIsNotJoined() async throws {
    let work = Work()
    await work.gate.open()
    let first = work.join()
    #expect(try await first.value() == 1)
    #expect(try await work.join().value() == 2)
  }
}
