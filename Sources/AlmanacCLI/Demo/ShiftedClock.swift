// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Timekeeping

/// The system's clock, moved ahead: how the demonstration lets an hour pass at once.
final class ShiftedClock: WallClock {
  private let shift = Mutex(Duration.zero)

  var now: Timestamp { SystemClock().now + shift.withLock { $0 } }

  func sleep(for duration: Duration) async throws { try await SystemClock().sleep(for: duration) }

  /// Lets time pass.
  func advance(by duration: Duration) { shift.withLock { $0 += duration } }
}
