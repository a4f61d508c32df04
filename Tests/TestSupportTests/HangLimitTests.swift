// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@Suite(.hangLimit) struct HangLimitTests {
  @Test func processorTimeOfTheProcessIsALimit() async throws {
    let limit = HangLimit(idleSeconds: .max, processorTime: .zero)
    let work = Task {
      var sum: UInt64 = 0
      while !Task.isCancelled { for number in 0..<1_000 { sum &+= UInt64(number) } }
      return sum
    }
    let reason = try await limit.hang()
    work.cancel()
    #expect(reason.contains("on a processor"))
    _ = await work.value
  }

  @Test func aWatchThatIsCancelledEnds() async {
    let watch = Task { try await HangLimit.usual.hang() }
    watch.cancel()
    await #expect(throws: CancellationError.self) { try await watch.value }
  }
}
