// SPDX-License-Identifier: Apache-2.0

/// Decides whether a thread that has nothing to do looks again for a while before it sleeps.
///
/// To sleep and be woken takes two changes of context, and on a virtual machine 30 µs until the thread runs. Where the last wait was
/// shorter than that, as with a server nearby that many requests go to, the thread yields the processor and looks again. What waits for
/// the processor runs in the meantime: where that is a program that computes, the thread would get its turn too late, so it
/// sleeps for the next thousand waits.
struct AdaptiveSpin {
  /// How long the thread looks again at most.
  static let limit = Duration.microseconds(40)
  /// How long it may take to come back from a yield at most.
  private static let contentionLimit = limit * 10
  private static let pauseAfterContention = 1000

  private var isLastWaitShort = false
  private var pause = 0

  /// Whether the next wait is likely to be short.
  var isWorthwhile: Bool { isLastWaitShort && pause == 0 }

  /// Notes how long the thread has spun, of which it cannot have taken more than the limit itself.
  mutating func noteSpin(_ time: Duration) {
    if time > Self.contentionLimit { pause = Self.pauseAfterContention }
  }

  /// Notes how long the thread has waited in all.
  mutating func noteWait(_ time: Duration) {
    isLastWaitShort = time < Self.limit
    pause = max(0, pause - 1)
  }
}
