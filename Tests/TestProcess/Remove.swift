// SPDX-License-Identifier: Apache-2.0

import TokenStore

/// `remove DIR ACCOUNT`: removes the account's record.
///
/// Says `removed`.
@Sendable func removeRecord(_ arguments: [String]) async throws {
  guard arguments.count == 2 else { throw UsageError(description: "remove DIR ACCOUNT") }
  try await FileTokenStorage(path: arguments[0]).withExclusiveAccess(to: arguments[1]) { try await $0.write(nil) }
  say("removed")
}
