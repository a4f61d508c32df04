// SPDX-License-Identifier: Apache-2.0

import TokenStore

/// A storage that records its calls as steps of a check.
struct ObservedTokenStorage: TokenStorage {
  let base: any TokenStorage

  func token(for account: String) async throws -> StoredToken? {
    try await Progress.step({ "token(for: \(account.debugDescription))" }) { try await base.token(for: account) }
  }

  func withExclusiveAccess<Result: Sendable>(
    to account: String, _ body: @concurrent @Sendable (any TokenSlot) async throws -> Result
  ) async throws -> Result {
    try await Progress.step({ "withExclusiveAccess(to: \(account.debugDescription))" }) {
      try await base.withExclusiveAccess(to: account, body)
    }
  }

  func checkWritable(_ account: String) async throws {
    try await Progress.step({ "checkWritable(\(account.debugDescription))" }) {
      try await base.checkWritable(account)
    }
  }

  func accounts() async throws -> [String] {
    try await Progress.step({ "accounts()" }) { try await base.accounts() }
  }
}
