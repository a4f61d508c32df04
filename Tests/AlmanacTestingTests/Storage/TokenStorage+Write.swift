// SPDX-License-Identifier: Apache-2.0

import TokenStore

func token(_ accessToken: String) -> StoredToken { StoredToken(accessToken: Secret(accessToken)) }

extension TokenStorage {
  func write(_ token: StoredToken?, for account: String) async throws {
    try await withExclusiveAccess(to: account) { try await $0.write(token) }
  }
}
