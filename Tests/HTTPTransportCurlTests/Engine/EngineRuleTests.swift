// SPDX-License-Identifier: Apache-2.0

import Dispatch
import HTTPTransportCurl
import Support
import TestSupport
import Testing

/// The rules of the transport's threads: their load, their waits and their clocks.
@Suite(.takesTurns) struct EngineRuleTests {
  // MARK: Load

  /// An exchange waits longest for a thread whose connections readers of streams occupy, then for one whose connections
  /// are all in use.
  @Test func loadOrdersThreads() {
    // Exchanges, streams among them, and jobs of threads with two connections, by the wait of another exchange.
    let loads = [
      (0, 0, 0), (1, 0, 0), (1, 1, 1), (0, 0, 3), (1, 0, 1000), (2, 0, 0), (2, 1, 1), (3, 0, 1), (3, 0, 1000),
      (2, 2, 0),
      (3, 3, 0), (3, 2, 1),
    ]
    var last = -1
    for (exchanges, streams, jobs) in loads {
      let load = ThreadLoad(connections: 2)
      for index in 0..<exchanges { _ = load.addExchange(isStreamed: index < streams, to: load.reading) }
      for _ in 0..<jobs { load.addJob() }
      let reading = load.reading
      #expect(reading.wait(isExchange: true) > last, "\(exchanges) \(streams) \(jobs)")
      last = reading.wait(isExchange: true)
      // Other work waits only for its turn.
      #expect(reading.wait(isExchange: false) == exchanges + jobs)
      #expect(reading.isFull == (exchanges >= 2))
      for index in 0..<exchanges { load.removeExchange(isStreamed: index < streams) }
      for _ in 0..<jobs { load.removeJob() }
      #expect([load.reading.exchanges, load.reading.streams, load.reading.jobs] == [0, 0, 0])
    }
  }

  @Test func exchangeIsAddedToTheLoadThatWasRead() {
    let load = ThreadLoad(connections: 8)
    let reading = load.reading
    let isAdded = [load.addExchange(isStreamed: false, to: reading), load.addExchange(isStreamed: true, to: reading)]
    #expect(isAdded == [true, false])
    let counts = [load.reading.exchanges, load.reading.streams]
    #expect(counts == [1, 0])
  }

  // MARK: Waiting

  /// A spin follows a wait of less than its limit, unless another thread has computed in the last thousand waits.
  @Test func spinFollowsShortWaits() {
    var spin = AdaptiveSpin()
    #expect(!spin.isWorthwhile)
    for (microseconds, isWorthwhile) in [(39, true), (40, false), (1000, false), (0, true)] {
      spin.noteWait(.microseconds(microseconds))
      #expect(spin.isWorthwhile == isWorthwhile, "\(microseconds)")
    }
    spin.noteSpin(.microseconds(400))
    #expect(spin.isWorthwhile)
    spin.noteSpin(.microseconds(401))
    for count in 1...1001 {
      #expect(!spin.isWorthwhile || count > 1000, "\(count)")
      spin.noteWait(.zero)
    }
    #expect(spin.isWorthwhile)
  }

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
