// SPDX-License-Identifier: Apache-2.0

#if canImport(Security)
  import Foundation

  /// A token storage in the keychain, for apps and their extensions.
  ///
  /// ```swift
  /// let storage = KeychainTokenStorage()                                             // this app's alone
  /// let shared = try KeychainTokenStorage(appGroup: "group.org.example.notes")       // also its extensions'
  /// ```
  ///
  /// - **One generic-password item per account**, in the data-protection keychain on macOS too. It never leaves the device
  ///   unless ``Accessibility`` allows this. A write adds the item or updates it in one step, and never removes it in between.
  /// - **Exclusive access covers every process sharing the items**: there is one lock file per account, in the app's
  ///   own container or in that of the app group. While a task has access, the system is asked not to suspend the
  ///   process, so a refresh finishes if the user leaves the app.
  /// - **A locked device** throws ``TokenStorageError/Code/unavailable``, and nothing is lost. Try again when the device is
  ///   unlocked.
  /// - **Space for the largest record** is reserved before a credential is sent, by an item of 1 MiB, which the record
  ///   replaces. If a process is killed meanwhile, the next reservation or the removal of the account removes the item.
  /// - **A damaged record** is renamed, and reported once with ``TokenStorageError/Code/corrupted``.
  ///
  /// The process must be signed with an application identifier, as every app is. For a tool on macOS without one, use
  /// ``FileTokenStorage``. Any number of values may use the same service.
  public struct KeychainTokenStorage: TokenStorage {
    private let storage: LockedTokenStorage

    /// Creates a storage whose items only this app can reach.
    ///
    /// If the first of the app's keychain access groups is shared with other apps, use
    /// ``init(appGroup:accessGroup:service:accessibility:)``, which shares the locks too.
    ///
    /// - Parameters:
    ///   - service: The service name of the items.
    ///   - accessibility: The condition for reading the items.
    public init(service: String = "almanac", accessibility: Accessibility = .afterFirstUnlockThisDeviceOnly) {
      storage = LockedTokenStorage(
        items: SystemKeychain(service: service, accessGroup: nil, accessibility: accessibility),
        locksIn: Self.lockDirectory(in: .homeDirectory, service: service))
    }

    /// Creates a storage shared by the apps and extensions of an app group.
    ///
    /// - Parameters:
    ///   - appGroup: The app group. Every app and extension that shares the items needs its entitlement. Its container
    ///     holds the locks.
    ///   - accessGroup: The keychain access group of the items. Defaults to the app group, which is an access group too.
    ///   - service: The service name of the items.
    ///   - accessibility: The condition for reading the items. An extension that runs while the device is locked needs
    ///     `afterFirstUnlock` or `afterFirstUnlockThisDeviceOnly`.
    /// - Throws: ``TokenStorageError`` with code ``TokenStorageError/Code/unavailable`` if this process is not in the group.
    public init(
      appGroup: String, accessGroup: String? = nil, service: String = "almanac",
      accessibility: Accessibility = .afterFirstUnlockThisDeviceOnly
    ) throws {
      guard let container = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: appGroup) else {
        throw TokenStorageError(
          .unavailable,
          "The app group \(appGroup) is not available to this process. Add it to the target's entitlements.")
      }
      storage = LockedTokenStorage(
        items: SystemKeychain(service: service, accessGroup: accessGroup ?? appGroup, accessibility: accessibility),
        locksIn: Self.lockDirectory(in: container, service: service))
    }

    /// Reads the record of `account`, without its lock.
    ///
    /// - Throws: ``TokenStorageError``.
    public func token(for account: String) async throws -> StoredToken? { try await storage.token(for: account) }

    /// Runs `body` while this process has the lock of `account`, and no other of its tasks has access.
    ///
    /// - Throws: `CancellationError` if the task is cancelled while it waits. Also ``TokenStorageError`` and any error
    ///   of `body`.
    public func withExclusiveAccess<Result: Sendable>(
      to account: String, _ body: @concurrent @Sendable (any TokenSlot) async throws -> Result
    ) async throws -> Result {
      try await storage.withExclusiveAccess(to: account, body)
    }

    /// Tests a write by adding and removing an item of the largest record's size.
    ///
    /// The test fails while the device is locked, and in a process without access to the keychain.
    ///
    /// - Throws: ``TokenStorageError``.
    public func checkWritable(_ account: String) async throws { try await storage.checkWritable(account) }

    /// Returns the accounts with an item, in no particular order.
    ///
    /// An item is read only if its name contains a shortened account name. Such an item is omitted if it is damaged or cannot be read.
    ///
    /// - Throws: ``TokenStorageError``.
    public func accounts() async throws -> [String] { try await storage.accounts() }

    /// Returns the directory of a service's lock files.
    ///
    /// Services have separate locks, so a body may use another storage for the same account.
    private static func lockDirectory(in container: URL, service: String) -> String {
      #if os(tvOS)
        let folder = "Library/Caches"  // the one folder that an app may write to there
      #else
        let folder = "Library/Application Support"
      #endif
      return FileTokenStorage.absolute(
        "\(container.path(percentEncoded: false))/\(folder)/almanac/locks/\(AccountFileName.encode(service))")
    }
  }
#endif

#if canImport(Security)
  import Security

  extension KeychainTokenStorage {
    /// The condition for reading the items, and whether a backup may move them to another device.
    public enum Accessibility: Sendable, Hashable {
      /// Readable after the first unlock since the device started, on this device only.
      case afterFirstUnlockThisDeviceOnly
      /// Readable after the first unlock since the device started, and included in encrypted backups.
      case afterFirstUnlock
      /// Readable while the device is unlocked, on this device only.
      case whenUnlockedThisDeviceOnly
      /// Readable while the device is unlocked, and included in encrypted backups.
      case whenUnlocked
      /// Readable while the device is unlocked, if it has a passcode.
      ///
      /// The item is removed with the passcode, and stays on this device.
      case whenPasscodeSetThisDeviceOnly
    }
  }

  extension KeychainTokenStorage.Accessibility {
    /// The value of `kSecAttrAccessible`.
    var attribute: CFString {
      switch self {
      case .afterFirstUnlockThisDeviceOnly: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
      case .afterFirstUnlock: kSecAttrAccessibleAfterFirstUnlock
      case .whenUnlockedThisDeviceOnly: kSecAttrAccessibleWhenUnlockedThisDeviceOnly
      case .whenUnlocked: kSecAttrAccessibleWhenUnlocked
      case .whenPasscodeSetThisDeviceOnly: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly
      }
    }
  }
#endif
