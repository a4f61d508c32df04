// SPDX-License-Identifier: Apache-2.0

import Timekeeping
import TokenStore

extension TokenStorage {
  /// Lets every stored access token expire, so that the next command refreshes it.
  func expireTokens() async throws {
    for account in try await accounts() {
      try await withExclusiveAccess(to: account) { slot in
        var token = try await slot.read()
        token?.expiresAt = .unixEpoch
        try await slot.write(token)
      }
    }
  }
}
