// SPDX-License-Identifier: Apache-2.0

import TokenStore

/// `increment DIR ACCOUNT COUNT`: adds one to the number in the access token, COUNT times.
@Sendable func increment(_ arguments: [String]) async throws {
  guard arguments.count == 3, let count = Int(arguments[2]) else {
    throw UsageError(description: "increment DIR ACCOUNT COUNT")
  }
  let storage = FileTokenStorage(path: arguments[0])
  for _ in 0..<count {
    try await storage.withExclusiveAccess(to: arguments[1]) { slot in
      let number = Int(try await slot.read()?.accessToken.reveal() ?? "0") ?? 0
      try await slot.write(StoredToken(accessToken: Secret("\(number + 1)")))
    }
  }
}
