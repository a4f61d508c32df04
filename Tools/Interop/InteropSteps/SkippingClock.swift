// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Timekeeping

/// The operating system's clock, but that every wait is over at once, and is counted as time that has passed.
final class SkippingClock: WallClock {
  private let waits = Mutex<(total: Duration, latest: [Duration])>((.zero, []))

  /// Returns the waits since this was called last.
  func takeWaits() -> [Duration] {
    waits.withLock { waits in
      defer { waits.latest = [] }
      return waits.latest
    }
  }

  var now: Timestamp { SystemClock().now + waits.withLock { $0.total } }

  func sleep(for duration: Duration) async throws {
    try Task.checkCancellation()
    waits.withLock {
      $0.total += duration
      $0.latest.append(duration)
    }
  }
}
