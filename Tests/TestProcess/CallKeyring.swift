// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import PlatformFoundation
import TokenStore
import TokenStoreSecretService

/// `call-keyring CALL DIR ACCOUNT`: makes one call of a storage in the keyring, with its locks in a folder.
///
/// Besides the calls of `call-storage`, `cancel` reads in a cancelled task, and `hurry` reads with a time limit of 200 ms. `conform` runs
/// the check of the conformance kit that is named instead of the account. Says `done`, or the error's code and message.
@Sendable func callKeyring(_ arguments: [String]) async throws {
  guard arguments.count == 3 else { throw UsageError(description: "call-keyring CALL DIR ACCOUNT") }
  let (name, locks, account) = (arguments[0], URL(filePath: arguments[1]), arguments[2])
  let storage = SecretServiceTokenStorage(service: "tests", lockDirectory: locks)
  switch name {
  case "cancel":
    let reading = Task { try await storage.token(for: account) }
    reading.cancel()
    guard case .failure(let error) = await reading.result else { return say("read") }
    say("\(type(of: error))")
  case "hurry":
    let impatient = SecretServiceTokenStorage(
      service: "tests", lockDirectory: locks, promptLimit: .milliseconds(200))
    try await call("read", of: impatient, account)
  case "conform":
    guard let check = TokenStorageConformance.checks.first(where: { $0.id == account }) else {
      throw UsageError(description: "There is no such check.")
    }
    // A service for each check: its storage has no records.
    try await TokenStorageConformance {
      SecretServiceTokenStorage(service: account, lockDirectory: locks)
    } reopen: { _ in
      SecretServiceTokenStorage(service: account, lockDirectory: locks)
    }.run(check)
    say("done")
  default: try await call(name, of: storage, account)
  }
}
