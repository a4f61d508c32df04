// SPDX-License-Identifier: Apache-2.0

/// The policy that decides whether an idle thread spins before it sleeps.
///
/// Sleeping and waking takes two context switches, and on a virtual machine 30 µs until the thread runs. If the last wait was
/// shorter, as with a nearby server and many requests, the thread yields the processor and checks again. Other threads run in
/// the meantime. If one of them computes, this thread would run again too late, so it sleeps for the next thousand waits.
package struct AdaptiveSpin {
  /// The maximum spin duration.
  package static let limit = Duration.microseconds(40)
  /// The maximum duration of a spin without contention for the processor.
  private static let contentionLimit = limit * 10
  private static let pauseAfterContention = 1000

  private var isLastWaitShort = false
  private var pause = 0

  package init() {}

  /// Whether the next wait is likely to be short.
  package var isWorthwhile: Bool { isLastWaitShort && pause == 0 }

  /// Records the duration of a spin, which only contention for the processor makes much longer than the limit.
  package mutating func noteSpin(_ time: Duration) {
    if time > Self.contentionLimit { pause = Self.pauseAfterContention }
  }

  /// Records the total duration of a wait.
  package mutating func noteWait(_ time: Duration) {
    isLastWaitShort = time < Self.limit
    pause = max(0, pause - 1)
  }
}
