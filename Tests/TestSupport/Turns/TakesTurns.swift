// SPDX-License-Identifier: Apache-2.0

import Foundation
package import Testing

/// Lets tests that use processes, sockets or threads take turns.
///
/// Swift Testing starts all tests at once. In memory, that is no matter: each ends when its work is done. A test with a process or
/// a socket also depends on time, such as a server's time limit, and the more of them run, the later each is. Apply the trait to
/// such a test, or to a suite for all of its tests. A test takes one turn, however many of its suites have the trait.
///
/// In its turn, a test has a higher priority than those that take none, so that it does not wait for hundreds of them whenever it
/// resumes. A ``HangLimit`` counts from the beginning of the turn. `timeLimit(_:)` counts from the beginning of the test, and so
/// the time in line too: do not combine it with this trait.
package struct TakesTurns: TestTrait, SuiteTrait, TestScoping {
  /// Whether the current task is in a turn: a second one could wait for the first.
  @TaskLocal private static var hasTurn = false

  /// Two for each processor, since these tests wait for much of their time; fewer with a sanitizer, under which they do not.
  private static let turns = Turns(
    count: max(2, ProcessInfo.processInfo.activeProcessorCount * (Sanitizer.isActive ? 1 : 2)))

  let limit: HangLimit

  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    guard !Self.hasTurn else { return try await function() }
    try await Self.turns.take(in: test.sourceLocation.fileID) {
      try await Self.$hasTurn.withValue(true) {
        try await limit.watch(test, priority: .high, function)
      }
    }
  }
}

extension Trait where Self == TakesTurns {
  /// Lets tests that use processes, sockets or threads take turns.
  package static var takesTurns: Self { takesTurns(.usual) }

  /// Lets tests that use processes, sockets or threads take turns.
  ///
  /// - Parameter limit: The time after which a test hangs, from the beginning of its turn.
  package static func takesTurns(_ limit: HangLimit) -> Self { TakesTurns(limit: limit) }
}
