// SPDX-License-Identifier: Apache-2.0

public import PlatformFoundation
import Support
public import TokenStore

/// A token storage in the keyring of a Linux desktop, for its programs.
///
/// ```swift
/// let storage = SecretServiceTokenStorage()
/// ```
///
/// The storage uses the default collection of the keyring, by the
/// [Secret Service API](https://specifications.freedesktop.org/secret-service/latest/). It is tested with GNOME Keyring, and loads libsecret
/// on first use.
///
/// - **One item per account**, whose secret is the record. Its attributes and its label name the service and the account; the keyring may
///   show them while it is locked. The keyring determines whether a write survives a power cut.
/// - **A locked keyring shows its prompt** before a read, a list or exclusive access. The prompt ends when the user answers it, the task is
///   cancelled or the time limit has passed, even if the keyring does not respond. A keyring may also ask before it removes an item; if the
///   user dismisses that prompt, the removal throws `promptDismissed`.
/// - **Each obstacle has its code:** `keyringMissing`, `keyringLocked`, `promptDismissed`, `promptUnavailable`.
/// - **Exclusive access covers every process of the user**: there is one lock file per account, which contains no token.
/// - **Space for the largest record** is reserved before a credential is sent, by an item of 1 MiB that the record replaces.
/// - **A damaged record** is renamed, and reported once with `corrupted`.
///
/// Every program of the user can read an unlocked keyring. Any number of values may use the same service.
public struct SecretServiceTokenStorage: TokenStorage {
  private let keyring: Keyring
  private let storage: LockedTokenStorage
  private let promptLimit: Duration

  /// Creates a storage.
  ///
  /// Nothing is loaded, read or created before the storage is used.
  ///
  /// - Parameters:
  ///   - service: The service name of the items, without NUL characters.
  ///   - lockDirectory: The directory of the lock files, as a file URL. All programs that share the items must use the same directory.
  ///     Defaults to `almanac/locks` in the user's data directory, with a folder for each service.
  ///   - promptLimit: The maximum time that the keyring's prompt is shown, up to a year. Defaults to two minutes.
  public init(
    service: String = "almanac", lockDirectory: URL? = nil, promptLimit: Duration = .seconds(120)
  ) {
    let locks =
      lockDirectory?.path(percentEncoded: false)
      ?? BaseDirectory.data.path(environment: ProcessInfo.processInfo.environment)
      + "/almanac/locks/\(AccountFileName.encode(service))"
    keyring = Keyring(service: service)
    storage = LockedTokenStorage(items: keyring, locksIn: FileTokenStorage(path: locks).path)
    self.promptLimit = promptLimit
  }

  /// Unlocks the keyring if necessary, and reads the record of `account`, without its lock.
  ///
  /// - Throws: `TokenStorageError`; `CancellationError` if the task is cancelled while the keyring is locked.
  public func token(for account: String) async throws -> StoredToken? {
    try await unlock()
    return try await storage.token(for: account)
  }

  /// Unlocks the keyring if necessary, and runs `body` while this process has the lock of `account`, and no other of its tasks has access.
  ///
  /// - Throws: `CancellationError` if the task is cancelled while it waits; `TokenStorageError`; any error that `body` throws.
  public func withExclusiveAccess<Result: Sendable>(
    to account: String, _ body: @concurrent @Sendable (any TokenSlot) async throws -> Result
  ) async throws -> Result {
    try await unlock(creatingCollection: true)
    return try await storage.withExclusiveAccess(to: account, body)
  }

  /// Unlocks the keyring if necessary, and tests a write by adding and removing an item of the largest record's size.
  ///
  /// - Throws: `TokenStorageError`; `CancellationError` if the task is cancelled while the keyring is locked.
  public func checkWritable(_ account: String) async throws {
    try await unlock(creatingCollection: true)
    try await storage.checkWritable(account)
  }

  /// Unlocks the keyring if necessary, and returns the accounts that have an item, in no particular order.
  ///
  /// An item is read only if its name contains a shortened account name. Such an item is omitted if it is damaged or cannot be read.
  ///
  /// - Throws: `TokenStorageError`; `CancellationError` if the task is cancelled while the keyring is locked.
  public func accounts() async throws -> [String] {
    try await unlock()
    return try await storage.accounts()
  }

  private func unlock(creatingCollection: Bool = false) async throws {
    try await keyring.unlock(within: promptLimit, creatingCollection: creatingCollection)
  }
}

extension SecretServiceTokenStorage: CustomStringConvertible {
  /// The type's name and the service.
  public var description: String { "SecretServiceTokenStorage(\(keyring.service))" }
}
