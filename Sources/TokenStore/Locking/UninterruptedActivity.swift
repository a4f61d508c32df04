// SPDX-License-Identifier: Apache-2.0

#if canImport(UIKit)
  import Dispatch
  import Foundation

  /// Asks the system not to suspend this process before the end: a suspended process would keep a lock from the others, for
  /// which the system ends it where they share a container, and might never learn the response to a refresh.
  final class UninterruptedActivity: Sendable {
    private let isOver = DispatchSemaphore(value: 0)

    init() {
      // The activity lasts until the block returns, on a thread that the system gives it. When the time is up the block is
      // called once more, and the activity is over anyway.
      ProcessInfo.processInfo.performExpiringActivity(withReason: "Changing a stored token") { [isOver] expired in
        if !expired { isOver.wait() }
      }
    }

    func end() { isOver.signal() }
  }
#endif
