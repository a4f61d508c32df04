// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TokenStore

/// Obstacles that another user, or a careless one, could place.
@Suite struct FileTokenStorageAttackTests {
  private let home: TemporaryDirectory
  private let storage: FileTokenStorage
  private let victim: String

  init() async throws {
    home = try TemporaryDirectory()
    storage = FileTokenStorage(path: home.path("tokens"))
    victim = home.path("victim")
    try await storage.write(token("old"), for: "account")
    try put(Data("victim".utf8), at: victim)
  }

  @Test(arguments: ["link", "link/", "link/.", "./link//"])
  func aDirectoryThatIsASymbolicLinkIsRefused(_ name: String) async throws {
    try link("link", to: storage.path)
    try await expectRefusal(FileTokenStorage(path: home.path(name)))
  }

  @Test func aDanglingLinkInPlaceOfTheDirectoryIsRefused() async throws {
    try link("link", to: home.path("elsewhere"))
    try await expectRefusal(FileTokenStorage(path: home.path("link")))
    #expect(!FileManager.default.fileExists(atPath: home.path("elsewhere")))
  }

  @Test func aSymbolicLinkAboveTheDirectoryIsFollowed() async throws {
    try link("above", to: home.path)
    #expect(try await FileTokenStorage(path: home.path("above/tokens")).token(for: "account") == token("old"))
  }

  @Test(arguments: [0o755, 0o750, 0o770, 0o701, 0o777, 0o1777])
  func aDirectoryOpenToOthersIsRefusedAndLeftAsItIs(_ mode: Int) async throws {
    try setPermissions(mode, storage.path)
    try await expectRefusal(storage)
    #expect(try permissions(storage.path) == mode)
  }

  @Test func onlyAFolderOfOursIsToBeClosedWithChmod() async throws {
    try setPermissions(0o755, storage.path)
    let shared = try await #require(throws: TokenStorageError.self) { try await storage.token(for: "account") }
    #expect(!shared.message.contains("chmod"), "\(shared.message)")

    let ours = FileTokenStorage(path: home.path("it's/almanac/tokens"))
    try await ours.write(token("old"), for: "account")
    try setPermissions(0o755, ours.path)
    let error = try await #require(throws: TokenStorageError.self) { try await ours.token(for: "account") }
    #expect(error.message.contains("chmod 700 '"))
    #expect(error.message.contains(#"it'\''s/almanac/tokens'"#), "a shell reads it as one word")
  }

  @Test(arguments: [0o644, 0o640, 0o660, 0o602])
  func aRecordOpenToOthersIsRefused(_ mode: Int) async throws {
    try setPermissions(mode, file("account.json"))
    try await expectRefusal(storage)
  }

  @Test(arguments: ["account.json", "account.lock"])
  func aFileThatIsASymbolicLinkIsRefused(_ name: String) async throws {
    try FileManager.default.removeItem(atPath: file(name))
    try link("tokens/\(name)", to: victim)
    try await expectRefusal(storage, reading: name == "account.json")
    #expect(try contents(victim) == Data("victim".utf8))
  }

  @Test(arguments: ["account.json", "account.lock"])
  func aFileWithASecondNameIsRefused(_ name: String) async throws {
    try FileManager.default.linkItem(atPath: file(name), toPath: home.path("second"))
    try await expectRefusal(storage, reading: name == "account.json")
  }

  @Test(arguments: ["account.json", "account.lock"])
  func aPipeInPlaceOfAFileIsRefusedWithoutWaiting(_ name: String) async throws {
    try FileManager.default.removeItem(atPath: file(name))
    let result = unsafe mkfifo(file(name), 0o600)
    #expect(result == 0)
    try await expectRefusal(storage, reading: name == "account.json")
  }

  @Test func aDirectoryInPlaceOfTheRecordIsRefused() async throws {
    try FileManager.default.removeItem(atPath: file("account.json"))
    try FileManager.default.createDirectory(
      atPath: file("account.json"), withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    try await expectRefusal(storage)
  }

  @Test func aLinkInPlaceOfTheTemporaryFileIsRemovedAndNotFollowed() async throws {
    try link("tokens/account.tmp", to: victim)
    try await storage.write(token("new"), for: "account")
    #expect(try contents(victim) == Data("victim".utf8))
    #expect(try await storage.token(for: "account") == token("new"))
    #expect(try names(in: storage.path) == ["account.json", "account.lock"])
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give files away"), arguments: ["", "/account.json"])
  func whatBelongsToAnotherUserIsRefused(_ name: String) async throws {
    let result = unsafe chown(storage.path + name, 12_345, 12_345)
    #expect(result == 0)
    try await expectRefusal(storage)
  }

  @Test(.enabled(if: geteuid() != 0, "root may do everything"))
  func aDirectoryThatCannotBeWrittenIsUnavailable() async throws {
    try setPermissions(0o500, storage.path)
    let error = try await #require(throws: TokenStorageError.self) {
      try await storage.write(token("new"), for: "account")
    }
    #expect(error.code == .unavailable)
    #expect(try await storage.token(for: "account") == token("old"))
    try setPermissions(0o700, storage.path)
  }

  /// A lock file can be lost, as when a program cleans up; the next one counts.
  @Test func aLockFileThatWasRemovedIsMadeAnew() async throws {
    try FileManager.default.removeItem(atPath: file("account.lock"))
    try await storage.write(token("new"), for: "account")
    #expect(try names(in: storage.path) == ["account.json", "account.lock"])
  }

  private func file(_ name: String) -> String { "\(storage.path)/\(name)" }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: home.path(name), withDestinationPath: target)
  }

  private func expectRefusal(_ storage: FileTokenStorage, reading: Bool = true) async throws {
    var calls: [@Sendable () async throws -> Void] = [
      { try await storage.write(token("new"), for: "account") }, { try await storage.write(nil, for: "account") },
    ]
    if reading { calls.append { _ = try await storage.token(for: "account") } }
    for call in calls {
      let error = try await #require(throws: TokenStorageError.self) { try await call() }
      #expect(error.code == .insecure, "\(error)")
      #expect(error.message.contains(home.path))
    }
  }
}
