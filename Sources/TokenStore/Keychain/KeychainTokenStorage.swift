// SPDX-License-Identifier: Apache-2.0

#if canImport(Security)
  import Foundation

  /// Keeps tokens in the keychain, for apps and their extensions.
  ///
  /// ```swift
  /// let storage = KeychainTokenStorage()                                             // this app's alone
  /// let shared = try KeychainTokenStorage(appGroup: "group.org.example.notes")       // also its extensions'
  /// ```
  ///
  /// - **One generic-password item an account**, in the data-protection keychain on macOS too; it never leaves the device
  ///   unless ``Accessibility`` says so. A write adds the item or updates it in one step and never removes it in between.
  /// - **Exclusive access reaches as far as the items do**: a lock file an account, in the app's own container or in that of
  ///   the app group. While a task has access the system is asked not to suspend the process, so that a refresh is finished
  ///   when the user leaves the app.
  /// - **A locked device** is ``TokenStorageError/Code/unavailable``, and nothing is lost: try again when it is unlocked.
  /// - **A damaged record** is renamed, and reported once with ``TokenStorageError/Code/corrupted``.
  ///
  /// The process must be signed with an application identifier, as every app is. For a tool on macOS that is not, take
  /// ``FileTokenStorage``. Any number of values may use the same service.
  public struct KeychainTokenStorage: TokenStorage {
    private let storage: LockedTokenStorage

    /// Creates a storage whose items only this app can reach.
    ///
    /// If the first of its keychain access groups is shared with others, take
    /// ``init(appGroup:accessGroup:service:accessibility:)``, which shares the locks too.
    ///
    /// - Parameters:
    ///   - service: What the items are filed under.
    ///   - accessibility: When they can be read.
    public init(service: String = "almanac", accessibility: Accessibility = .afterFirstUnlockThisDeviceOnly) {
      storage = LockedTokenStorage(
        items: SystemKeychain(service: service, accessGroup: nil, accessibility: accessibility),
        locksIn: Self.lockDirectory(in: .homeDirectory, service: service))
    }

    /// Creates a storage that the apps and extensions of an app group share.
    ///
    /// - Parameters:
    ///   - appGroup: The app group. It has to be among the entitlements of all of them; its container holds the locks.
    ///   - accessGroup: The keychain access group of the items; `nil` for the app group itself, which is one too.
    ///   - service: What the items are filed under.
    ///   - accessibility: When they can be read. An extension that runs while the device is locked needs one of the choices
    ///     `afterFirstUnlock`.
    /// - Throws: ``TokenStorageError`` with code ``TokenStorageError/Code/unavailable`` if this process is not in the group.
    public init(
      appGroup: String, accessGroup: String? = nil, service: String = "almanac",
      accessibility: Accessibility = .afterFirstUnlockThisDeviceOnly
    ) throws {
      guard let container = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: appGroup) else {
        throw TokenStorageError(
          .unavailable, "The app group \(appGroup) is not open to this process. Add it to the target's entitlements.")
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
    /// - Throws: `CancellationError` when the task is cancelled while it waits; ``TokenStorageError``; whatever `body`
    ///   throws.
    public func withExclusiveAccess<Result: Sendable>(
      to account: String, _ body: @Sendable (any TokenSlot) async throws -> Result
    ) async throws -> Result {
      try await storage.withExclusiveAccess(to: account, body)
    }

    /// Adds an item and removes it: this fails while the device is locked, and for a process that may not use the keychain.
    ///
    /// - Throws: ``TokenStorageError``.
    public func checkWritable(_ account: String) async throws { try await storage.checkWritable(account) }

    /// Returns the accounts that have an item, in no particular order.
    ///
    /// Their content is not read.
    ///
    /// - Throws: ``TokenStorageError``.
    public func accounts() async throws -> [String] { try await storage.accounts() }

    /// Services have locks of their own, so that a body may use another storage for the same account.
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
    /// When the items can be read, and whether a backup may take them to another device.
    public enum Accessibility: Sendable, Hashable {
      /// From the first unlocking after a start on; stays on this device.
      case afterFirstUnlockThisDeviceOnly
      /// From the first unlocking after a start on; an encrypted backup takes it along.
      case afterFirstUnlock
      /// While the device is unlocked; stays on this device.
      case whenUnlockedThisDeviceOnly
      /// While the device is unlocked; an encrypted backup takes it along.
      case whenUnlocked
      /// While the device is unlocked, and only if it has a passcode; removed when that is. Stays on this device.
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
