// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import TestSupport
import Testing
import TokenStore

/// The errors of the storage in files, word for word: what is wrong, where, and what to do.
@Suite struct FileTokenStorageErrorTests {
  private let home: TemporaryDirectory
  private let storage: FileTokenStorage

  init() async throws {
    home = try TemporaryDirectory()
    storage = FileTokenStorage(path: home.path("tokens"))
    try await storage.write(token("old"), for: "account")
  }

  private var record: String { "\(storage.path)/account.json" }

  // MARK: Folders that cannot be used

  @Test(
    arguments: [
      ("file", ENOTDIR), ("file/tokens", ENOTDIR), ("loop/tokens", ELOOP),
      (String(repeating: "x", count: 256), ENAMETOOLONG),
      (String(repeating: "long/", count: 1000), ENAMETOOLONG),
    ], StorageCall.allCases)
  func folderThatCannotBeOpenedIsNamedWithTheReason(_ folder: (String, Int32), _ call: StorageCall) async throws {
    try put(Data(), at: home.path("file"))
    try link("loop", to: home.path("loop"))
    let storage = FileTokenStorage(path: home.path(folder.0))
    try await call.expectFailure(
      .unavailable,
      "Could not open the directory \(storage.path): \(text(ofError: folder.1)). Check the path.", of: storage)
  }

  @Test(arguments: StorageCall.allCases) func folderWithANULByteIsRefused(_ call: StorageCall) async throws {
    try await call.expectFailure(
      .unavailable, "The directory's path contains a NUL byte.",
      of: FileTokenStorage(path: home.path("tokens\0/other")))
  }

  @Test(arguments: StorageCall.allCases) func folderThatLeadsElsewhereIsRefused(_ call: StorageCall) async throws {
    for (name, target) in [("link", storage.path), ("dangling", home.path("nowhere"))] {
      try link(name, to: target)
      try await call.expectFailure(
        .insecure, "\(home.path(name)) is not safe to use: it is a symbolic link. Name the directory it points to.",
        of: FileTokenStorage(path: home.path(name)))
    }
  }

  @Test(arguments: [("tokens", false), ("it's/almanac/tokens", true)], StorageCall.allCases)
  func folderThatOthersSeeIsRefused(_ folder: (name: String, isOurs: Bool), _ call: StorageCall) async throws {
    let storage = FileTokenStorage(path: home.path(folder.name))
    try await storage.write(token("old"), for: "account")
    try setPermissions(0o711, storage.path)
    let advice =
      folder.isOurs
      ? "If no other user can have changed it, run: chmod 700 '\(home.path)/it'\\''s/almanac/tokens'"
      : "Name a directory that only you use; one that does not exist is made with the right permissions."
    try await call.expectFailure(
      .insecure, "\(storage.path) is not safe to use: other users have access to it. \(advice)", of: storage)
  }

  // MARK: Files that cannot be used

  @Test(arguments: ["account.json", "account.lock"]) func fileThatIsNotSafeIsRefused(_ name: String) async throws {
    let path = "\(storage.path)/\(name)"
    let rows: [(fault: String, advice: String, make: () throws -> Void)] = [
      ("it is a symbolic link", "Remove it and sign in again.", { try link("tokens/\(name)", to: home.path("x")) }),
      ("it is not a plain file", "Remove it and sign in again.", { try makePipe(path) }),
      (
        "it has a second name (hard link)", "Remove it and sign in again.",
        {
          try put(Data(), at: path)
          try FileManager.default.linkItem(atPath: path, toPath: home.path("second-\(UUID().uuidString)"))
        }
      ),
      (
        "other users have access to it", "If no other user can have changed it, run: chmod 600 '\(path)'",
        {
          try put(Data(), at: path)
          try setPermissions(0o604, path)
        }
      ),
    ]
    for row in rows {
      try FileManager.default.removeItem(atPath: path)
      try row.make()
      for call in name == "account.json" ? StorageCall.ofRecord : StorageCall.locking {
        try await call.expectFailure(.insecure, "\(path) is not safe to use: \(row.fault). \(row.advice)", of: storage)
      }
      #expect(try await storage.accounts() == ["account"], "the list reads no record")
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
  func whatBelongsToAnotherUserIsRefused() async throws {
    func expectRefusal(of path: String, _ calls: [StorageCall]) async throws {
      for call in calls {
        try await call.expectFailure(
          .insecure, "\(path) is not safe to use: it belongs to another user (12345). Use a directory of your own.",
          of: storage)
      }
    }
    let givenAway = unsafe chown(record, 12_345, 0)
    #expect(givenAway == 0)
    try await expectRefusal(of: record, StorageCall.ofRecord)
    // The folder is looked at first.
    let folderToo = unsafe chown(storage.path, 12_345, 0)
    #expect(folderToo == 0)
    try await expectRefusal(of: storage.path, StorageCall.allCases)
  }

  // MARK: Records

  @Test func damageNamesTheRecordAndItsNewPlace() async throws {
    try put(Data("damaged".utf8), at: record)
    try await storage.withExclusiveAccess(to: "account") { _ in
      try await StorageCall.read.expectFailure(
        .corrupted, "\(record) is damaged, and in use. It will be set aside. Sign in again.", of: storage)
    }
    let error = try await #require(throws: TokenStorageError.self) { try await storage.token(for: "account") }
    let aside = try #require(try names(in: storage.path).first { $0.hasSuffix(".corrupted") })
    #expect(error.message == "\(record) was damaged and is now \(storage.path)/\(aside). Sign in again.")
    #expect(aside.wholeMatch(of: /account\.[0-9a-f]{16}\.corrupted/) != nil)
  }

  @Test(arguments: StorageCall.ofRecord) func newerReleaseIsNamedWithItsFormat(_ call: StorageCall) async throws {
    try put(Data(#"{"version": 4}"#.utf8), at: record)
    try await call.expectFailure(
      .unavailable,
      """
      \(record) was not changed: The record was written by a newer release (format 4; this one supports 3). \
      Update the program, or use another storage.
      """, of: storage)
  }

  @Test(arguments: [StorageCall.read, .check, .write])
  func sealedRecordIsNamedAndOnlyItsKeyReplacesIt(_ call: StorageCall) async throws {
    let sealed = Data(#"{"sealed":"key.text","version":3}"#.utf8)
    try put(sealed, at: record)
    try await call.expectFailure(
      .sealed,
      """
      \(record) was not changed: The record is sealed. Read it through SealedTokenStorage, with the key ring of the program \
      that sealed it.
      """, of: storage)
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
    #expect(error.code == .unavailable)
    #expect(error.message == "The token is too large to store: 1048577 bytes of at most 1048576.")
    #expect(try await storage.token(for: "account") == largest)
  }

  // MARK: Calls

  @Test func folderThatIsRemovedMeanwhileIsNotMadeAgain() async throws {
    try await storage.withExclusiveAccess(to: "account") { slot in
      try FileManager.default.removeItem(atPath: storage.path)
      #expect(try await slot.read() == nil)
      let error = try await #require(throws: TokenStorageError.self) { try await slot.write(token("new")) }
      #expect(error.code == .unavailable)
      #expect(
        error.message
          == "Could not make \(storage.path)/account.tmp: \(text(ofError: ENOENT)). Check the path.")
      try await slot.write(nil)
    }
    #expect(try names(in: home.path) == [])
    try await storage.write(token("new"), for: "account")
    #expect(try await storage.token(for: "account") == token("new"))
  }

  @Test func slotThatIsKeptSaysWhyItFails() async throws {
    let kept = Mutex<(any TokenSlot)?>(nil)
    try await storage.withExclusiveAccess(to: "account") { slot in kept.withLock { $0 = slot } }
    let slot = try #require(kept.withLock { $0 })
    for use in [{ _ = try await slot.read() }, { try await slot.write(nil) }] as [@Sendable () async throws -> Void] {
      let error = try await #require(throws: TokenStorageError.self) { try await use() }
      #expect(error.code == .unavailable)
      #expect(
        error.message
          == "The slot was used after its exclusive access had ended. Read and write before the body returns.")
    }
    #expect(try await storage.token(for: "account") == token("old"))
  }

  @Test(arguments: StorageCall.ofRecord) func nameThatCannotBeAFilesIsRefused(_ call: StorageCall) async throws {
    try await call.expectFailure(.invalidAccount, "An account's name must not be empty.", of: storage, "")
  }

  /// Another spelling of the path shares no queue, as another process.
  @Test(arguments: [StorageCall.write, .remove])
  func accountThatIsInUseElsewhereIsBusy(_ call: StorageCall) async throws {
    try link("above", to: home.path)
    let other = FileTokenStorage(path: home.path("above/tokens"), waitLimit: .zero)
    try await storage.withExclusiveAccess(to: "account") { _ in
      try await call.expectFailure(
        .busy,
        """
        Another process has had exclusive access to the account in \(other.path) for longer than 0.0 seconds. \
        It may be stopped: resume or end it, then try again.
        """, of: other)
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

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: home.path(name), withDestinationPath: target)
  }

  private func makePipe(_ path: String) throws {
    let result = unsafe mkfifo(path, 0o600)
    try #require(result == 0)
  }
}
