// SPDX-License-Identifier: Apache-2.0

import Synchronization
import TestSupport
import Testing

@Suite(.hangLimit) struct TurnsTests {
  @Test func asManyTasksAsThereAreTurnsRunAtATime() async throws {
    let turns = Turns(count: 3)
    let occupancy = Occupancy()
    try await withThrowingTaskGroup { group in
      for number in 0..<50 {
        group.addTask {
          try await turns.take(in: "\(number)") {
            occupancy.enter()
            for _ in 1...10 { await Task.yield() }
            occupancy.leave()
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(occupancy.most == 3)
  }

  @Test func aGroupThatHasBegunGoesFirst() async throws {
    let turns = Turns(count: 1)
    let (order, goes) = AsyncStream<String>.makeStream()
    try await withThrowingTaskGroup { group in
      try await turns.take(in: "a") {
        for (number, name) in ["b", "c", "b", "a"].enumerated() {
          group.addTask { try await turns.take(in: name) { goes.yield(name) } }
          while turns.waiterCount <= number { await Task.yield() }
        }
      }
      try await group.waitForAll()
    }
    goes.finish()
    #expect(await order.reduce(into: []) { $0.append($1) } == ["a", "b", "b", "c"])
  }

  @Test func aWaiterThatIsCancelledLeavesWhileTheTurnIsTaken() async throws {
    let turns = Turns(count: 1)
    try await turns.take(in: "a") {
      for steps in 0..<20 {
        let waiter = Task { try await turns.take(in: "b") { Issue.record("It has got a turn.") } }
        for _ in 0..<steps { await Task.yield() }
        waiter.cancel()
        await #expect(throws: CancellationError.self) { try await waiter.value }
      }
    }
    // None of them has taken the turn along.
    try await turns.take(in: "b") {}
    #expect(turns.waiterCount == 0)
  }

  @Test func anErrorGivesTheTurnBack() async throws {
    struct Failure: Error {}
    let turns = Turns(count: 1)
    for _ in 1...3 {
      await #expect(throws: Failure.self) { try await turns.take(in: "a") { throw Failure() } }
    }
    try await turns.take(in: "a") {}
  }

  /// With both traits, and within another one: more tests than there are turns.
  @Suite(.takesTurns) struct WithinASuite {
    @Test(.takesTurns, arguments: 0..<40) func aTestTakesOneTurnHoweverManySuitesHaveTheTrait(number: Int) async {
      for _ in 1...10 { await Task.yield() }
    }
  }
}

/// The number of tasks that are inside.
private final class Occupancy: Sendable {
  private let counts = Mutex((now: 0, most: 0))

  var most: Int { counts.withLock { $0.most } }

  func enter() {
    counts.withLock {
      $0.now += 1
      $0.most = max($0.most, $0.now)
    }
  }

  func leave() {
    counts.withLock { $0.now -= 1 }
  }
}
