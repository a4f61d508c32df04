// SPDX-License-Identifier: Apache-2.0

import OAuthCore
import PlatformFoundation
import Timekeeping

/// Waits for the callback for at most `limit`.
///
/// - Throws: `OAuthError` with code `signInTimedOut`; any error that `wait` throws.
func withTimeLimit(
  _ limit: Duration, by clock: any WallClock, _ wait: @escaping @Sendable () async throws -> URL
) async throws -> URL {
  try await withThrowingTaskGroup(of: URL.self) { group in
    group.addTask { try await wait() }
    group.addTask {
      try await clock.sleep(for: limit)
      throw OAuthError(.signInTimedOut, "The sign-in page was not completed in time. Start the sign-in again.")
    }
    defer { group.cancelAll() }
    guard let callback = try await group.next() else { throw CancellationError() }
    return callback
  }
}
