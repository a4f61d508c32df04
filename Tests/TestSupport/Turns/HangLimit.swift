// SPDX-License-Identifier: Apache-2.0

import Foundation
package import Testing

/// The limits after which a test hangs, which do not depend on how busy the machine is.
///
/// A test waits for something that does not come if the whole process is idle, and loops if the process has had far more time on a
/// processor than all tests need together.
package struct HangLimit: Sendable {
  /// The number of seconds in a row in which the process does nothing.
  private let idleSeconds: Int
  /// The processor time of the process since the test began.
  private let processorTime: Duration

  /// The limit of most tests.
  ///
  /// A variable of the environment shortens the time without progress, for faults that make tests hang.
  package static let usual = HangLimit(
    idleSeconds: ProcessInfo.processInfo.environment["ALMANAC_IDLE_SECONDS"].flatMap(Int.init) ?? 180,
    processorTime: .seconds(Sanitizer.isActive ? 9_000 : 900))

  /// The limit of tests whose length a variable of the environment sets.
  package static let long = HangLimit(idleSeconds: 3_600, processorTime: .seconds(36_000))

  package init(idleSeconds: Int, processorTime: Duration) {
    self.idleSeconds = idleSeconds
    self.processorTime = processorTime
  }

  /// Performs `function`; if it hangs, records an issue and cancels it.
  func watch(
    _ test: Test, priority: TaskPriority?, _ function: @Sendable () async throws -> Void
  ) async throws {
    try await withoutActuallyEscaping(function) { function in
      try await withThrowingTaskGroup { group in
        group.addTask(priority: priority) {
          try await function()
          return true
        }
        group.addTask {
          let reason = try await hang()
          Issue.record("\(test.name) hangs: \(reason).", sourceLocation: test.sourceLocation)
          return false
        }
        let hasEnded = try await group.next() ?? true
        group.cancelAll()
        // The issue is recorded; an error that the cancellation causes is no other one.
        if !hasEnded { while let result = await group.nextResult() { _ = result } }
      }
    }
  }

  /// Returns when a limit is exceeded, and names it.
  package func hang() async throws -> String {
    let start = ProcessUse.processorTime
    var last = start
    var idle = 0
    while true {
      try await Task.sleep(for: .seconds(1))
      let now = ProcessUse.processorTime
      idle = now - last < .milliseconds(20) ? idle + 1 : 0
      if idle >= idleSeconds { return "no test has done anything for \(idle) seconds" }
      if now - start > processorTime { return "the tests have had \(now - start) on a processor since it began" }
      last = now
    }
  }
}

/// Applies a ``HangLimit`` to tests that take no turns.
package struct HangLimitTrait: TestTrait, SuiteTrait, TestScoping {
  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await HangLimit.usual.watch(test, priority: nil, function)
  }
}

extension Trait where Self == HangLimitTrait {
  /// Fails a test that hangs, however long it has waited for other tests before.
  package static var hangLimit: Self { HangLimitTrait() }
}
