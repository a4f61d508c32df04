// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Dispatch
import PlatformFoundation
import TokenStore
import TokenStoreSealed
import TokenStoreSecretService

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// `call-keyring CALL DIR ACCOUNT`: makes one call of a storage in the keyring, with its locks in a folder.
///
/// Besides the calls of `call-storage`, `cancel` reads in a cancelled task, and `interrupt` in a task that SIGINT cancels. `hurry` reads
/// with a time limit of 200 ms, and `patient` with the longest one. `seal` writes a record sealed with a key from the keyring, and reads all such records.
/// `conform` and, with sealed records, `conform-sealed` run the check of
/// the conformance kit that is named instead of the account. Says `done`, or the error's code and message.
@Sendable func callKeyring(_ arguments: [String]) async throws {
  guard arguments.count == 3 else { throw UsageError(description: "call-keyring CALL DIR ACCOUNT") }
  let (name, locks, account) = (arguments[0], URL(filePath: arguments[1]), arguments[2])
  let storage = SecretServiceTokenStorage(service: "tests", lockDirectory: locks)
  switch name {
  case "cancel", "interrupt":
    signal(SIGINT, SIG_IGN)
    let interrupt = DispatchSource.makeSignalSource(signal: SIGINT)
    let reading = Task { try await storage.token(for: account) }
    interrupt.setEventHandler { reading.cancel() }
    interrupt.activate()
    if name == "cancel" { reading.cancel() }
    guard case .failure(let error) = await reading.result else { return say("read") }
    say("\(type(of: error))")
  case "hurry", "patient":
    let limited = SecretServiceTokenStorage(
      service: "tests", lockDirectory: locks,
      promptLimit: name == "hurry" ? .milliseconds(200) : .seconds(Int64.max))
    try await call("read", of: limited, account)
  case "seal":
    let item = SecretServiceItem(service: "keys", name: "tests", lockDirectory: locks)
    let text = try await item.read(orStoring: Secret(try SealingKey.generate("k").reveal()))
    let files = FileTokenStorage(directory: locks.appending(path: "sealed"))
    let storage = SealedTokenStorage(wrapping: files, keys: try SealingKeyRing(text: text), store: "tests")
    try await storage.withExclusiveAccess(to: account) {
      try await $0.write(StoredToken(accessToken: Secret("sealed")))
    }
    for account in try await storage.accounts() { _ = try await storage.token(for: account) }
    say(try await item.read() == text ? "done" : "another key is stored")
  case "conform", "conform-sealed":
    guard let check = TokenStorageConformance.checks.first(where: { $0.id == account }) else {
      throw UsageError(description: "There is no such check.")
    }
    // A service for each check: its storage has no records.
    @Sendable func open() -> SecretServiceTokenStorage {
      SecretServiceTokenStorage(service: "\(name) \(account)", lockDirectory: locks)
    }
    let keys = try SealingKeyRing([SealingKey(identifier: "k", bytes: Array(0..<32))])
    @Sendable func openSealed() -> SealedTokenStorage {
      SealedTokenStorage(wrapping: open(), keys: keys, store: "tests")
    }
    let kit =
      name == "conform"
      ? TokenStorageConformance(makeStorage: open, reopen: { _ in open() })
      : TokenStorageConformance(makeStorage: openSealed, reopen: { _ in openSealed() })
    try await kit.run(check)
    say("done")
  default: try await call(name, of: storage, account)
  }
}
