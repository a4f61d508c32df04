// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TokenStore

/// The check whether a record could be written.
@Suite struct FileTokenStorageTrialTests {
  private let home: TemporaryDirectory
  private let storage: FileTokenStorage

  init() throws {
    home = try TemporaryDirectory()
    storage = FileTokenStorage(path: home.path("deep/down/tokens"))
  }

  @Test func leavesNoFile() async throws {
    try await storage.checkWritable("account")
    #expect(try names(in: home.path).isEmpty, "not even the folder")
    try await storage.write(token("one"), for: "account")
    try await storage.checkWritable("account")
    try await storage.checkWritable("other")
    #expect(try names(in: storage.path) == ["account.json", "account.lock"])
    #expect(try await storage.token(for: "account") == token("one"))
  }

  @Test(arguments: ["", "/a/b"]) func directoryBelowTheRootIsMadeIfTheRootAllowsIt(_ rest: String) async throws {
    let directory = "/almanac-\(UUID().uuidString)"
    let storage = FileTokenStorage(path: directory + rest)
    if unsafe access("/", W_OK | X_OK) == 0 {
      try await storage.checkWritable("account")
    } else {
      let error = try await #require(throws: TokenStorageError.self) { try await storage.checkWritable("account") }
      #expect(error.message.hasPrefix("Could not create the directory \(directory)\(rest): "))
    }
    #expect(!FileManager.default.fileExists(atPath: directory))
  }

  @Test func damagedRecordIsNoObstacle() async throws {
    try await storage.write(token("one"), for: "account")
    try Data("damaged".utf8).write(to: URL(filePath: "\(storage.path)/account.json"))
    try setPermissions(0o600, "\(storage.path)/account.json")
    try await storage.checkWritable("account")
    #expect(try names(in: storage.path) == ["account.json", "account.lock"])
  }
}
