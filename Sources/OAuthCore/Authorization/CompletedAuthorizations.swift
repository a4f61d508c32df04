// SPDX-License-Identifier: Apache-2.0

import Support
import Synchronization
package import Timekeeping

/// The states of completed authorizations, each kept until its authorization's deadline has passed: later than that, the deadline
/// itself rules out a second use.
package final class CompletedAuthorizations: Sendable {
  private let deadlines = Mutex(DeadlineQueue<String, Timestamp>())

  package init() {}

  /// The number of states that are kept.
  package var count: Int { deadlines.withLock(\.count) }

  /// Returns whether `state` is completed for the first time.
  ///
  /// - Complexity: O(log *n*) amortised, where *n* is the number of states kept.
  package func insert(_ state: String, until deadline: Timestamp, now: Timestamp) -> Bool {
    deadlines.withLock { deadlines in
      while let (expired, deadline) = deadlines.earliest(), deadline < now { deadlines[expired] = nil }
      guard deadlines[state] == nil else { return false }
      deadlines[state] = deadline
      return true
    }
  }
}
