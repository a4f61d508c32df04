// SPDX-License-Identifier: Apache-2.0

import Support
import Synchronization
import TestSupport
import Testing

@Suite(.takesTurns) struct BlockingWorkTests {
  private struct Failure: Error {}

  @Test func resultAndErrorComeBack() async throws {
    #expect(try await BlockingWork.run { () throws in 42 } == 42)
    await #expect(throws: Failure.self) { try await BlockingWork.run { throw Failure() } }
  }

  @Test func workLearnsOfCancellation() async {
    let (starts, started) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      try await BlockingWork.runCancellable { isCancelled in
        started.yield()
        while !isCancelled() {}
        throw CancellationError()
      }
    }
    for await _ in starts { break }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
