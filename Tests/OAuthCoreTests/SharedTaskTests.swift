// SPDX-License-Identifier: Apache-2.0

import OAuthCore
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct SharedTaskTests {
  /// A place that work starts at, and what it saw.
  private final class Work: Sendable {
    let gate = Gate()
    let place = Mutex<SharedTask<Int>?>(nil)
    let begun = Mutex(0)
    let cancellations = AsyncStream<Void>.makeStream()

    /// Takes a seat; the work waits at the gate, or until it is cancelled if `endsWhenCancelled`.
    func seat(endsWhenCancelled: Bool = false) -> SharedTask<Int>.Seat {
      place.withLock { place in
        SharedTask.seat(at: &place) { [self] in
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

  @Test func workThatEverybodyLeftIsCancelled() async throws {
    let work = Work()
    let waiters = [work.seat(endsWhenCancelled: true), work.seat()].map { seat in Task { try await seat.value() } }
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
    let first = work.seat()
    let waiter = Task { try await first.value() }
    await work.gate.waitForArrival()
    waiter.cancel()
    await #expect(throws: CancellationError.self) { try await waiter.value }
    // The abandoned work is still at the gate.
    let second = work.seat()
    await work.gate.open()
    #expect(try await second.value() == 2)
  }

  @Test func workIsNotCancelledWhileSomebodyHasASeat() async throws {
    let work = Work()
    let (leaving, staying) = (work.seat(), work.seat())
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
    let first = work.seat()
    #expect(try await first.value() == 1)
    #expect(try await work.seat().value() == 2)
  }
}
