import Timekeeping

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Waits for the callback until `deadline`.
///
/// - Throws: ``OAuthError`` with code ``OAuthError/Code/signInTimedOut``; whatever `wait` throws.
func withDeadline(
  _ deadline: Timestamp, by clock: any WallClock, _ wait: @escaping @Sendable () async throws -> URL
) async throws -> URL {
  try await withThrowingTaskGroup(of: URL.self) { group in
    group.addTask { try await wait() }
    group.addTask {
      try await clock.sleep(until: deadline)
      throw OAuthError(.signInTimedOut, "Nobody answered the sign-in page in time. Start the sign-in again.")
    }
    defer { group.cancelAll() }
    guard let callback = try await group.next() else { throw CancellationError() }
    return callback
  }
}
