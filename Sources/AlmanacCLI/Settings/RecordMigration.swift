// SPDX-License-Identifier: Apache-2.0

import TokenStore

/// Gives records of earlier versions of the command, which were named by the account alone, the name that they have now.
struct RecordMigration {
  let storage: any TokenStorage

  /// Moves the record of an account to a name, if there is one of that client.
  ///
  /// A record that cannot be read, or that does not say whose it is, stays where it is.
  ///
  /// - Throws: `TokenStorageError`; `CancellationError`.
  func move(_ account: String, to name: RecordName) async throws {
    guard let token = try? await storage.token(for: account), token.clientID == name.clientID else { return }
    try await storage.move(account, to: name.description)
  }
}
