// SPDX-License-Identifier: Apache-2.0

/// A watchdog's observations of one step of its thread, and the rules for ending a call.
///
/// Only the thread's processor time counts: on a busy machine, a thread can wait for a processor in any call.
package struct WatchdogSighting {
  /// The time limits of a watchdog.
  package struct Limits: Sendable {
    /// The time between two observations.
    package var interval = Duration.milliseconds(50)
    /// The maximum processor time of the thread within a call.
    package var patience = Duration.milliseconds(250)
    /// The maximum processor time while an exchange is past its deadline.
    ///
    /// The thread itself would detect this only after the call.
    package var latePatience: Duration { patience / 5 }
    /// The time until another observation, if the connection a call reads from is still unknown.
    package var measurement: Duration { interval / 5 }
    /// The number of consecutive idle observations after which the watch ends.
    package var idleCount = 20

    package init() {}

    /// Returns the time until the next observation, which is earlier if a deadline is near.
    ///
    /// - Parameter rest: The time until the earliest deadline of the exchanges.
    package func pause(untilDeadline rest: Duration) -> Duration {
      rest < .zero ? interval : min(interval, rest + .milliseconds(1))
    }
  }

  /// The consequence of an observation.
  package enum Verdict: Sendable {
    /// The watch continues.
    case goOn
    /// The thread has made no call for a long time.
    case idle
    /// The call takes longer than usual: count the bytes it reads.
    case slow
    /// The call exceeds the limit: shut down the connection it reads from.
    case stuck
  }

  private let limits: Limits
  private var steps = 0
  /// The thread's processor time at the first observation of this step.
  private var time = Duration.zero
  /// The number of consecutive observations of this step.
  private var count = 0
  /// The bytes read from each socket when the call was first ``Verdict/slow``, or empty before.
  package var read: [Int32: Int64] = [:]

  package init(limits: Limits = Limits()) { self.limits = limits }

  /// Judges an observation.
  ///
  /// - Parameters:
  ///   - steps: A number that is odd during a call, and grows with each call and each progress within it.
  ///   - time: The processor time of the thread so far.
  ///   - isLate: Whether an exchange is past its deadline.
  package mutating func observe(steps: Int, time: Duration, isLate: Bool) -> Verdict {
    if steps != self.steps || count == 0 {
      self = WatchdogSighting(limits: limits)
      (self.steps, self.time) = (steps, time)
    }
    count += 1
    guard steps % 2 == 1 else { return count < limits.idleCount ? .goOn : .idle }
    guard count > 1 else { return .goOn }
    return time - self.time >= (isLate ? limits.latePatience : limits.patience) ? .stuck : .slow
  }
}
