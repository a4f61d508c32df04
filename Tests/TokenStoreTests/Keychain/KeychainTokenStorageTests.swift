// SPDX-License-Identifier: Apache-2.0

import AlmanacTesting
import Foundation
import OAuthFixtures
import TestSupport
import Testing
import TokenStore

/// The rules of the keychain storage, over a keychain in memory: the system's own is on Apple's platforms only.
@Suite(.takesTurns) struct KeychainTokenStorageTests {
  private let home: TemporaryDirectory
  private let keychain = StubKeychain()
  private let storage: LockedTokenStorage

  init() throws {
    home = try TemporaryDirectory()
    storage = LockedTokenStorage(items: keychain, locksIn: home.path("locks"))
  }

  @Test(arguments: TokenStorageConformance.checks)
  func keepsThePromise(_ check: TokenStorageConformance.Check) async throws {
    try await TokenStorageConformance {
      storage
    } reopen: { _ in
      LockedTokenStorage(items: keychain, locksIn: home.path("locks"))
    }.run(check)
  }

  /// Two spellings of one path share no queue: what is left between an app and its extension is the lock file.
  @Test(arguments: TokenStorageConformance.checks)
  func anAppAndItsExtensionExcludeEachOther(_ check: TokenStorageConformance.Check) async throws {
    try FileManager.default.createSymbolicLink(atPath: home.path("link"), withDestinationPath: home.path)
    try await TokenStorageConformance {
      storage
    } reopen: { _ in
      LockedTokenStorage(items: keychain, locksIn: home.path("link/locks"))
    }.run(check)
  }

  @Test func lockedKeychainIsNoticedBeforeAWrite() async throws {
    try await storage.write(token("1"), for: "account")
    let items = keychain.items
    try await storage.checkWritable("account")
    try await storage.checkWritable("other")
    #expect(keychain.items == items)
    _ = keychain.takeCalls()
    try await storage.checkWritable("other")
    #expect(keychain.takeCalls() == ["read", "names", "write", "remove"], "an item is tried, and not kept")
    keychain.isLocked = true
    let error = try await #require(throws: TokenStorageError.self) { try await storage.checkWritable("account") }
    #expect(error.message == "The device is locked.")
  }

  @Test func keychainThatCanOnlyBeReadIsNoticedBeforeAWrite() async throws {
    try await storage.write(token("1"), for: "account")
    keychain.isReadOnly = true
    #expect(try await storage.token(for: "account") == token("1"))
    for account in ["account", "other"] {
      await #expect(throws: TokenStorageError.self) { try await storage.checkWritable(account) }
    }
  }

  @Test func aWriteIsOneCallAndNeverARemoval() async throws {
    for number in 1...2 {
      try await storage.write(token("\(number)"), for: "account")
      #expect(keychain.takeCalls() == ["read", "write"])
    }
    #expect(keychain.items.count == 1)
  }

  @Test func reservedSpaceIsNoRecordAndIsRemoved() async throws {
    try await storage.write(token("1"), for: "account")
    let intent = SpendingIntent(credentialDigest: [1], requestLimit: .seconds(30))
    try await storage.withExclusiveAccess(to: "account") { slot in
      for _ in 1...2 { _ = try await slot.prepareToSpend(intent) }
      #expect(keychain.items.values.map(\.count).max() == 1 << 20)
      #expect(try await storage.accounts() == ["account"])
    }
    #expect(keychain.items.count == 1)
    // As a killed process leaves it.
    keychain.items["account.tmp"] = Data(count: 1 << 20)
    try await storage.write(nil, for: "account")
    #expect(keychain.items.isEmpty)
  }

  @Test func noTokenIsInAFile() async throws {
    try await storage.write(token("secret-content"), for: "account")
    #expect(try names(in: home.path("locks")) == ["account.lock"])
    #expect(try contents(home.path("locks/account.lock")).isEmpty)
  }

  @Test func aLockedDeviceLosesNothing() async throws {
    try await storage.write(token("old"), for: "account")
    let items = keychain.items
    keychain.isLocked = true
    for attempt in [
      { _ = try await storage.token(for: "account") }, { _ = try await storage.accounts() },
      { try await storage.write(token("new"), for: "account") }, { try await storage.write(nil, for: "account") },
    ] as [@Sendable () async throws -> Void] {
      let error = try await #require(throws: TokenStorageError.self) { try await attempt() }
      #expect(error.code == .unavailable)
    }
    #expect(keychain.items == items)
    keychain.isLocked = false
    #expect(try await storage.token(for: "account") == token("old"))
  }

  @Test(arguments: ["", "not JSON", "{}", #"{"version":1}"#])
  func aDamagedItemIsReportedOnceAndSetAside(_ damage: String) async throws {
    keychain.items = ["account": Data(damage.utf8)]
    let error = try await #require(throws: TokenStorageError.self) { try await storage.token(for: "account") }
    #expect(error.code == .corrupted)
    let aside = try #require(keychain.items.first)
    #expect(keychain.items.count == 1 && aside.value == Data(damage.utf8))
    #expect(aside.key.wholeMatch(of: /account\.[0-9a-f]{16}\.corrupted/) != nil)
    #expect(
      error.message
        == "The keychain item account of tests was damaged and is now \(aside.key). Sign in again.")
    #expect(try await storage.token(for: "account") == nil)
    #expect(try await storage.accounts().isEmpty)
    try await storage.write(token("new"), for: "account")
    #expect(try await storage.token(for: "account") == token("new"))
    #expect(keychain.items[aside.key] == Data(damage.utf8))
  }

  @Test func whatANewerReleaseWroteIsLeftAlone() async throws {
    keychain.items = ["account": Data(#"{"version":4,"tokens":{"access":"secret-content"}}"#.utf8)]
    let items = keychain.items
    for attempt in [
      { _ = try await storage.token(for: "account") }, { try await storage.write(token("new"), for: "account") },
    ] as [@Sendable () async throws -> Void] {
      let error = try await #require(throws: TokenStorageError.self) { try await attempt() }
      #expect(error.code == .newerFormat)
      #expect(
        error.message.hasPrefix("The keychain item account of tests was not changed: The record was written by"))
      #expect(!"\(error)".contains("secret-content"))
    }
    #expect(keychain.items == items)
  }
}
