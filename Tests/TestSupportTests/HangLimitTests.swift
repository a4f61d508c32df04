// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@Suite(.hangLimit) struct HangLimitTests {
  @Test func processorTimeOfTheProcessIsALimit() async throws {
    let limit = HangLimit(idleSeconds: .max, processorTime: .zero)
    // The watch itself takes some.
    let reason = try await limit.hang()
    #expect(reason.contains("on a processor"))
  }

  @Test func aWatchThatIsCancelledEnds() async {
    let watch = Task { try await HangLimit.usual.hang() }
    watch.cancel()
    await #expect(throws: CancellationError.self) { try await watch.value }
  }
}
