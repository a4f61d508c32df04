// SPDX-License-Identifier: Apache-2.0

import TokenStore

/// `write-forever DIR ACCOUNT`: replaces the token by the next in the series, and says each number once it is written,
/// until it is killed.
@Sendable func writeForever(_ arguments: [String]) async throws {
  guard arguments.count == 2 else { throw UsageError(description: "write-forever DIR ACCOUNT") }
  let storage = FileTokenStorage(path: arguments[0])
  while true {
    let number = try await storage.withExclusiveAccess(to: arguments[1]) { slot in
      let number = try await slot.read().flatMap { Int($0.tokenType) } ?? 0
      try await slot.write(seriesToken(number + 1))
      return number + 1
    }
    say("\(number)")
  }
}

/// A token of several kilobytes that shows in every place which one of the series it is.
func seriesToken(_ number: Int) -> StoredToken {
  let text = String(repeating: "\(number);", count: 2_000)
  return StoredToken(accessToken: Secret(text), refreshToken: Secret(text)) { $0.tokenType = "\(number)" }
}
