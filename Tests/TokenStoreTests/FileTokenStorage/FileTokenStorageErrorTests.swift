// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing
import TokenStore

/// Obstacles that another user, or a careless one, could place: each call says what is wrong and where, and changes nothing.
@Suite struct FileTokenStorageErrorTests {
  private let home: TemporaryDirectory
  private let storage: FileTokenStorage

  init() async throws {
    home = try TemporaryDirectory()
    storage = FileTokenStorage(path: home.path("tokens"))
    try await storage.write(token("old"), for: "account")
  }

  private var record: String { file("account.json") }

  private func file(_ name: String) -> String { "\(storage.path)/\(name)" }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: home.path(name), withDestinationPath: target)
  }

  private func makePipe(_ path: String) throws {
    let result = unsafe mkfifo(path, 0o600)
    try #require(result == 0)
  }

  // MARK: Folders that cannot be used

  @Test(
    arguments: [
      ("file", ENOTDIR), ("file/tokens", ENOTDIR), ("loop/tokens", ELOOP),
      (String(repeating: "x", count: 256), ENAMETOOLONG), (String(repeating: "long/", count: 1000), ENAMETOOLONG),
    ], StorageCall.allCases)
  func folderThatCannotBeOpenedIsNamedWithTheReason(_ folder: (String, Int32), _ call: StorageCall) async throws {
    try put(Data(), at: home.path("file"))
    try link("loop", to: home.path("loop"))
    let storage = FileTokenStorage(path: home.path(folder.0))
    try await call.expectFailure(.unavailable, "\(storage.path): \(text(ofError: folder.1)). Check ", of: storage)
  }

  @Test(arguments: StorageCall.allCases) func folderWithANULByteIsRefused(_ call: StorageCall) async throws {
    let storage = FileTokenStorage(path: home.path("tokens\0/other"))
    try await call.expectFailure(.unavailable, "NUL byte", of: storage)
  }

  @Test(arguments: ["link", "link/", "link/.", "./link//", "dangling"], StorageCall.allCases)
  func folderThatIsASymbolicLinkIsRefused(_ name: String, _ call: StorageCall) async throws {
    try link("link", to: storage.path)
    try link("dangling", to: home.path("nowhere"))
    try await call.expectFailure(.insecure, "it is a symbolic link. ", of: FileTokenStorage(path: home.path(name)))
    #expect(!FileManager.default.fileExists(atPath: home.path("nowhere")))
  }

  @Test func symbolicLinkAboveTheFolderIsFollowed() async throws {
    try link("above", to: home.path)
    #expect(try await FileTokenStorage(path: home.path("above/tokens")).token(for: "account") == token("old"))
  }

  @Test(arguments: [0o755, 0o750, 0o770, 0o701, 0o711, 0o777, 0o1777], StorageCall.allCases)
  func folderOpenToOthersIsRefusedAndLeftAsItIs(_ mode: Int, _ call: StorageCall) async throws {
    try setPermissions(mode, storage.path)
    try await call.expectFailure(.insecure, "\(storage.path) is not safe to use: other users ", of: storage)
    #expect(try permissions(storage.path) == mode)
  }

  @Test func onlyAFolderOfOursIsToBeClosedWithChmod() async throws {
    for (name, isOurs) in [("tokens", false), ("it's/almanac/tokens", true)] {
      let storage = FileTokenStorage(path: home.path(name))
      try await storage.write(token("old"), for: "account")
      try setPermissions(0o755, storage.path)
      let error = try await #require(throws: TokenStorageError.self) { try await storage.token(for: "account") }
      // A shell reads it as one word.
      let command = "chmod 700 '\(home.path)/\(name.replacing("'", with: #"'\''"#))'"
      #expect(error.message.contains(command) == isOurs && error.message.contains("chmod") == isOurs)
    }
  }

  // MARK: Files that cannot be used

  @Test(arguments: ["account.json", "account.lock"]) func fileThatIsNotSafeIsRefused(_ name: String) async throws {
    let (path, victim) = (file(name), home.path("victim"))
    func open(_ mode: Int) throws {
      try put(Data(), at: path)
      try setPermissions(mode, path)
    }
    let rows: [(fault: String, make: () throws -> Void)] = [
      ("it is a symbolic link. ", { try link("tokens/\(name)", to: victim) }),
      ("it is not a plain file. ", { try makePipe(path) }),
      ("it has a second name", { try FileManager.default.linkItem(atPath: victim, toPath: path) }),
      ("other users have access to it. ", { try open(0o644) }), ("other users ", { try open(0o640) }),
      ("other users ", { try open(0o660) }), ("other users ", { try open(0o602) }),
      ("chmod 600 '\(path)'", { try open(0o604) }),
    ]
    for row in rows {
      try FileManager.default.removeItem(atPath: path)
      try put(Data("victim".utf8), at: victim)
      try row.make()
      for call in name == "account.json" ? StorageCall.ofRecord : StorageCall.locking {
        try await call.expectFailure(.insecure, row.fault, of: storage)
      }
      #expect(try contents(victim) == Data("victim".utf8))
      #expect(try await storage.accounts() == ["account"], "the list reads no record")
    }
  }

  @Test func folderInPlaceOfTheRecordIsRefused() async throws {
    try FileManager.default.removeItem(atPath: record)
    try FileManager.default.createDirectory(
      atPath: record, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    for call in StorageCall.ofRecord { try await call.expectFailure(.insecure, record, of: storage) }
  }

  @Test func linkInPlaceOfTheTemporaryFileIsRemovedAndNotFollowed() async throws {
    try put(Data("victim".utf8), at: home.path("victim"))
    try link("tokens/account.tmp", to: home.path("victim"))
    try await storage.write(token("new"), for: "account")
    #expect(try contents(home.path("victim")) == Data("victim".utf8))
    #expect(try await storage.token(for: "account") == token("new"))
    #expect(try names(in: storage.path) == ["account.json", "account.lock"])
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
  func whatBelongsToAnotherUserIsRefused() async throws {
    // The folder is looked at first.
    for (path, calls) in [(record, StorageCall.ofRecord), (storage.path, StorageCall.allCases)] {
      let result = unsafe chown(path, 12_345, 0)
      #expect(result == 0)
      for call in calls {
        try await call.expectFailure(
          .insecure, "\(path) is not safe to use: it belongs to another user (12345). ", of: storage)
      }
    }
  }

  /// A lock file can be lost, as when a program cleans up; the next one counts.
  @Test func lockFileThatWasRemovedIsMadeAnew() async throws {
    try FileManager.default.removeItem(atPath: file("account.lock"))
    try await storage.write(token("new"), for: "account")
    #expect(try names(in: storage.path) == ["account.json", "account.lock"])
  }

  // MARK: Records

  @Test(arguments: [StorageCall.read, .check, .write])
  func sealedRecordIsNamedAndOnlyItsKeyReplacesIt(_ call: StorageCall) async throws {
    let sealed = Data(#"{"sealed":"key.text","version":3}"#.utf8)
    try put(sealed, at: record)
    try await call.expectFailure(.sealed, "\(record) was not changed: The record is sealed. ", of: storage)
    #expect(try contents(record) == sealed)
    try await storage.write(StoredToken(sealed: "key.next"), for: "account")
    #expect(try contents(record) == Data(#"{"sealed":"key.next","version":3}"#.utf8))
    try await storage.write(nil, for: "account")
    #expect(try await storage.token(for: "account") == nil)
  }

  @Test func recordIsKeptUpToTheLimitThatIsRead() async throws {
    func record(of length: Int) throws -> StoredToken {
      let empty = try JSONEncoder().encode(token("")).count
      return token(String(repeating: "x", count: length - empty))
    }
    let largest = try record(of: 1 << 20)
    try await storage.write(largest, for: "account")
    #expect(try await storage.token(for: "account") == largest)
    let larger = try record(of: 1 << 20 + 1)
    let error = try await #require(throws: TokenStorageError.self) { try await storage.write(larger, for: "account") }
    #expect(error.code == .unavailable && error.message.contains("1048577 bytes of at most 1048576"))
    #expect(try await storage.token(for: "account") == largest)
  }

  // MARK: Calls

  @Test func folderThatIsRemovedMeanwhileIsNotMadeAgain() async throws {
    try await storage.withExclusiveAccess(to: "account") { slot in
      try FileManager.default.removeItem(atPath: storage.path)
      #expect(try await slot.read() == nil)
      let error = try await #require(throws: TokenStorageError.self) { try await slot.write(token("new")) }
      #expect(error.code == .unavailable && error.message.contains(text(ofError: ENOENT)))
      try await slot.write(nil)
    }
    #expect(try names(in: home.path) == [])
    try await storage.write(token("new"), for: "account")
    #expect(try await storage.token(for: "account") == token("new"))
  }

  /// Another spelling of the path shares no queue, as another process.
  @Test(arguments: [StorageCall.write, .remove])
  func accountThatIsInUseElsewhereIsBusy(_ call: StorageCall) async throws {
    try link("above", to: home.path)
    let other = FileTokenStorage(path: home.path("above/tokens"), waitLimit: .zero)
    try await storage.withExclusiveAccess(to: "account") { _ in
      try await call.expectFailure(.busy, "\(other.path) for longer than 0.0 seconds. ", of: other)
      for call in [StorageCall.read, .list, .check] { try await call.make(other) }
    }
    #expect(try await storage.token(for: "account") == token("old"))
    try await call.make(other)
  }

  @Test func waiterThatIsCancelledAnywhereThrowsCancellationError() async throws {
    try link("above", to: home.path)
    let other = FileTokenStorage(path: home.path("above/tokens"), waitLimit: .zero)
    try await storage.withExclusiveAccess(to: "account") { _ in
      var runs = 0
      // The attempt to obtain the lock suspends, unless its thread is faster.
      for _ in 1...20 where runs < 3 {
        var failures: [(any Error)?] = []
        runs = try await cancellingAtEverySuspension { _ in
          other
        } of: { storage in
          try await storage.withExclusiveAccess(to: "account") { @Sendable _ in }
        } then: {
          failures.append($1)
        }
        // The last run is not cancelled.
        #expect((failures.popLast() as? TokenStorageError)?.code == .busy)
        #expect(failures.allSatisfy { $0 is CancellationError })
      }
      #expect(runs > 2)
    }
  }

  /// Only the record itself contains the whole of a long name.
  @Test(arguments: ["account", String(repeating: "x", count: 300)])
  func recordThatCannotBeReadDoesNotHideTheOthers(_ account: String) async throws {
    try await storage.write(token("other"), for: "other")
    try await storage.write(token("old"), for: account)
    let record = try #require(
      try names(in: storage.path).first { $0.hasPrefix(account.prefix(7)) && $0.hasSuffix(".json") })
    try setPermissions(0o644, file(record))
    let listed = try await storage.accounts()
    #expect(listed.contains("other") && listed.contains("account"))
    await #expect(throws: TokenStorageError.self) { try await storage.token(for: account) }
  }
}
