// SPDX-License-Identifier: Apache-2.0

#if canImport(UIKit)
  import Dispatch
  import Foundation

  /// An activity during which the system is asked not to suspend this process.
  ///
  /// A suspended process would keep its locks. The system terminates it if a lock is in a shared container. The process might also
  /// never receive the response to a refresh.
  final class UninterruptedActivity: Sendable {
    private let isOver = DispatchSemaphore(value: 0)

    init() {
      // The activity lasts until the block returns, on a thread that the system provides. When the time is up, the system calls
      // the block once more, and the activity is over.
      ProcessInfo.processInfo.performExpiringActivity(withReason: "Changing a stored token") { [isOver] expired in
        if !expired { isOver.wait() }
      }
    }

    func end() { isOver.signal() }
  }
#endif
