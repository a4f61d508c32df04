// SPDX-License-Identifier: Apache-2.0

import TokenStore

/// `hold-lock DIR ACCOUNT`: takes exclusive access, says `held`, and keeps it until the process is killed.
@Sendable func holdLock(_ arguments: [String]) async throws {
  guard arguments.count == 2 else { throw UsageError(description: "hold-lock DIR ACCOUNT") }
  try await FileTokenStorage(path: arguments[0]).withExclusiveAccess(to: arguments[1]) { _ in
    say("held")
    try await Task.sleep(for: .seconds(600))
  }
}
