// SPDX-License-Identifier: Apache-2.0

import Dispatch
import HTTPTransportCurl
import Support
import TestSupport
import Testing

/// The clock of the transport's thread.
@Suite(.takesTurns) struct ThreadClockTests {
  #if os(Linux)
    /// The clock shows the thread's own work, not that of others, and nothing once the thread has ended.
    @Test func clockShowsTheThreadsOwnTime() async {
      let clock = await withCheckedContinuation { continuation in
        let isStarted = DetachedThread.start {
          let clock = ThreadClock()
          let start = clock.now
          while clock.now - start < .milliseconds(20) {}
          let before = clock.now
          // Another thread works while this one waits.
          let isOver = DispatchSemaphore(value: 0)
          let work = DetachedThread.start {
            let own = ThreadClock()
            while own.now < .milliseconds(40) {}
            isOver.signal()
          }
          if work { isOver.wait() }
          #expect(work && clock.now - before < .milliseconds(20))
          continuation.resume(returning: Optional(clock))
        }
        if !isStarted { continuation.resume(returning: nil) }
      }
      #expect(clock != nil)
      while let clock, clock.now != .zero { await Task.yield() }
    }
  #endif
}
