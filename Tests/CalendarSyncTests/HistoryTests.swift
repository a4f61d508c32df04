// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Random histories of a user's calendars, with interruptions of the synchronization at random.
///
/// `ALMANAC_SYNC_SEEDS` is the number of histories; it defaults to 5. A failure names its seed.
@Suite struct HistoryTests {
  private static let seeds = ProcessInfo.processInfo.environment["ALMANAC_SYNC_SEEDS"].flatMap(Int.init) ?? 5

  @Test func copyEqualsTheServerAfterEveryHistory() async throws {
    for seed in 1...Self.seeds { try await History(seed: UInt64(seed)).run() }
  }
}
